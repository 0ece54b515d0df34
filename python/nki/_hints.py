"""What to write instead of a name, or an argument, that there is none of."""

from __future__ import annotations

import difflib
import importlib
import inspect
import re
from collections.abc import Callable, Iterable
from typing import Any, NoReturn

CALL = re.compile(
    r"(?:\w+\.)*(\w+)\(\) (?:got|missing|takes)\b.*\barguments?\b(?:: '?(\w+)| '(\w+)')?"
)
# Of first-generation kernels, which neuronxcc.nki runs.
OLDER = {
    "arange": "index with slices and nl.ds",
    "mgrid": "index with slices and nl.ds",
    "par_dim": "the first dimension of a tile is the partitions",
    "static_cast": "nl.copy(x, dtype=...) casts",
    "loop_reduce": "add to a tile in the loop",
    "hbm": "nl.shared_hbm, or nl.private_hbm",
}


def missing(module: str, known: Callable[[], Iterable[str]]) -> Callable[[str], NoReturn]:
    """The __getattr__ of a module, which says what name comes near."""

    def get(name: str) -> NoReturn:
        text = f"module {module!r} has no attribute {name!r}"
        if not name.startswith("_"):
            near = difflib.get_close_matches(name, [one for one in known() if one[0] != "_"], 1)
            other = "nki.language" if module == "nki.isa" else "nki.isa"
            if name in OLDER and module == "nki.language":
                text += f", which is of first-generation kernels (neuronxcc.nki): {OLDER[name]}"
            elif name in vars(importlib.import_module(other)):
                text += f"; there is {other}.{name}"
            elif near:
                text += f"; did you mean {near[0]}?"
        raise AttributeError(text, name=name)

    return get


def explain_call(error: TypeError) -> None:
    """Adds to an error of calling a function of ours with wrong arguments what it takes."""
    match = CALL.match(str(error))
    if match is None or getattr(error, "__notes__", None):
        return
    for module in ("nki.isa", "nki.language"):
        function = vars(importlib.import_module(module)).get(match[1])
        if inspect.isfunction(function):
            break
    else:
        return
    parameters = inspect.signature(function).parameters
    given = match[2] or match[3]
    near = difflib.get_close_matches(given or "", parameters, 1) if given not in parameters else []
    meant = f"did you mean {near[0]}? " if near else ""
    shown = ", ".join(map(_shown, parameters.values()))
    error.add_note(f"{meant}it is {module}.{match[1]}({shown})")


def _shown(parameter: Any) -> str:
    optional = parameter.default is not parameter.empty
    return f"{parameter.name}=..." if optional else str(parameter.name)
