"""Makes Trainyard's `nki`, `neuronxcc` and `torch_neuronx` importable, hiding no original unasked.

The names belong to AWS. Trainyard's packages of these names are therefore not installed at the
top of site-packages but inside `trainyard/compat`, and found by the finder below. At the start of
the interpreter (`trainyard-nki.pth`) the finder takes the last place, so that an installed original
wins. The same file puts the folder at the end of sys.path, where type checkers and editors look.
`TRAINYARD_NKI=1` or `trainyard.install_nki()` puts the finder first, and so does the command
`trainyard` when it runs a script; `TRAINYARD_NKI=0` leaves it out. This module imports nothing
heavy: it runs whenever Python starts. (For pytest, which would warn that it is imported already:
PYTEST_DONT_REWRITE.)
"""

import os
import sys
from importlib.machinery import ModuleSpec, PathFinder

NAMES = ("nki", "neuronxcc", "torch_neuronx")
_here = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100,PTH120  pathlib is slow to import
_installed = os.path.join(_here, "trainyard", "compat")  # noqa: PTH118
# Installed, the packages lie in trainyard/compat; run from the sources, beside this file.
DIRECTORY = _installed if os.path.isdir(_installed) else _here  # noqa: PTH112


class NkiFinder:
    """Finds Trainyard's packages of these NAMES, and nothing else."""

    def __init__(self, warn: bool) -> None:
        self.warn = warn

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        if name not in NAMES:
            return None
        if self.warn and (hidden := original(name)):
            import warnings

            warnings.warn(
                f"{name} is Trainyard's: the one installed in {hidden} is hidden, as "
                "TRAINYARD_NKI=1, trainyard.install_nki() or the command trainyard ask for",
                stacklevel=2,
            )
        return PathFinder.find_spec(name, [DIRECTORY])


def is_ours(origin: str | None) -> bool:
    """Whether the module file `origin` belongs to one of Trainyard's packages."""
    ours = [os.path.realpath(os.path.join(DIRECTORY, name)) for name in NAMES]  # noqa: PTH118
    return origin is not None and os.path.realpath(origin).startswith(
        tuple(os.path.join(directory, "") for directory in ours)  # noqa: PTH118
    )


def original(name: str) -> str | None:
    """The file of a package that is not Trainyard's and would be imported without us, or None."""
    spec = PathFinder.find_spec(name)
    if spec is None:
        return None
    # A package without an __init__.py has no file.
    origin = spec.origin or next(iter(spec.submodule_search_locations or ()), None)
    return origin if origin is not None and not is_ours(os.path.join(origin, "")) else None  # noqa: PTH118


def install(first: bool) -> None:
    """Puts the finder at the first or the last place; calling it again moves it."""
    sys.meta_path[:] = [finder for finder in sys.meta_path if not isinstance(finder, NkiFinder)]
    if first:
        sys.meta_path.insert(0, NkiFinder(warn=True))
    else:
        sys.meta_path.append(NkiFinder(warn=False))


def start() -> None:
    """What the interpreter does when it starts, as TRAINYARD_NKI says."""
    wish = os.environ.get("TRAINYARD_NKI", "")
    if wish not in ("", "0", "1"):
        raise ValueError(
            f"TRAINYARD_NKI is {wish!r}; use 1 (Trainyard's nki hides an installed original), "
            "0 (no nki from Trainyard), or leave it unset (an installed original wins)"
        )
    if wish != "0":
        install(first=wish == "1")
    elif _installed in sys.path:
        sys.path.remove(_installed)
