"""How a kernel is compiled: options of nki.jit. Source: nki.compiler, NKI 0.7.

None of them changes values. Trainyard compiles in its own way, so that the options are checked and
kept; `nki_alloc_fallback=False` shows that a kernel lacks room on chip in every kind of run, which
runs without time otherwise make up for.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass


class AddressRotation(enum.Enum):
    """Whether the tensors of a loop take turns at addresses."""

    AUTO = "auto"
    ENABLE = "enable"
    DISABLE = "disable"


@dataclass(frozen=True)
class CompileConfig:
    """Choices of AWS's compiler. None: its own default, where that is not published."""

    address_rotation: AddressRotation = AddressRotation.AUTO
    non_ssa_legalization: bool | None = None
    dead_code_elim: bool | None = None
    barrier_check: bool | None = None
    prefetch_auto: bool = False
    nki_alloc_fallback: bool = True

    def __post_init__(self) -> None:
        if not isinstance(self.address_rotation, AddressRotation):
            raise TypeError(f"address_rotation is an AddressRotation: {self.address_rotation!r}")
        for name in ("non_ssa_legalization", "dead_code_elim", "barrier_check"):
            if not isinstance(getattr(self, name), bool | None):
                raise TypeError(f"{name} is True, False or None: {getattr(self, name)!r}")
        for name in ("prefetch_auto", "nki_alloc_fallback"):
            if not isinstance(getattr(self, name), bool):
                raise TypeError(f"{name} is True or False: {getattr(self, name)!r}")


@dataclass(frozen=True)
class SpecializationConfig:
    """How kernels are traced.

    `allow_nested_config_override`: a kernel inside this one with other options warns instead of
    raising ValueError. The options of the outer kernel hold.
    """

    allow_nested_config_override: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.allow_nested_config_override, bool):
            raise TypeError("allow_nested_config_override is True or False")


__all__ = ["AddressRotation", "CompileConfig", "SpecializationConfig"]
