"""What ends a command early: Ctrl-C, SIGTERM, a timeout. All of them raise a KeyboardInterrupt."""

from __future__ import annotations

import argparse
import contextlib
import signal
import threading
from collections.abc import Iterator
from typing import Any


class TimedOut(KeyboardInterrupt):
    """The seconds that a command was given are over."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"stopped after {seconds:g} s (--timeout)")


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
        before = signal.signal(signal.SIGALRM, _TimeOut(timeout))
        signal.setitimer(signal.ITIMER_REAL, timeout)
    try:
        yield
    finally:
        if timeout is not None:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
        if ours:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _terminate(*_: object) -> None:
    raise Terminated


class _TimeOut:
    """Answers SIGALRM."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds

    def __call__(self, *_: object) -> None:
        raise TimedOut(self._seconds)


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
