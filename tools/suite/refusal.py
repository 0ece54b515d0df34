"""How a command refuses its arguments: one message and an exit code."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable
from pathlib import Path


class Refused(Exception):
    """What is wrong, in one message; `code` is what the command exits with."""

    def __init__(self, message: str, code: int = 2) -> None:
        super().__init__(message)
        self.code = code


def told(program: str, run: Callable[[], int]) -> int:
    """What `run` returns, or the code of its refusal, whose message goes to stderr."""
    try:
        return run()
    except Refused as refused:
        print(f"{program}: {refused}", file=sys.stderr)
        return refused.code


def at_least_one(text: str) -> int:
    """A whole number of at least 1, for argparse."""
    if text.isdecimal() and int(text) >= 1:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is no whole number of at least 1")


def above_zero(text: str) -> float:
    """A number above 0, for argparse."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if value > 0 and math.isfinite(value):
        return value
    raise argparse.ArgumentTypeError(f"{text!r} is no number above 0")


def write(path: Path, text: str) -> None:
    """Writes a file whole."""
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise Refused(f"cannot write {path}: {error.strerror}") from error


def to_write(path: Path) -> Path:
    """`path`, made absolute, when results can be written there; its folder is made."""
    path = path.resolve()
    if path.exists() and not path.is_file():
        raise Refused(f"{path} is no file that results can be written to")
    is_new = not path.exists()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.open("a", encoding="utf-8").close()
    except OSError as error:
        raise Refused(f"cannot write {path}: {error.strerror}") from error
    if is_new:
        path.unlink()
    return path
