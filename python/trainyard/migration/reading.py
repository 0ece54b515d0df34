"""From a script's text to what changes in it."""

from __future__ import annotations

import ast

from trainyard.migration.script import CHANGE, Finding, Migration, Script
from trainyard.migration.visitor import Visitor


def read(source: str) -> Migration:
    """Raises SyntaxError where the script is no Python."""
    script = Script(source)
    visitor = Visitor(script)
    visitor.visit(script.tree)
    visitor.finish()
    if visitor.needs_import:
        _add_import(script)
    return Migration(sorted(script.findings), script.result())


def _add_import(script: Script) -> None:
    """`import torch_neuronx` behind the first import of torch outside of functions, if any."""
    body = script.tree.body
    imports = [
        i
        for i, node in enumerate(body)
        if (isinstance(node, ast.Import) and any(_is_torch(a.name) for a in node.names))
        or (isinstance(node, ast.ImportFrom) and _is_torch(node.module or ""))
    ]
    first = imports[0] if imports else _behind_head(body) - 1
    line = (body[first].end_lineno or 0) + 1 if first >= 0 else 1
    script.findings.append(Finding(line, 0, CHANGE, "", "import torch_neuronx"))
    script.insert_line(line, "import torch_neuronx")


def _is_torch(name: str) -> bool:
    return name == "torch" or name.startswith("torch.")


def _behind_head(body: list[ast.stmt]) -> int:
    """How many statements are the docstring and imports from __future__."""
    count = 0
    for node in body:
        is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        is_future = isinstance(node, ast.ImportFrom) and node.module == "__future__"
        if not (is_text or is_future):
            break
        count += 1
    return count
