"""A process of one's own, for memory, which a process gives back too late, and how much it took."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any


def in_own_process(path: str, *arguments: str) -> dict[str, Any]:
    """The JSON object that a script prints."""
    command = [sys.executable, path, *arguments]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)


def peak_bytes() -> int:
    """The most that this process has held; ru_maxrss has that of its parent, too."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    line = next(line for line in status.splitlines() if line.startswith("VmHWM:"))
    return int(line.split()[1]) * 1024
