"""Which packages `nki`, `neuronxcc` and `torch_neuronx` are: AWS's originals or Trainyard's."""

import sys

import _trainyard_nki


def install_nki() -> None:
    """Makes `import nki`, `neuronxcc` and `torch_neuronx` give Trainyard's packages.

    Holds for this process, even where AWS's originals are installed. Without this call (and without
    TRAINYARD_NKI=1) an installed original wins. Warns when an original is hidden. Raises
    ImportError when one has been imported already: the two cannot be mixed in one process.
    """
    for name in _trainyard_nki.NAMES:
        loaded = sys.modules.get(name)
        if loaded is not None and not _trainyard_nki.is_ours(getattr(loaded, "__file__", None)):
            raise ImportError(
                f"another {name} is already imported, from {getattr(loaded, '__file__', None)}; "
                f"call trainyard.install_nki() before the first `import {name}`, or set "
                "TRAINYARD_NKI=1"
            )
    _trainyard_nki.install(first=True)
