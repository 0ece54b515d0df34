"""Trainyard: a Trainium3 you can run. Exact in its numbers, honest in its time."""

from collections.abc import Mapping
from typing import Any

from trainyard import _core, notebook
from trainyard._core import (
    Fabric,
    Fault,
    InputError,
    Machine,
    System,
    Violation,
    __version__,
    load_system,
    machines,
    systems,
)
from trainyard._nki import install_nki
from trainyard.findings import FindingWarning

notebook.install()


def load_machine(name_or_path: str, changes: Mapping[str, object] | None = None) -> Machine:
    """The machine called `name_or_path`: a path ending in .toml, or a known name.

    `changes` are figures that shall be different, by key, as `--set` takes them: {"hbm.bandwidth":
    "6TB/s", "vector.clock": "x2"}. Raises InputError for a machine, key or value that is unknown.
    """
    machine = _core.load_machine(name_or_path)
    if not changes:
        return machine
    flags = {True: "true", False: "false"}
    settings = (
        f"{key}={flags[one] if isinstance(one, bool) else one}" for key, one in changes.items()
    )
    return machine.with_overrides(list(settings))


def peek(what: Any) -> Any:
    """The values that a tensor or a register of the kernel being traced holds at this place.

    For kernels that are debugged: `print(trainyard.peek(tile))`, or at a breakpoint(). A tensor
    gives an array of its shape, a register an int. Each call runs the program up to here, without
    time. Raises InputError "peek.loop" inside of a hardware loop and "peek.grid" behind a meeting
    of the cores of a grid.
    """
    from nki import _peek

    return _peek.values(what)


class UsageError(Exception):
    """The command line asks for something that does not exist."""


from trainyard.differences import diff  # noqa: E402  needs UsageError
from trainyard.planner import compare, cost, cost_of_run, fit  # noqa: E402  needs UsageError

__all__ = [
    "Fabric",
    "Fault",
    "FindingWarning",
    "InputError",
    "Machine",
    "System",
    "UsageError",
    "Violation",
    "__version__",
    "compare",
    "cost",
    "cost_of_run",
    "diff",
    "fit",
    "install_nki",
    "load_machine",
    "load_system",
    "machines",
    "peek",
    "systems",
]
