"""Test programs of StableHLO as programs that return what they check.

The checks (`check.expect_eq` and its kin) are no part of StableHLO: each is taken out, and what it
compares becomes two results of main.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

_TYPE = r"(?:tensor<(?:[^<>]|<[^<>]*>)*>|!stablehlo\.token)"
_CALL = re.compile(
    r"stablehlo\.custom_call @check\.(\w+)\((%[\w#]+), (%[\w#]+)\)[^\n]*?: "
    rf"\(({_TYPE}), ({_TYPE})\) -> \(\)"
)
_CONST = re.compile(
    r"check\.(expect_(?:almost_)?eq_const) (%[\w#]+), (dense<.*?>) : "
    rf"({_TYPE})(?:(?:, | {{)tolerance = ([\d.e+-]+))?[^\n]*",
    re.DOTALL,
)
_PAIR = re.compile(
    r"check\.(expect_\w+?) (%[\w#]+), (%[\w#]+)((?:, \w+ = [\w.+-]+(?: : f64)?)*) : "
    rf"({_TYPE})(?:, {_TYPE})?"
)
_FUNCTION = re.compile(r"func\.func (?:public |private )?@(\w+)\(([^)]*)\)([^{]*)\{")
_MAIN = re.compile(r"func\.func (?:public )?@main\(\)(?: -> [^\n]*)? \{\n")
_RETURN = re.compile(r"^(\s*)(?:func\.)?return\b[^\n]*$", re.MULTILINE)

DATA_TOLERANCE = 1e-3  # of expect_almost_eq in data programs, in StableHLO's own interpreter


@dataclass
class Program:
    """One program and how each pair of its results is compared: (rule, tolerance).

    `exact`: StableHLO's own interpreter gives what is expected. Elsewhere, with functions of CHLO
    (which that interpreter replaces by less exact ones) or where it does not run the program, the
    values come from another implementation.
    """

    name: str
    text: str
    checks: list[tuple[str, float]] = field(default_factory=list)
    exact: bool = True


def data_program(path: Path) -> Program:
    """A file of stablehlo/testdata: main calls @inputs and @expected and checks."""
    text = path.read_text()
    found = _CALL.findall(text)
    program = Program(path.name, "", [(rule, DATA_TOLERANCE) for rule, *_ in found])
    program.exact = "RUN-DISABLED" not in text and " chlo." not in text
    values = [value for _, actual, wanted, *_ in found for value in (actual, wanted)]
    types = [kind for *_, first, second in found for kind in (first, second)]
    text = _CALL.sub("", text)
    program.text = _with_results(text, values, types)
    return program


def interpreter_programs(path: Path) -> Iterator[Program]:
    """The functions of a file of stablehlo/tests/interpret, one program for each part of it."""
    for number, part in enumerate(path.read_text().split("// -----")):
        taken = _Taken()
        text = _PAIR.sub(taken.pair, _CONST.sub(taken.constant, part))
        if not _MAIN.search(text):
            tested = list(_FUNCTION.finditer(text))
            if not tested:
                continue
            start, end = tested[-1].span()
            head = f"func.func public @main({tested[-1][2]}){tested[-1][3]}{{"
            text = text[:start] + head + text[end:]
        text = _with_results(text, taken.values, taken.types)
        yield Program(f"{path.name}:{number}", text, taken.checks)


class _Taken:
    """The checks taken out of a text: how each compares, and which values."""

    def __init__(self) -> None:
        self.checks: list[tuple[str, float]] = []
        self.values: list[str] = []
        self.types: list[str] = []

    def constant(self, match: re.Match) -> str:
        rule, actual, content, kind, tolerance = match.groups()
        wanted = f"%wanted_{len(self.checks)}"
        self._add(rule.removesuffix("_const"), tolerance, actual, wanted, kind)
        return f"{wanted} = stablehlo.constant {content} : {kind}"

    def pair(self, match: re.Match) -> str:
        rule, actual, wanted, options, kind = match.groups()
        tolerance = re.search(r"tolerance = ([\d.e+-]+)", options)
        self._add(rule, tolerance and tolerance[1], actual, wanted, kind)
        return ""

    def _add(self, rule: str, tolerance: str | None, actual: str, wanted: str, kind: str) -> None:
        self.checks.append((rule, float(tolerance or 1e-4)))
        self.values += (actual, wanted)
        self.types += (kind, kind)


def _with_results(text: str, values: list[str], types: list[str]) -> str:
    start = re.search(r"func\.func (?:public )?@main\([^\n]*\{\n", text)
    if start is None:
        return text
    results = f" -> ({', '.join(types)})" if types else ""
    head = re.sub(r"\)(?: -> .*)? (?:attributes )?\{\n$", f"){results} {{\n", start[0])
    end = _RETURN.search(text, start.end())
    if end is None:
        return text
    last = f"{end[1]}func.return {', '.join(values)} : {', '.join(types)}" if types else end[0]
    return text[: start.start()] + head + text[start.end() : end.start()] + last + text[end.end() :]
