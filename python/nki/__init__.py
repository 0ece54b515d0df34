"""The kernel language NKI on Trainyard's simulated machine."""

from nki import isa, language
from nki._target import use as use_machine
from nki.kernel import Kernel, jit, simulate

__all__ = ["Kernel", "isa", "jit", "language", "simulate", "use_machine"]
