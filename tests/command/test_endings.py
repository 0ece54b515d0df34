"""Do Ctrl-C, SIGTERM and --timeout end a command at once, and say where it was?"""

import re
import select
import signal
import subprocess
import sys

import pytest
from command_line import KERNELS, start
from trainyard.commands import exit_codes, progress

ENDLESS = """
import numpy as np
import nki, nki.isa as nisa, nki.language as nl

@nki.jit
def counts(x):
    tile = nl.ndarray((128, 512), nl.int32, buffer=nl.sbuf)
    nisa.memset(tile, 1)
    go_on = nisa.register_alloc(1)
    def body(r):
        nisa.tensor_scalar(dst=tile, data=tile, op0=nl.add, operand0=1)
        nisa.register_load(r, tile[0:1, 0:1])
        return r
    nl.while_loop(go_on, body)
    return x

counts(np.zeros((1, 1), np.float32))
"""
TRACES_FOR_EVER = """
import numpy as np
import nki, nki.isa as nisa, nki.language as nl

@nki.jit
def traces(x):
    tile = nl.ndarray((128, 4), nl.float32, buffer=nl.sbuf)
    print("begun", flush=True)
    while True:
        nisa.memset(tile, 1)

traces(np.zeros((1, 1), np.float32))
"""
WHERE = (
    r"the run was at \w+ at \S*script\.py:\d+ in \S+, iteration \d+ of the loop at \S*script\.py"
)


@pytest.fixture
def script(tmp_path):
    path = tmp_path / "script.py"
    path.write_text(ENDLESS)
    return path


def first_progress_line(process) -> str:
    ready, _, _ = select.select([process.stderr], [], [], 60)
    assert ready, "no progress within a minute"
    return process.stderr.readline()


ENDINGS = [
    (signal.SIGINT, exit_codes.INTERRUPTED, "interrupted"),
    (signal.SIGTERM, exit_codes.TERMINATED, "ended by SIGTERM"),
]


@pytest.mark.parametrize(("sent", "code", "why"), ENDINGS)
def test_a_signal_says_line_and_turn(script, tmp_path, sent, code, why):
    process = start("run", "--progress", str(script), cwd=tmp_path)
    assert "instructions" in first_progress_line(process)
    process.send_signal(sent)
    assert process.wait(60) == code
    last = process.stderr.read().splitlines()[-1]
    assert re.match(rf"trainyard: {why}: {WHERE}", last), last


def test_a_timeout_ends_an_endless_loop(script, tmp_path, trainyard):
    done = trainyard("run", "--timeout", "1.5", "--json", str(script))
    assert done.code == exit_codes.TIMED_OUT
    assert re.match(rf"trainyard: stopped after 1.5 s \(--timeout\): {WHERE}", done.err), done.err
    assert done.data["error"]["kind"] == "timeout"
    assert done.data["error"]["exit_code"] == exit_codes.TIMED_OUT


@pytest.mark.parametrize("command", ["run", "time", "check", "profile"])
def test_a_timeout_names_the_line_that_traces_for_ever(tmp_path, trainyard, command):
    (tmp_path / "script.py").write_text(TRACES_FOR_EVER)
    done = trainyard(command, "--timeout", "2", "script.py")
    assert done.code == exit_codes.TIMED_OUT
    last = done.err.splitlines()[-1]
    assert re.match(r"trainyard: stopped after 2 s .*the script was at .*script\.py:\d+$", last)


def test_a_timeout_that_is_not_reached_changes_nothing(trainyard):
    arguments = ("run", f"{KERNELS}:double", "x=float32[128,64]")
    plain, timed = (
        trainyard(*arguments),
        trainyard(*arguments[:1], "--timeout", "60", *arguments[1:]),
    )
    assert (plain.code, plain.out, plain.err) == (timed.code, timed.out, timed.err)


@pytest.mark.parametrize("text", ["0", "-1", "soon", "nan", "inf"])
def test_a_timeout_is_a_positive_time(trainyard, text):
    assert trainyard("run", "--timeout", text, f"{KERNELS}:double").code == exit_codes.USAGE


def test_progress_says_the_share_where_it_is_known():
    line = progress.describe("k", 250, 1000, 2e3, 5)
    assert line == "k: 250 of 1,000 instructions (25 %), 2.0 us simulated, 5 s, about 15 s left"
    assert progress.describe("k", 250, 0, 0, 5) == "k: 250 instructions, 5 s"


LOOPS = """
import numpy as np
import nki, nki.isa as nisa, nki.language as nl
from trainyard import settings

told = []
def hear(kernel, done, total, nanoseconds):
    told.append((done, total))

@nki.jit
def nested(x):
    tile = nl.ndarray((128, 2048), nl.float32, buffer=nl.sbuf)
    nisa.memset(tile, 1)
    for i in nl.dynamic_range(60):
        for j in nl.dynamic_range(50):
            nisa.tensor_scalar(dst=tile, data=tile, op0=nl.multiply, operand0=1.0)
        nisa.memset(tile, 1)
    return x

@nki.jit
def unrolled(x):
    tile = nl.ndarray((128, 2048), nl.float32, buffer=nl.sbuf)
    nisa.memset(tile, 1)
    for i in range(3000):
        nisa.tensor_scalar(dst=tile, data=tile, op0=nl.multiply, operand0=1.0)
    return x

import sys
kernel = {"nested": nested, "unrolled": unrolled}[sys.argv[1]]
with settings.using(progress=hear):
    kernel.run(np.zeros((1, 1), np.float32), timed=sys.argv[2] == "timed")
print(max(done for done, _ in told), *sorted({total for _, total in told}))
"""


@pytest.mark.parametrize("kernel", ["nested", "unrolled"])
@pytest.mark.parametrize("way", ["timed", "untimed"])
def test_progress_counts_the_turns_of_hardware_loops(tmp_path, trainyard, kernel, way):
    (tmp_path / "script.py").write_text(LOOPS)
    done = trainyard("run", "script.py", kernel, way)
    assert done.code == 0, done.err
    most, total = (int(word) for word in done.out.split())
    assert 3000 < total < 12 * 3300  # loops are followed by every engine that works in them
    assert 0.5 * total < most <= total


def test_ctrl_c_while_modules_are_read_is_not_lost():
    script = (
        "import os, signal\n"
        "from trainyard._starting import held\n"
        "with held():\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "    print('read', flush=True)\n"
        "print('not reached')\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout == "read\n" and "KeyboardInterrupt" in done.stderr
