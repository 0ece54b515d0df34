"""What follows a script on the command line: its arguments, or inputs and options of a kernel."""

from __future__ import annotations

import argparse
from typing import Any

from trainyard.commands import output
from trainyard.usage import UsageError


class Arguments(argparse.Action):
    """What follows the script: all of it is the script's; inputs and options behind FILE:KERNEL."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        setattr(namespace, self.dest, list(values))
        if self.nargs != argparse.REMAINDER:
            return
        if not parts(namespace.script)[1]:
            _warn_of_options(parser, namespace.script, values)
            return
        self.nargs = "*"
        delattr(namespace, self.dest)  # which argparse expects of inputs that are to come
        try:
            parser.parse_intermixed_args([namespace.script, *values], namespace)
        finally:
            self.nargs = argparse.REMAINDER


def parts(script: str) -> tuple[str, str]:
    """The file and the kernel of FILE:KERNEL; no kernel where a script is named."""
    path, _, kernel = script.partition(":") if ".py:" in script else (script, "", "")
    return path, kernel


def grid_of(kernel: str) -> tuple[str, int]:
    """The name and the grid of KERNEL or KERNEL[2]. Raises UsageError for a grid that is none."""
    name, bracket, grid = kernel.partition("[")
    if not bracket:
        return kernel, 1
    if grid not in ("1]", "2]"):
        raise UsageError(f"{kernel}: a kernel runs on 1 or 2 cores, as {name}[2]")
    return name, int(grid[0])


def _warn_of_options(parser: argparse.ArgumentParser, script: str, values: list[str]) -> None:
    """Trainyard's options behind a script go to the script, which may take the same ones."""
    own = parser._option_string_actions  # all options, which argparse has no public list of
    for value in values:
        name = value.split("=")[0]
        if name.startswith("--") and name in own:
            text = f"{name} is passed to {script}; for Trainyard, put it before {script}"
            output.warn([text])
