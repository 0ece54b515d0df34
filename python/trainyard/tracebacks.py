"""Tracebacks that show the user's lines only, as an error of their own would have."""

from __future__ import annotations

import os
import types
from pathlib import Path

import _trainyard_nki

from trainyard import _core

FULL_HINT = " (TRAINYARD_TRACEBACK=full shows the lines of Trainyard too)"


def is_ours(file: str) -> bool:
    """Whether a frame is Trainyard's own, or the interpreter's way of starting a script."""
    if file.startswith(("<frozen ", "<nki.")) or _trainyard_nki.is_ours(file):
        return True
    return Path(file).resolve().is_relative_to(Path(__file__).resolve().parent)


def hide_starter(frame: types.FrameType | None) -> None:
    """Nobody is shown the script that an installer writes for the command `trainyard`."""
    if frame is not None and frame.f_code.co_name == "<module>":
        _starters.add(frame.f_code)


def is_starter(code: types.CodeType) -> bool:
    """Whether the command, and no author, began with this code."""
    return code in _starters or code.co_filename.startswith("<frozen ")


_starters: set[types.CodeType] = set()


def wants_all() -> bool:
    """Whether the environment asks for our lines, too."""
    return os.environ.get("TRAINYARD_TRACEBACK") == "full"


class UsersLines:
    """`with UsersLines():` takes our own frames from the traceback of an error about the input."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, _: object, error: BaseException | None, traceback: object) -> None:
        if isinstance(error, (_core.InputError, _core.Fault)):
            error.__traceback__ = of_the_user(error.__traceback__)


def of_the_user(traceback: types.TracebackType | None) -> types.TracebackType | None:
    """A traceback without Trainyard's own frames, unless the environment asks for all of them."""
    if traceback is None or wants_all():
        return traceback
    rest = of_the_user(traceback.tb_next)
    if is_ours(traceback.tb_frame.f_code.co_filename):
        return rest
    return types.TracebackType(rest, traceback.tb_frame, traceback.tb_lasti, traceback.tb_lineno)
