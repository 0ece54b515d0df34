"""Several processes on this host: do they compute what one does, and is one that fails named?"""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = [sys.executable, str(ROOT / "examples/many_processes.py")]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def start(command: list[str], **environment: str) -> subprocess.Popen[str]:
    kept = {name: value for name, value in os.environ.items() if name != "JAX_PLATFORMS"}
    return subprocess.Popen(
        command,
        env=kept | {"TRAINYARD_CHIPS": "2", "OPENBLAS_NUM_THREADS": "1"} | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def whole(command: list[str], count: int = 2, **environment: str) -> list[subprocess.Popen[str]]:
    """Processes that a launcher starts: all run the whole script."""
    meeting = f"127.0.0.1:{free_port()}"
    return [
        start(
            command,
            **{
                "TRAINYARD_PROCESS_COUNT": str(count),
                "TRAINYARD_PROCESS_ID": str(rank),
                "TRAINYARD_COORDINATOR": meeting,
                **environment,
            },
        )
        for rank in range(count)
    ]


def ended(processes: list[subprocess.Popen[str]], seconds: float = 120) -> list[tuple[str, str]]:
    """Standard output and error of each."""
    try:
        return [process.communicate(timeout=seconds) for process in processes]
    finally:
        for process in processes:
            process.kill()


def losses(output: str) -> list[str]:
    return re.findall(r"step \d+: loss \S+ \([-+.0-9a-fxp]+\)", output)


@pytest.fixture(scope="module")
def alone() -> list[str]:
    (done,) = ended([start([*EXAMPLE, "--steps", "4"])])
    assert len(losses(done[0])) == 4, done[1]
    return losses(done[0])


def test_a_launchers_processes_have_the_bits_of_one(alone):
    for output, error in ended(whole([*EXAMPLE, "--steps", "4"])):
        assert losses(output) == alone, error
        assert "computes its share of 8 devices" in error


def test_processes_of_jax_distributed_have_the_bits_of_one(alone):
    address = f"127.0.0.1:{free_port()}"
    command = [*EXAMPLE, "--steps", "4", "--coordinator", address, "--processes", "2"]
    done = ended([start([*command, "--process", str(rank)]) for rank in range(2)])
    assert losses(done[0][0]) == alone, done[0][1]
    assert losses(done[1][0]) == []  # process 0 prints
    assert "process 1 of 2 computes 4 of 8 devices" in done[1][1]


@pytest.mark.skipif(shutil.which("mpirun") is None, reason="Open MPI is not installed")
def test_mpirun_divides_an_unchanged_script(alone):
    command = ["mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-n", "2"]
    # No other host is started, so that no remote shell is needed.
    done = start([*command, *EXAMPLE, "--steps", "4"], OMPI_MCA_plm_rsh_agent="sh")
    ((output, error),) = ended([done])
    assert sorted(losses(output)) == sorted(alone * 2), error


def test_a_killed_process_is_named_and_the_job_goes_on_from_its_checkpoint(alone, tmp_path):
    command = [*EXAMPLE, "--checkpoint", str(tmp_path / "weights.npz"), "--steps"]
    first, second = whole([*command, "1000"])
    deadline = time.monotonic() + 60
    while not (tmp_path / "weights.npz").exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    second.send_signal(signal.SIGKILL)
    (_, error) = first.communicate(timeout=30)
    second.communicate()
    assert first.returncode not in (0, None)
    assert "processes.gone: process 1 of 2 is gone" in error
    assert f"process {second.pid})" in error
    assert "fix: look at its own messages; start the job again from its last checkpoint" in error
    done = int(np.load(tmp_path / "weights.npz")["done"])
    goes_on = ended(whole([*command, str(done + 1)]))
    from_start = ended([start([*EXAMPLE, "--steps", str(done + 1)])])
    assert losses(goes_on[0][0]) == losses(from_start[0][0])[-1:]


DIFFERENT = """
import os
import jax, numpy as np
from jax.sharding import NamedSharding, PartitionSpec as P
rank = int(os.environ["TRAINYARD_PROCESS_ID"])
mesh = jax.make_mesh((8,), ("d",))
x = jax.device_put(np.full(8, 1.0 + {same} * rank, "f"), NamedSharding(mesh, P("d")))
f = jax.jit(lambda x: x - x.mean())
g = jax.jit(lambda x: x * x.max())
print(f(x).sum() if {same} or rank == 0 else g(x).sum())
"""


@pytest.mark.parametrize(
    ("same", "said"),
    [(1, "give different ones"), (0, "is at jit__lambda")],
    ids=["arguments", "programs"],
)
def test_processes_that_do_different_things_are_told(same, said):
    command = [sys.executable, "-c", DIFFERENT.replace("{same}", str(same))]
    for _, error in ended(whole(command)):
        assert "processes.order" in error
        assert said in error


WAITS = """
import os, time
import jax, numpy as np
from jax.sharding import NamedSharding, PartitionSpec as P
mesh = jax.make_mesh((8,), ("d",))
x = jax.device_put(np.ones(8, "f"), NamedSharding(mesh, P("d")))
f = jax.jit(lambda x: x - x.mean())
f(x).block_until_ready()
print("ready", flush=True)
if os.environ["TRAINYARD_PROCESS_ID"] == "1":
    time.sleep(100)
f(x)
"""


def test_a_process_that_waits_hears_an_interrupt():
    first, second = whole([sys.executable, "-c", WAITS])
    try:
        assert first.stdout is not None
        assert first.stdout.readline() == "ready\n"
        time.sleep(0.5)
        first.send_signal(signal.SIGINT)
        _, error = first.communicate(timeout=20)
        assert first.returncode == 1
        assert "ABORTED: processes.interrupted: SIGINT while waiting" in error
    finally:
        second.kill()
        second.communicate()


def test_wrong_counts_are_refused():
    program = "import jax; jax.devices()"
    processes = whole([sys.executable, "-c", program], TRAINYARD_PROCESS_ID="7")
    for _, error in ended(processes):
        assert "TRAINYARD_PROCESS_ID" in error
