"""Runs the command as a user does, in a process of its own."""

import json
import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

KERNELS = Path(__file__).with_name("kernels.py")
X = "x=bfloat16[128,64]"


@dataclass
class Finished:
    """A run of the command that has ended."""

    code: int
    out: str
    err: str

    @property
    def data(self):
        """stdout as JSON."""
        return json.loads(self.out)


def default_interrupt() -> None:
    """Ctrl-C as a terminal gives it, also where the tests run in the background."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def start(*arguments, before=default_interrupt, **options) -> subprocess.Popen:
    """The command as a process that runs; `before` is called in it first."""
    # -B: with a full disk, Python would keep half a file of byte code for all later runs. What is
    # not buffered fails elsewhere than for most users.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    return subprocess.Popen(
        [sys.executable, "-B", "-m", "trainyard", *map(str, arguments)],
        **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "env": environment} | options,
        text=True,
        errors="surrogateescape",
        preexec_fn=before,
    )


def run(*arguments, **options) -> Finished:
    """The command from start to end."""
    process = start(*arguments, **options)
    out, err = process.communicate(timeout=120)
    return Finished(process.returncode, out, err)
