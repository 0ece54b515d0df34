"""The kernels by which the host's matrix products are fastest: those of Debian's OpenBLAS, beside
which C++ benchmarks stand, and those of NumPy's, beside which Python ones do.

Left to itself, Debian's OpenBLAS runs its oldest kernels on processors that it does not know. A
library reads OPENBLAS_CORETYPE when it is loaded, so each set of kernels is tried in a process of
its own. Run as a script, times NumPy's product. Nothing here imports NumPy otherwise.
"""

from __future__ import annotations

import ctypes
import os
import re
import subprocess
import sys
import time
from pathlib import Path

CORETYPE = "OPENBLAS_CORETYPE"
THREADS = "OPENBLAS_NUM_THREADS"
# The first is OpenBLAS's own choice; in place of a name of another processor it makes one, too.
KERNELS = ("", "SKYLAKEX", "COOPERLAKE", "SAPPHIRERAPIDS", "ZEN", "HASWELL", "NEOVERSEN1", "ARMV8")
ASK_DEBIAN = """
import ctypes
core = ctypes.CDLL("libopenblas.so.0").openblas_get_corename
core.restype = ctypes.c_char_p
print(core().decode())
"""
SIZE = 1024


def with_kernels(name: str) -> dict[str, str]:
    """The environment in which OpenBLAS is asked for these kernels."""
    return os.environ | ({CORETYPE: name} if name else {})


def kernels_of(name: str) -> str:
    """The kernels that Debian's OpenBLAS runs where it is asked for these; by its own name."""
    return _printed([sys.executable, "-c", ASK_DEBIAN], name)


def numpy_rates(given: str | None) -> dict[str, float]:
    """G multiply-adds/s of NumPy's product by the name of the kernels, fastest first."""
    rates: dict[str, float] = {}
    for name in (*KERNELS, given or ""):
        try:
            kernels, rate = _printed([sys.executable, __file__], name).split()
        except subprocess.CalledProcessError:  # an instruction that this processor does not have
            continue
        rates[kernels] = max(rates.get(kernels, 0.0), float(rate))
    return dict(sorted(rates.items(), key=lambda item: -item[1]))


def _printed(command: list[str], kernels: str) -> str:
    environment = with_kernels(kernels)
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    return done.stdout.strip()


def _kernels_of_numpy() -> str:
    """The name that the OpenBLAS in this process gives; wheels of NumPy rename its functions."""
    maps = Path("/proc/self/maps").read_text()
    for path in sorted(set(re.findall(r"/\S*openblas\S*", maps))):
        library = ctypes.CDLL(path)
        for name in ("scipy_openblas_get_corename64_", "openblas_get_corename"):
            if hasattr(library, name):
                corename = getattr(library, name)
                corename.restype = ctypes.c_char_p
                return corename().decode()
    return "unknown"


def _numpy_rate() -> float:
    import numpy as np

    square = np.ones((SIZE, SIZE), np.float32)
    result = np.empty_like(square)
    fastest = float("inf")
    for _ in range(5):
        begin = time.process_time()
        np.matmul(square, square, out=result)
        fastest = min(fastest, time.process_time() - begin)
    return SIZE**3 / fastest / 1e9


if __name__ == "__main__":
    rate = _numpy_rate()
    print(_kernels_of_numpy(), rate)
