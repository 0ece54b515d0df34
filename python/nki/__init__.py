"""The kernel language NKI on Trainyard's simulated machine."""

from nki import collectives, dtype, isa, language, typing
from nki._target import use as use_machine
from nki.kernel import Kernel, jit, simulate

__all__ = [
    "Kernel",
    "collectives",
    "dtype",
    "isa",
    "jit",
    "language",
    "simulate",
    "typing",
    "use_machine",
]
