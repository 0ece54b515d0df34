"""Trainyard: a Trainium3 you can run. Exact in its numbers, honest in its time."""

from collections.abc import Mapping

from trainyard._starting import held

with held():
    try:
        from trainyard import _core
    except ImportError as error:
        from trainyard._loading import why_not

        raise ImportError(why_not(str(error)), name="trainyard._core") from error

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
    from trainyard.differences import diff
    from trainyard.findings import FindingWarning
    from trainyard.peeking import peek
    from trainyard.planner import compare, cost, cost_of_run, fit
    from trainyard.streams import collective_stream
    from trainyard.sweeps import Sweep, sweep
    from trainyard.usage import UsageError


def load_machine(name_or_path: str, changes: Mapping[str, object] | None = None) -> Machine:
    """The machine called `name_or_path`: a path ending in .toml, or a known name.

    `changes` overrides figures by key, as `--set` does: {"hbm.bandwidth":
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


__all__ = [
    "Fabric",
    "Fault",
    "FindingWarning",
    "InputError",
    "Machine",
    "Sweep",
    "System",
    "UsageError",
    "Violation",
    "__version__",
    "collective_stream",
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
    "sweep",
    "systems",
]
