"""Scripts of a checkout as cases: run as from a shell, in their own folder, with arguments."""

from __future__ import annotations

import contextlib
import io
import runpy
import sys
from pathlib import Path
from typing import Any

from suite.kernel_cases import KernelCase

# Lines by which scripts say that they failed, where they do not raise.
_FAILED = ("FAIL", "Test failed", "Correctness passed? False")


def cases(root: Path, commands: tuple[tuple[str, ...], ...]) -> list[KernelCase]:
    """A case for every command: a file below `root`, then its arguments."""
    return [_case(root / command[0], command) for command in commands]


def _case(file: Path, command: tuple[str, ...]) -> KernelCase:
    def go() -> dict[str, Any]:
        sys.path.insert(0, str(file.parent))
        sys.argv = [str(file), *command[1:]]
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            runpy.run_path(str(file), run_name="__main__")
        lines = said.getvalue().splitlines()
        print(*lines, sep="\n")
        bad = next((line for line in lines if line.strip().startswith(_FAILED)), None)
        if bad is None:
            return {"status": "pass"}
        return {"status": "numerics", "reason": bad, "cause": "the script says that it failed"}

    return KernelCase(" ".join(command), go)
