"""Stochastic rounding as the runtime's environment asks for it.

NEURON_RT_STOCHASTIC_ROUNDING_EN=1 makes engines round what they write, casts and bf16 results in
PSUM, up or down at random; NEURON_RT_STOCHASTIC_ROUNDING_SEED seeds the random bits. Where they are
not set, the machine's policy holds. Source: rounding modes, Neuron documentation.
"""

from __future__ import annotations

import functools
import os
from typing import Any

from trainyard import _core


@functools.cache
def _with(machine: Any, enable: str | None, seed: str | None) -> Any:
    return machine.with_overrides(_core.rounding_overrides(enable, seed))


def machine_of(machine: Any) -> Any:
    """The machine with the rounding that the environment names.

    Raises InputError "machine.rounding" for an environment that names none.
    """
    enable = os.environ.get(_core.ROUNDING_VARIABLE) or None
    seed = os.environ.get(_core.ROUNDING_SEED_VARIABLE) or None
    return _with(machine, enable, seed) if enable or seed else machine
