"""The simulated devices of this process: programs of one machine share their memory."""

from __future__ import annotations

from typing import Any
from weakref import WeakValueDictionary

from trainyard import _core

_devices: WeakValueDictionary[int, Any] = WeakValueDictionary()


def devices_of(machine: str | Any) -> Any:
    """Those of a machine, by its name or as it was loaded: the same for all programs and arrays
    that live at a time."""
    described = _core.load_machine(machine) if isinstance(machine, str) else machine
    found = _devices.get(described.hash)
    if found is None:
        found = _devices[described.hash] = _core.Devices(described)
    return found
