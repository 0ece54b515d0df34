"""What ends a run early: Ctrl-C, SIGTERM, a timeout. Commands see KeyboardInterrupt for each."""

from __future__ import annotations

import argparse
import contextlib
import signal
import threading
import time
import traceback
from collections.abc import Iterator
from typing import Any

from trainyard.tracebacks import is_ours


class TimedOut(KeyboardInterrupt):
    """The time that a command or a call was given is over."""

    def __init__(self, seconds: float, option: str) -> None:
        super().__init__(f"stopped after {seconds:g} s ({option})")


class Terminated(KeyboardInterrupt):
    """SIGTERM."""

    def __init__(self) -> None:
        super().__init__("ended by SIGTERM")


def seconds(text: str) -> float:
    """A number of seconds above 0, as argparse wants it."""
    number = float(text)
    if not 0 < number < 1e9:
        raise argparse.ArgumentTypeError(f"{text} is not a time")
    return number


@contextlib.contextmanager
def raised(timeout: float | None = None) -> Iterator[None]:
    """Lets SIGTERM, and the end of `timeout` seconds, raise in the block.

    Nothing changes in another thread than the main one, which gets no signals, and where somebody
    else answers SIGTERM.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    ours = signal.getsignal(signal.SIGTERM) == signal.SIG_DFL
    if ours:
        signal.signal(signal.SIGTERM, _terminate)
    before = None
    if timeout is not None:
        before = signal.signal(signal.SIGALRM, _TimeOut(timeout, "--timeout"))
        signal.setitimer(signal.ITIMER_REAL, timeout)
    try:
        yield
    finally:
        if timeout is not None:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
        if ours:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)


@contextlib.contextmanager
def within(limit: float | None) -> Iterator[None]:
    """Raises TimeoutError, with the place of the run, if the block takes over `limit` seconds.

    None is no limit. A limit needs the main thread, which gets the signal: RuntimeError elsewhere.
    An earlier limit around the block stays in force.
    """
    if limit is None:
        yield
        return
    if isinstance(limit, bool) or not isinstance(limit, int | float) or not 0 < limit < 1e9:
        raise ValueError(f"timeout is a number of seconds above 0, not {limit!r}")
    if threading.current_thread() is not threading.main_thread():
        raise RuntimeError("a timeout works in the main thread only")
    outer, _ = signal.getitimer(signal.ITIMER_REAL)
    if 0 < outer <= limit:
        yield
        return
    ours, begun = _TimeOut(limit, "timeout"), time.monotonic()
    before = signal.signal(signal.SIGALRM, ours)
    signal.setitimer(signal.ITIMER_REAL, limit)
    try:
        yield
    except TimedOut as error:
        raise TimeoutError(": ".join([str(error), *_where(error)])) from None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        if outer > 0:
            left = outer - (time.monotonic() - begun)
            signal.setitimer(signal.ITIMER_REAL, max(left, 1e-6))


def _where(error: TimedOut) -> list[str]:
    """Where the run was, or else the line of the kernel that was being traced."""
    frames = traceback.extract_tb(error.__traceback__)
    lines = [
        f"the kernel was at {frame.filename}:{frame.lineno}"
        for frame in frames
        if not is_ours(frame.filename)
    ]
    return [*getattr(error, "__notes__", []), *lines[-1:]][:1]


def _terminate(*_: object) -> None:
    raise Terminated


class _TimeOut:
    """Answers SIGALRM."""

    def __init__(self, seconds: float, option: str) -> None:
        self._seconds, self._option = seconds, option

    def __call__(self, *_: object) -> None:
        raise TimedOut(self._seconds, self._option)


def _raises(handler: Any) -> bool:
    """Whether a signal's handler is Python's own, or one of this module."""
    return handler in (signal.default_int_handler, _terminate) or isinstance(handler, _TimeOut)


@contextlib.contextmanager
def held() -> Iterator[None]:
    """Lets what would end the command wait for the end of the block; a second one does not wait.

    For what is told that is worth more than the moment it takes. Nothing changes where others
    answer a signal, or in another thread than the main one, which never gets it.
    """
    is_main = threading.current_thread() is threading.main_thread()
    signals = (signal.SIGINT, signal.SIGTERM, signal.SIGALRM)
    handlers = {one: signal.getsignal(one) for one in signals}
    handlers = {one: handler for one, handler in handlers.items() if is_main and _raises(handler)}
    came: list[tuple[int, Any]] = []

    def wait(number: int, frame: Any) -> None:
        came.append((number, frame))
        signal.signal(number, handlers[signal.Signals(number)])

    for one in handlers:
        signal.signal(one, wait)
    try:
        yield
    finally:
        for one, handler in handlers.items():
            signal.signal(one, handler)
    for number, frame in came[:1]:
        handler = handlers[signal.Signals(number)]
        assert callable(handler)  # it raises
        handler(number, frame)
