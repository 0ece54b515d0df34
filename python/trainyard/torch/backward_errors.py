"""Errors in a backward pass. PyTorch asks for the device's type while an exception of Python is on
its way out, once for each stream it had entered, and ends the process where the answer is an error;
and any function of Python that returns with an exception set is one. So the answer keeps the
exception here, and what had asked for the backward pass raises it.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import torch
import torch.autograd.graph

_TYPE = torch._C._autograd.DeviceType.PrivateUse1
_NOTHING: tuple[()] = ()
_kept: list[BaseException] = []


class Guard(torch._C._acc.DeviceGuard):
    """What PyTorch asks for the device's type, four times for each gradient."""

    def type_(self) -> Any:
        try:
            object(*_NOTHING)  # checked as a function is: SystemError where an exception is set
        except SystemError as error:
            if error.__cause__ is not None:
                _kept.append(error.__cause__)
        return _TYPE


def _raising(run: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(run)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        try:
            return run(*args, **kwargs)
        except SystemError:  # of the engine, which finds no exception to raise
            if not _kept:
                raise
            error = _kept[-1]
        finally:
            _kept.clear()
        raise error

    return wrapped


def register() -> None:
    wrapped = _raising(torch.autograd.graph._engine_run_backward)
    torch.autograd.graph._engine_run_backward = wrapped
    torch.autograd._engine_run_backward = wrapped
