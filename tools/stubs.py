"""Writes the stubs that editors and type checkers read: of the core, and of made functions.

    python tools/stubs.py            writes them
    python tools/stubs.py --check    exit code 1 where one of instructions is not fresh

trainyard/_core.pyi is made by nanobind's generator; nki/isa/__init__.pyi and
neuronxcc/nki/language/__init__.pyi hold functions that are made when the package is imported.
"""

from __future__ import annotations

import importlib
import inspect
import re
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

PYTHON = Path(__file__).resolve().parents[1] / "python"
HEAD = "# Written by tools/stubs.py; do not edit.\n"
# Of operands, by their type in the schema: tiles, and tiles or numbers.
_OPERANDS = {0: "NkiTensor", 1: "NkiTensor | float"}


def of_core() -> str:
    """The stub of trainyard._core."""
    from nanobind.stubgen import StubGen
    from trainyard import _core

    generator = StubGen(_core, recursive=False)
    generator.put(_core)
    text = re.sub(r" at 0x[0-9a-f]+", "", generator.get())
    text = re.sub(r"(def __(?:str|repr)__\(self\) ->) object", r"\1 str", text)
    # The errors say that they are trainyard's, and some methods are functions of ours.
    text = re.sub(r"^from trainyard[\w.]* import .*\n", "", text, flags=re.MULTILINE)
    text = text.replace(
        "from collections.abc import", "from typing import Any\nfrom collections.abc import", 1
    )
    # Python gives a class that compares the hash of object, which the generator takes for data.
    text = re.sub(r"    @property\n    @property\n    def __hash__\(self, /\):\n.*\n\n", "", text)
    errors = "__version__: str\n\n"
    errors += "".join(map(_error, (_core.InputError, _core.Fault)))
    text = re.sub(r"^(?=class )", errors, text, count=1, flags=re.M)
    for name, cls in vars(_core).items():
        if inspect.isclass(cls) and (added := "".join(_added(cls))):
            head = re.search(rf"^class {name}(\(.*\))?:\n", text, re.MULTILINE)
            end = re.compile(r"^\S", re.MULTILINE).search(text, head.end())
            at = end.start() if end else len(text)
            text = text[:at].rstrip() + "\n\n" + textwrap.indent(added, "    ") + "\n" + text[at:]
    # Parts of the core that only our own packages use need no stub.
    return f"{HEAD}{text}\ndef __getattr__(name: str) -> Any: ...\n"


def _error(cls: type[Exception]) -> str:
    head = f"class {cls.__name__}({cls.__bases__[0].__name__}):"
    doc = textwrap.fill(inspect.getdoc(cls), 92, subsequent_indent="    ")
    own = "category: str" if cls.__name__ == "Fault" else "memory: str | None"
    return f'{head}\n    """{doc}"""\n\n    {own}\n    violations: tuple[Any, ...]\n\n'


def _added(cls: type) -> Iterator[str]:
    """What only our own packages read of a class of the core."""
    for name, value in sorted(vars(cls).items()):
        if name.startswith("_") and not name.startswith("__") and not inspect.isfunction(value):
            yield f"{name}: Any\n"


def _default(value: Any) -> str:
    """A default as a stub writes it: numbers, strings and None; of others that there is one."""
    return repr(value) if value is None or isinstance(value, (bool, int, float, str)) else "..."


def _annotation(parameter: inspect.Parameter, types: dict[str, str]) -> str:
    found = types.get(parameter.name, "str" if parameter.name == "name" else "Any")
    return f"{found} | None" if parameter.default is None and found != "Any" else found


def _function(name: str, function: Any, result: str, types: dict[str, str]) -> str:
    parts, named = [], False
    for parameter in inspect.signature(function).parameters.values():
        kind = parameter.kind
        if kind is parameter.VAR_KEYWORD:
            parts.append(f"**{parameter.name}: Any")
            continue
        if kind is parameter.VAR_POSITIONAL:
            parts.append(f"*{parameter.name}: Any")
            named = True
            continue
        if kind is parameter.KEYWORD_ONLY and not named:
            parts.append("*")
            named = True
        text = f"{parameter.name}: {_annotation(parameter, types)}"
        if parameter.default is not parameter.empty:
            text += f" = {_default(parameter.default)}"
        parts.append(text)
    doc = inspect.getdoc(function) or ""
    body = textwrap.indent(f'"""{doc}"""', "    ") if doc else "    ..."
    return f"def {name}({', '.join(parts)}) -> {result}:\n{body}\n"


def _imports(package: ModuleType, made: set[str]) -> Iterator[str]:
    """The import statements of a package's own file, which its stub repeats."""
    source = Path(package.__file__).read_text(encoding="utf-8")
    for found in re.finditer(r"^from [\w.]+ import (\([^)]*\)|[^\n(]+)", source, re.MULTILINE):
        text = re.sub(r"#[^\n]*", "", found.group(0))
        module, names = re.sub(r"[()\s]+", " ", text).split(" import ")
        kept = []
        for name in (one.strip() for one in names.split(",") if one.strip()):
            own = name.split(" as ")[-1]
            if own not in made and own != "annotations":
                kept.append(name if " as " in name else f"{name} as {name}")
        if kept:
            yield f"{module} import {', '.join(kept)}"


def of_isa() -> str:
    """The stub of nki.isa: the instructions of the schema."""
    from nki import _enums, _instructions, isa

    functions = isa._functions
    lines = [*_imports(isa, {*functions, *_enums.EXPORTED}), "from nki.language import NkiTensor"]
    lines += [f"from nki._enums import {name} as {name}" for name in _enums.EXPORTED] + [""]
    lines += [
        "NkiInstruction = _instructions.NkiInstruction",
        "def get_nc_version() -> nc_version: ...",
        "def get_nc_sub_version() -> int: ...",
        "",
    ]
    for mnemonic, function in sorted(functions.items()):
        operands = _instructions.SCHEMA[mnemonic]["operands"]
        types = {
            one["name"]: _OPERANDS[one["type"]] for one in operands if one["type"] in _OPERANDS
        }
        lines.append(_function(mnemonic, function, "NkiInstruction", types))
    return _whole(isa, lines)


def of_older_language() -> str:
    """The stub of neuronxcc.nki.language: functions, dtypes and loops of the first generation."""
    language = importlib.import_module("neuronxcc.nki.language")
    functions = importlib.import_module("neuronxcc.nki.language._functions")
    made = {*functions.BINARY, *functions.ACTIVATIONS, *functions.COMPOSED}
    lines = [*_imports(language, made), "from nki.language import ds as ds", ""]
    lines += [f"{name}: _DType" for name in (*language._DTYPES, "bool_")]
    lines += ["def finfo(dtype: object) -> Any: ...", "class fp32:", "    min: float"]
    lines += ["    max: float", ""]
    lines += [_function(name, getattr(language, name), "Tensor", {}) for name in sorted(made)]
    lines.insert(0, "from neuronxcc.nki._tensor import Tensor")
    return _whole(language, lines)


def _whole(package: ModuleType, lines: list[str]) -> str:
    doc = inspect.getdoc(package)
    names = ", ".join(f'"{name}"' for name in sorted(set(package.__all__)))
    head = f'"""{doc}"""\n\nfrom typing import Any\n'
    return HEAD + head + "\n".join(lines) + f"\n__all__ = [{names}]\n"


STUBS = {
    "trainyard/_core.pyi": of_core,
    "nki/isa/__init__.pyi": of_isa,
    "neuronxcc/nki/language/__init__.pyi": of_older_language,
}


def formatted(text: str) -> str:
    """The text as ruff formats it."""
    ruff = [sys.executable, "-m", "ruff"]
    for command in (
        [*ruff, "check", "-q", "--fix-only", "--select", "I", "--stdin-filename", "x.pyi", "-"],
        [*ruff, "format", "-q", "--stdin-filename", "x.pyi", "-"],
    ):
        text = subprocess.run(command, input=text, text=True, stdout=-1, check=True).stdout
    return text


def main() -> int:
    """The command."""
    stale = []
    for name, make in STUBS.items():
        path, text = PYTHON / name, formatted(make())
        if "--check" in sys.argv[1:] and make is of_core:
            continue  # most of it is for our own packages
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        stale.append(name)
        if "--check" not in sys.argv[1:]:
            path.write_text(text, encoding="utf-8")
    if "--check" in sys.argv[1:] and stale:
        print(f"not fresh: {', '.join(stale)}; run python tools/stubs.py", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
