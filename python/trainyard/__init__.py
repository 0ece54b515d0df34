"""Trainyard: a Trainium3 you can run. Exact in its numbers, honest in its time."""

from trainyard._core import Fault, InputError, Violation, __version__
from trainyard._nki import install_nki

__all__ = ["Fault", "InputError", "Violation", "__version__", "install_nki"]
