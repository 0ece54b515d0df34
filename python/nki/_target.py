"""Which machine kernels are traced for and run on."""

from __future__ import annotations

import functools
import os
from typing import Any

from trainyard import _core

_PLATFORMS = {
    "trn1": "trn1",
    "inf2": "trn1",
    "gen2": "trn1",
    "trn2": "trn2",
    "gen3": "trn2",
    "trn3": "trn3",
    "gen4": "trn3",
}


@functools.cache
def _load(name: str, settings: tuple[str, ...]) -> Any:
    known = name in _core.systems() and name not in _core.machines()
    machine = _core.load_system(name) if known else _core.load_machine(name)
    return machine.with_overrides(list(settings)) if settings else machine


_chosen: Any = None


def use(machine: str | Any | None, *settings: str) -> None:
    """Chooses the machine for all later kernels: a name, a file, a Machine or System, or None.

    `settings` are overrides such as "hbm.bandwidth=6TB/s".
    """
    global _chosen
    _chosen = None if machine is None else resolved(machine, *settings)


def resolved(machine: str | Any, *settings: str) -> Any:
    """The Machine, or System, that a name, a file or one of them stands for, with `settings`.

    Raises TypeError for anything else, and InputError for a name that does not exist.
    """
    if isinstance(machine, (str, os.PathLike)):
        return _load(os.fspath(machine), settings)
    if not isinstance(machine, (_core.Machine, _core.System)):
        raise TypeError(
            f"machine is a name such as 'trn2', a file or a trainyard.Machine, not {machine!r}"
        )
    return machine.with_overrides(list(settings)) if settings else machine


def chip_of(machine: Any) -> Any:
    """The Machine that a System is made of; a Machine itself."""
    return machine.chip if isinstance(machine, _core.System) else machine


def machine() -> Any:
    """The machine in use: `use()`, else what the environment names, else trn3.

    NKI_NC_VERSION (gen2, gen3, gen4), which test harnesses set for each kernel, goes before
    NEURON_PLATFORM_TARGET_OVERRIDE. Raises ValueError for a platform that does not exist.
    """
    if _chosen is not None:
        return _chosen
    for variable in ("NKI_NC_VERSION", "NEURON_PLATFORM_TARGET_OVERRIDE"):
        platform = os.environ.get(variable)
        if not platform:
            continue
        if platform not in _PLATFORMS:
            known = ", ".join(_PLATFORMS)
            raise ValueError(f"{variable} is {platform!r}; use one of {known}")
        return _load(_PLATFORMS[platform], ())
    return _load("trn3", ())


def logical_cores() -> int:
    """The cores of a logical core by NEURON_LOGICAL_NC_CONFIG, 1 where it is not set.

    Raises ValueError for another size than 1 and 2. Source: nki.jit, NKI 0.7.
    """
    configured = os.environ.get("NEURON_LOGICAL_NC_CONFIG") or "1"
    if configured not in ("1", "2"):
        raise ValueError(f"NEURON_LOGICAL_NC_CONFIG is 1 or 2, not {configured!r}")
    return int(configured)


def check_logical_cores(grid: int | None) -> None:
    """A grid has the size that NEURON_LOGICAL_NC_CONFIG, where it is set, gives logical cores.

    Raises ValueError otherwise, as the runtime does. Source: nki.jit, NKI 0.6.
    """
    configured = os.environ.get("NEURON_LOGICAL_NC_CONFIG")
    if configured and configured != str(grid or 1):
        raise ValueError(
            f"NEURON_LOGICAL_NC_CONFIG is {configured!r}, the kernel runs on {grid or 1} cores: "
            f"call it as kernel[{configured}](...), or change the variable"
        )
