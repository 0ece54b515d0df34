"""The kernel language NKI on Trainyard's simulated machine."""

from nki import dtype, isa, language, typing
from nki._target import use as use_machine
from nki.kernel import Kernel, jit, simulate

__all__ = [
    "Kernel",
    "dtype",
    "isa",
    "jit",
    "language",
    "simulate",
    "typing",
    "use_machine",
]
