"""Trainyard: a Trainium3 you can run. Exact in its numbers, honest in its time."""

from trainyard._core import (
    Fault,
    InputError,
    Machine,
    Violation,
    __version__,
    load_machine,
    machines,
)
from trainyard._nki import install_nki


class UsageError(Exception):
    """The command line asks for something that does not exist."""


__all__ = [
    "Fault",
    "InputError",
    "Machine",
    "UsageError",
    "Violation",
    "__version__",
    "install_nki",
    "load_machine",
    "machines",
]
