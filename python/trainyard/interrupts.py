"""Ctrl-C while something is told that is worth more than the moment it takes."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator


@contextlib.contextmanager
def held() -> Iterator[None]:
    """Lets Ctrl-C wait for the end of the block; a second one does not wait.

    Nothing changes where Python's own answer to Ctrl-C is not in force, or in another thread than
    the main one, which never gets it.
    """
    default = signal.default_int_handler
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or signal.getsignal(signal.SIGINT) is not default:
        yield
        return
    came = False

    def wait(*_: object) -> None:
        nonlocal came
        came = True
        signal.signal(signal.SIGINT, default)

    signal.signal(signal.SIGINT, wait)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, default)
    if came:
        raise KeyboardInterrupt
