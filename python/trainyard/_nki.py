"""Which package the name `nki` means: AWS's original or Trainyard's."""

import sys

import _trainyard_nki


def install_nki() -> None:
    """Makes `import nki` give Trainyard's package even where AWS's original is installed.

    Holds for this process. Without this call (and without TRAINYARD_NKI=1) an installed original
    wins. Warns when an original is hidden. Raises ImportError when another `nki` has been imported
    already: the two cannot be mixed in one process.
    """
    loaded = sys.modules.get("nki")
    if loaded is not None and not _trainyard_nki.is_ours(getattr(loaded, "__file__", None)):
        raise ImportError(
            f"another nki is already imported, from {getattr(loaded, '__file__', None)}; call "
            "trainyard.install_nki() before the first `import nki`, or set TRAINYARD_NKI=1"
        )
    _trainyard_nki.install(first=True)
