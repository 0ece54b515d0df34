"""The Trainium harnesses of autocomp, each with the solution that autocomp ships for it.

As autocomp does, the solution's text is put where a harness says so; the harness then compares it
with its own reference kernel. Its benchmark is left out: it needs AWS's profiler.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from suite.kernel_cases import KernelCase
from suite.source import module_of

PLACE = "# SUBSTITUTE HERE"
_CALL = re.compile(r"test_nki\((\w+), solution\)")


def cases(root: Path) -> list[KernelCase]:
    """A case for every harness that has a solution."""
    found = []
    for harness in sorted((root / "harnesses").glob("trn-*/*_test.py")):
        stem = harness.name.removesuffix("_test.py")
        solution = root / "sols" / harness.parent.name / f"{stem}_ref.py"
        text = harness.read_text(encoding="utf-8")
        if solution.exists() and PLACE in text and _CALL.search(text):
            found.append(_case(harness, solution, text))
    return found


def _case(harness: Path, solution: Path, text: str) -> KernelCase:
    name = f"{harness.parent.name}/{harness.name}"

    def go() -> dict[str, Any]:
        whole = text.replace(PLACE, solution.read_text(encoding="utf-8"))
        file = Path(os.environ["NKI_SUITE_SCRATCH"]) / name.replace("/", "_").replace("-", "_")
        file.write_text(whole, encoding="utf-8")
        module = module_of(file)
        called = _CALL.search(text)
        assert called is not None
        if module.test_nki(getattr(module, called[1]), module.solution):
            return {"status": "pass"}
        reason = "the harness's own test says that solution and reference differ"
        return {"status": "numerics", "reason": reason, "cause": reason}

    return KernelCase(name, go)
