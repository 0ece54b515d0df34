"""Other simulators of collectives beside ours, where somebody has put them.

A peer is an executable file, by default of build/peers, that is called with an operation, a number
of chips behind one switch and the bytes of each, for instance `astra-sim all_reduce 1024
1073741824`: it simulates that collective once. Exit code 3 says that it cannot. Nobody's simulator
is part of this repository; the file is the place for its configuration.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from own_process import in_own_process

GIB = 1 << 30
CASES = (("all_reduce", 1024, GIB), ("all_reduce", 144, GIB), ("all_to_all", 144, GIB))
CANNOT = 3
SECONDS_MAX = 1800


def found(folder: Path) -> list[Path]:
    """The peers of a folder, by name."""
    if not folder.is_dir():
        return []
    return sorted(path for path in folder.iterdir() if path.is_file() and os.access(path, os.X_OK))


def rows(folder: Path) -> Iterator[dict[str, object]]:
    """Of each peer and case: collectives a second, and the memory that it took."""
    for peer in found(folder):
        for operation, chips, size in CASES:
            taken = _taken([str(peer.resolve()), operation, str(chips), str(size)])
            if taken is None:
                continue
            name = f"{peer.name}: {operation} of {size / GIB:g} GiB on {chips} chips"
            seconds, gib = taken
            yield {"name": name, "value": 1 / seconds, "unit": "collectives/s"}
            yield {"name": f"{name}, memory", "value": gib, "unit": "GiB"}


def _taken(command: list[str]) -> tuple[float, float] | None:
    """Seconds and GiB; nothing where the peer cannot do it. Raises RuntimeError.

    The kernel counts the memory of the process that starts a peer as the peer's, too: a small one
    of about 14 MiB starts it.
    """
    told = in_own_process(__file__, *command)
    if told["code"] == CANNOT:
        return None
    if told["code"] != 0:
        raise RuntimeError(f"{' '.join(command)}: exit code {told['code']}: {told['said']}")
    return told["seconds"], told["kib"] / 2**20


def _measured(command: list[str]) -> dict[str, object]:
    """Runs the command."""
    with tempfile.TemporaryFile(mode="w+") as errors:
        begin = time.perf_counter()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=errors)
        limit = threading.Timer(SECONDS_MAX, process.kill)
        limit.start()
        _, status, usage = os.wait4(process.pid, 0)
        limit.cancel()
        seconds = time.perf_counter() - begin
        code = process.returncode = os.waitstatus_to_exitcode(status)
        errors.seek(0)
        said = errors.read()[-500:]
    return {"code": code, "seconds": seconds, "kib": usage.ru_maxrss, "said": said}


if __name__ == "__main__":
    print(json.dumps(_measured(sys.argv[1:])))
