"""Kernels of a checkout without tests of its own that could run: our inputs and references.

The drivers are those of tests/nki/public_kernels.py. A kernel that has none is skipped, and said.
"""

from __future__ import annotations

import ast
import importlib
import os
import runpy
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from suite import outcome

DRIVERS = Path(__file__).resolve().parents[2] / "tests" / "nki"
_LACKS_MX = "the core has the MX formats"
_SOURCES = {"aws-docs": "sdk", "nki-samples": "samples"}


@dataclass(frozen=True)
class KernelCase:
    """One case: its id and what runs it, which returns a record."""

    name: str
    run: Callable[[], dict[str, Any]]


def run(checkout: str, orders: dict[str, Any], serve: Callable) -> int:
    """Runs the cases of a checkout."""
    root = Path(checkout)
    below = root / "nki" if (root / "nki" / "examples").is_dir() else root
    sys.path.append(str(DRIVERS))
    driven, files = _driven(below, _SOURCES[orders["layout"]], orders)
    cases = [*driven, *_without_driver(root, [Path(one) for one in orders["kernels"]], files)]
    serve_cases(cases, checkout, serve)
    return 0


def serve_cases(cases: list[KernelCase], checkout: str, serve: Callable) -> None:
    """Runs cases; what one raises is its outcome."""
    serve([case.name for case in cases], lambda i: _guarded(cases[i], checkout))


def _guarded(case: KernelCase, checkout: str) -> dict[str, Any]:
    try:
        return case.run()
    except (Exception, SystemExit) as error:
        if _LACKS_MX in str(error):
            return {"status": "skip", "reason": "the machine has no MX formats"}
        return outcome.of_exception(error, checkout).as_record()


def _driven(
    root: Path, source: str, orders: dict[str, Any]
) -> tuple[list[KernelCase], set[tuple[Path, str]]]:
    """The cases we have drivers for, and the kernels they cover; "" is a whole file."""
    public = importlib.import_module("public_kernels")

    def kernel(case: Any) -> Callable[[], dict[str, Any]]:
        def go() -> dict[str, Any]:
            os.environ["NEURON_PLATFORM_TARGET_OVERRIDE"] = orders["machine"]
            error = public.run(case, root)
            if error <= case.tolerance:
                return {"status": "pass"}
            reason = f"largest error {error:.2e}, allowed {case.tolerance:.0e} of the largest value"
            return {"status": "numerics", "reason": reason, "cause": outcome.cause_of(reason)}

        return go

    def script(file: Path) -> Callable[[], dict[str, Any]]:
        def go() -> dict[str, Any]:
            sys.path.insert(0, str(file.parent))
            runpy.run_path(str(file), run_name="__main__")
            return {"status": "pass"}

        return go

    mine = [case for case in public.CASES if case.source == source]
    mine += _same_elsewhere(root, source, public.CASES, mine)
    cases = [KernelCase(case.name, kernel(case)) for case in mine]
    covered = {(root / case.file, case.kernel) for case in mine}
    for owner, file in public.SCRIPTS:
        if owner == source:
            cases.append(KernelCase(f"{source}:{file}", script(root / file)))
            covered.add((root / file, ""))
    return cases, covered


def _same_elsewhere(root: Path, source: str, known: list[Any], mine: list[Any]) -> list[Any]:
    """Drivers of another checkout's kernels that this one has too, in a file of the same name."""
    have = {(case.file, case.kernel) for case in mine}
    found = []
    for case in known:
        for path in sorted(root.rglob(Path(case.file).name)) if case.source != source else ():
            text, file = path.read_text(encoding="utf-8"), str(path.relative_to(root))
            here = f"def {case.kernel}(" in text and "neuronxcc" not in text
            if here and (file, case.kernel) not in have:
                found.append(replace(case, source=source, file=file))
    return found


def _without_driver(
    root: Path, folders: list[Path], covered: set[tuple[Path, str]]
) -> Iterator[KernelCase]:
    for file in sorted(path for folder in folders for path in folder.rglob("*.py")):
        text = file.read_text(encoding="utf-8")
        if "nki" not in text or (file, "") in covered:
            continue
        place = file.relative_to(root)
        try:
            names = sorted(set(_kernels(ast.parse(text))))
        except SyntaxError as error:
            reason = f"a syntax error of the file itself: {error.msg}, line {error.lineno}"
            yield KernelCase(str(place), _constant("skip", reason))
            continue
        for name in names:
            if (file, name) in covered:
                continue
            yield KernelCase(f"{place}:{name}", _constant("skip", "no reference of ours for it"))


def _kernels(tree: ast.Module) -> Iterator[str]:
    """Functions decorated with a jit of nki."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            decorators = " ".join(ast.unparse(one) for one in node.decorator_list)
            if ("nki" in decorators and "jit" in decorators) or node.name.startswith("test_"):
                yield node.name


def _constant(status: str, reason: str) -> Callable[[], dict[str, Any]]:
    return lambda: {"status": status, "reason": reason, "cause": reason}
