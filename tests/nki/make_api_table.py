"""Makes api_table.json: the names and parameters of NKI's public API, from AWS's stubs.

    python tests/nki/make_api_table.py SDK/nki/api/nki > tests/nki/api_table.json

The argument is the folder nki/api/nki of the public documentation repository aws-neuron-sdk
(NKI 0.6). Only names, parameters and defaults are taken.
"""

from __future__ import annotations

import ast
import json
import sys
from pathlib import Path


def parameters(function: ast.FunctionDef) -> str:
    """The parameters as written, without annotations: "dst, src, engine=engine.unknown"."""
    for arg in ast.walk(function.args):
        if isinstance(arg, ast.arg):
            arg.annotation = None
    return ast.unparse(function.args)


def members(node: ast.ClassDef) -> dict[str, object]:
    """The members of a class: values of enums, parameters of methods, null for attributes."""
    result: dict[str, object] = {}
    for item in node.body:
        if isinstance(item, ast.FunctionDef) and item.name != "__init__":
            is_property = any(ast.unparse(d) == "property" for d in item.decorator_list)
            result[item.name] = None if is_property else parameters(item)
        elif isinstance(item, ast.Assign):
            value = ast.unparse(item.value)
            result[item.targets[0].id] = None if value == "..." else ast.literal_eval(value)
        elif isinstance(item, ast.AnnAssign):
            result[item.target.id] = None
    return result


def module(path: Path) -> dict[str, dict[str, object]]:
    """The functions, classes and constants of one stub."""
    table: dict[str, dict[str, object]] = {"functions": {}, "classes": {}, "constants": {}}
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.FunctionDef):
            table["functions"][node.name] = parameters(node)
        elif isinstance(node, ast.ClassDef):
            table["classes"][node.name] = members(node)
        elif isinstance(node, ast.AnnAssign):
            table["constants"][node.target.id] = ast.unparse(node.annotation)
        elif isinstance(node, ast.Assign):
            table["constants"][node.targets[0].id] = None
    return table


def tables(folder: Path) -> dict[str, object]:
    """The table of the stubs in `folder`, by module."""
    names = {"nki": ".", "nki.language": "language", "nki.isa": "isa"}
    names["nki.collectives"] = "collectives"
    found = {name: module(folder / place / "__init__.py") for name, place in names.items()}
    return {"source": "public stubs of NKI 0.6 (aws-neuron-sdk, nki/api/nki)", **found}


def main(folder: Path) -> None:
    """Prints the table of the stubs in `folder`."""
    json.dump(tables(folder), sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
