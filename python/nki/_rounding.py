"""Stochastic rounding as the runtime's environment asks for it.

NEURON_RT_STOCHASTIC_ROUNDING_EN=1 makes engines round what they write, casts and bf16 results in
PSUM, up or down at random; NEURON_RT_STOCHASTIC_ROUNDING_SEED seeds the random bits. Where they are
not set, the machine's policy holds. Source: rounding modes, Neuron documentation.
"""

from __future__ import annotations

import functools
import os
from typing import Any

_ENABLE = "NEURON_RT_STOCHASTIC_ROUNDING_EN"
_SEED = "NEURON_RT_STOCHASTIC_ROUNDING_SEED"
_MODES = {"0": "nearest_even", "1": "stochastic"}


@functools.cache
def _with(machine: Any, overrides: tuple[str, ...]) -> Any:
    return machine.with_overrides(list(overrides))


def machine_of(machine: Any) -> Any:
    """The machine with the rounding that the environment names.

    Raises ValueError for an environment that names none.
    """
    overrides: list[str] = []
    if enable := os.environ.get(_ENABLE):
        if enable not in _MODES:
            raise ValueError(f"{_ENABLE} is {enable!r}; use 0 or 1")
        keys = ("cast_rounding", "psum_rounding")
        overrides += [f"policy.{key}={_MODES[enable]}" for key in keys]
    if seed := os.environ.get(_SEED):
        if not seed.isdecimal() or int(seed) >= 2**32:
            raise ValueError(f"{_SEED} is {seed!r}; use a number from 0 to 2^32 - 1")
        overrides.append(f"policy.stochastic_rounding_seed={seed}")
    return _with(machine, tuple(overrides)) if overrides else machine
