"""The release of NKI whose meaning a kernel gets where releases disagree.

A level is "0.3" to "0.7". It comes from `nki.jit(compatibility=...)`, else from the settings
(`trainyard run --nki`), else from TRAINYARD_NKI_LEVEL, else it is the newest. What it decides is
in CHANGES; it decides what a kernel means, not which names exist. What a release removed still runs
with a warning, unless somebody asked for the release: then it is refused. Source: release notes of
NKI.
"""

from __future__ import annotations

import functools
import os
from typing import Any

from trainyard import settings

from nki import _context

LEVELS = ("0.3", "0.4", "0.5", "0.6", "0.7")

# What changed in a release: (first release with the new meaning, what it was before). The ones
# that are arithmetic are choices of the machine file. What became of an instruction's argument
# stands in nki._earlier, in the function that its definition names.
CHANGES = {
    "policy.mx_scale_rule": ("0.5", "ocp"),
    "policy.integer_rounding": ("0.6", "toward_zero"),
    "policy.search_rule": ("0.6", "nki_0_5"),
    "nl.rsqrt": ("0.5", "the Scalar engine's function"),
    "nl.copy": ("0.6", "through the Scalar engine and fp32"),
    "deprecated loops": ("0.6", "no warning"),
    "NKI_PRECISE_FP": ("0.4", "0 unless it is set"),
    "nl.fori_loop": ("0.7", "the loop variable is a VirtualRegister"),
    "removed loops": ("0.7", "nl.dynamic_range and while register: only warn"),
    "NEURON_LOGICAL_NC_CONFIG": ("0.7", "compared with the grid, which brackets set"),
    "displacements between nodes": ("0.7", "no has_rdispls between nodes"),
}


def checked(level: str) -> str:
    """The level, if it is one. Raises ValueError with the list otherwise."""
    if level not in LEVELS:
        raise ValueError(f"{level!r} is no NKI level; use one of {', '.join(LEVELS)}")
    return level


def chosen(of_kernel: str | None = None) -> str:
    """The level in force for a kernel that asks for `of_kernel`, or for nothing."""
    asked = _asked(of_kernel)
    return checked(asked) if asked else LEVELS[-1]


def is_strict(of_kernel: str | None = None) -> bool:
    """Whether somebody asked for the level, so that what it removed is refused."""
    return _asked(of_kernel) is not None


def _asked(of_kernel: str | None) -> str | None:
    return of_kernel or settings.current().nki or os.environ.get("TRAINYARD_NKI_LEVEL") or None


def is_since(release: str, level: str | None = None) -> bool:
    """Whether the level, by default of the kernel being traced, is the release or a later one."""
    if level is None:
        context = _context.current()
        level = context.level if context else chosen()
    return LEVELS.index(level) >= LEVELS.index(release)


def has(change: str, level: str | None = None) -> bool:
    """Whether the level is at or behind the change."""
    return is_since(CHANGES[change][0], level)


@functools.cache
def machine_at(machine: Any, level: str) -> Any:
    """The machine with the arithmetic of a level."""
    older = [
        f"{key}={CHANGES[key][1]}"
        for key in CHANGES
        if key.startswith("policy.") and not has(key, level)
    ]
    return machine.with_overrides(older) if older else machine
