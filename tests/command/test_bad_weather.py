"""Do full disks, closed pipes and Ctrl-C end the command cleanly?"""

import os
import resource
import select
import signal
import time
from pathlib import Path

import pytest
from command_line import KERNELS, X, start
from trainyard.commands import exit_codes

DOUBLE = f"{KERNELS}:double"
LARGE = "x=bfloat16[128,8192]"


def small_files_only() -> None:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))


def test_a_full_disk_leaves_no_half_written_profile(trainyard, tmp_path):
    done = trainyard("profile", "--output", "out", DOUBLE, X, before=small_files_only)
    assert done.code == exit_codes.CANNOT_WRITE
    assert done.err.startswith("trainyard: cannot write out/double.json: ")
    assert done.err.count("\n") == 1
    assert list((tmp_path / "out").iterdir()) == []


def little_address_space() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))


@pytest.mark.parametrize("command", ["run", "time"])
def test_a_limit_on_virtual_memory_leaves_room_for_small_kernels(trainyard, command):
    done = trainyard(command, DOUBLE, X, before=little_address_space)
    assert done.code == 0, done.err


def test_an_output_folder_that_cannot_be_made_is_told_before_the_run(trainyard, tmp_path):
    (tmp_path / "out").write_text("a file")
    done = trainyard("profile", "--output", "out", f"{KERNELS}:slow", LARGE)
    assert done.code == exit_codes.CANNOT_WRITE
    assert done.err.startswith("trainyard: cannot write out: ")


@pytest.mark.parametrize(
    "arguments", [["time", DOUBLE, X], ["machine", "show", "trn3"], ["--help"]]
)
def test_a_full_standard_output(trainyard, arguments):
    with Path("/dev/full").open("w") as full:
        done = trainyard(*arguments, stdout=full)
    assert done.code == exit_codes.CANNOT_WRITE
    assert done.err == "trainyard: cannot write the standard output: No space left on device\n"


@pytest.mark.parametrize("arguments", [["time", DOUBLE, X], ["machine", "show", "trn3"]])
def test_a_closed_pipe_ends_quietly(arguments):
    process = start(*arguments)
    process.stdout.close()
    assert process.wait(60) == exit_codes.CLOSED_PIPE
    assert process.stderr.read() == ""


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["machine", "list"],
        ["time", "--json", DOUBLE, X],
        ["check", "--sarif", DOUBLE, X],
        ["run", "--json", "nowhere.py"],
    ],
)
def test_a_closed_standard_output(trainyard, arguments):
    done = trainyard(*arguments, before=lambda: os.close(1))
    assert done.code == exit_codes.CANNOT_WRITE
    assert done.err == "trainyard: cannot write the standard output: Bad file descriptor\n"


def test_a_failure_as_json_into_a_closed_pipe_or_a_full_disk(trainyard):
    process = start("run", "--json", "nowhere.py")
    process.stdout.close()
    assert process.wait(60) == exit_codes.CLOSED_PIPE
    assert process.stderr.read() == ""
    with Path("/dev/full").open("w") as full:
        done = trainyard("run", "--json", "nowhere.py", stdout=full)
    assert done.code == exit_codes.CANNOT_WRITE
    assert done.err == "trainyard: cannot write the standard output: No space left on device\n"


def test_a_script_whose_output_does_not_fit_has_not_failed_itself(trainyard, tmp_path):
    (tmp_path / "s.py").write_text("print('hello', flush=True)\n")
    with Path("/dev/full").open("w") as full:
        done = trainyard("run", "s.py", stdout=full)
    assert done.code == exit_codes.CANNOT_WRITE
    assert done.err == "trainyard: cannot write the standard output: No space left on device\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ["run", "s.py"],
        ["time", "s.py"],
        ["profile", "s.py"],
        ["check", "s.py"],
        ["check", "--sarif", DOUBLE, X],
        ["time", "--json", DOUBLE, X],
        ["machine", "show", "trn3"],
        ["--help"],
    ],
)
def test_a_full_standard_output_without_a_buffer(trainyard, tmp_path, arguments):
    (tmp_path / "s.py").write_text("print('hello')\n")
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with Path("/dev/full").open("w") as full:
        done = trainyard(*arguments, stdout=full, env=environment)
    assert done.code == exit_codes.CANNOT_WRITE
    assert done.err == "trainyard: cannot write the standard output: No space left on device\n"


def test_a_script_that_fills_a_disk_of_its_own_has_failed_itself(trainyard, tmp_path):
    (tmp_path / "s.py").write_text("print('x')\nopen('/dev/full', 'w', 1).write('hello\\n')\n")
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    done = trainyard("run", "s.py", env=environment)
    assert (done.code, done.out) == (exit_codes.SCRIPT_FAILED, "x\n")


ASKED = """
import sys
sys.path.insert(0, {folder!r})
import kernels, numpy
from trainyard import result

def interrupted(*_):
    raise KeyboardInterrupt

result._core.answer = interrupted
kernels.double(numpy.ones((128, 64), numpy.float32))
"""


@pytest.mark.parametrize("command", ["time", "profile"])
@pytest.mark.parametrize("as_json", [False, True])
def test_ctrl_c_in_a_question_keeps_the_finished_report(trainyard, tmp_path, command, as_json):
    (tmp_path / "s.py").write_text(ASKED.format(folder=str(KERNELS.parent)))
    options = ["--json"] if as_json else []
    done = trainyard(command, "--interval", *options, "s.py")
    assert done.code == exit_codes.INTERRUPTED
    first, *_, last = done.err.splitlines()
    assert first == "double: finished, but the further questions were interrupted"
    assert last == "trainyard: 1 kernel call finished before"
    if as_json:
        assert done.data["kernels"][0]["time_ns"] > 0
        assert done.data["error"]["kind"] == "interrupted"
    else:
        assert done.out.startswith("double on trn3: ")
    assert (tmp_path / "double.json").exists() == (command == "profile")


SAVED = """
import os, signal, sys
sys.path.insert(0, {folder!r})
import kernels, numpy
from trainyard import files

replace = files._replace

def interrupted(path, content):
    files._replace = replace
    os.kill(os.getpid(), signal.SIGINT)
    replace(path, content)

files._replace = interrupted
kernels.double(numpy.ones((128, 64), numpy.float32))
"""


@pytest.mark.parametrize("command", [["profile"], ["run", "--save-programs", "."]])
def test_ctrl_c_while_files_are_saved_waits_for_the_last(trainyard, tmp_path, command):
    (tmp_path / "s.py").write_text(SAVED.format(folder=str(KERNELS.parent)))
    profiled = ["json", "details.json", "tytrace", "pftrace"]
    suffixes = profiled if command == ["profile"] else ["typrog"]
    for suffix in suffixes:
        (tmp_path / f"double.{suffix}").write_bytes(b"old")
    done = trainyard(*command, "s.py")
    last = "trainyard: 1 kernel call finished before"
    told = done.err.splitlines()
    assert told[-2].startswith("trainyard: interrupted: the script was at s.py:")
    assert told[-1] == last
    assert done.code == exit_codes.INTERRUPTED
    assert len(list(tmp_path.iterdir())) == 1 + len(suffixes)
    assert all((tmp_path / f"double.{suffix}").read_bytes() != b"old" for suffix in suffixes)


def test_ctrl_c_while_a_document_is_written_leaves_it_whole(trainyard, tmp_path):
    (tmp_path / "s.py").write_text(
        "import json, os, signal\nfrom trainyard.commands import output\n"
        "class Sends:\n    def __enter__(self): self.held.__enter__(); os.kill(os.getpid(), 2)\n"
        "    def __exit__(self, *how): return self.held.__exit__(*how)\n"
        "held = output.interrupts.held\n"
        "def sends():\n    one = Sends(); one.held = held(); return one\n"
        f"output.interrupts.held = sends\nimport sys\nsys.path.insert(0, {str(KERNELS.parent)!r})\n"
        "import kernels, numpy\nkernels.double(numpy.ones((128, 64), numpy.float32))\n"
    )
    done = trainyard("run", "--json", "s.py")
    assert (done.code, done.err) == (exit_codes.INTERRUPTED, "trainyard: interrupted\n")
    assert done.data["kernels"][0]["kernel"] == "double"


def interrupt_when_it_runs(process) -> float:
    """Sends Ctrl-C once the first progress line is there; the seconds until the end."""
    ready, _, _ = select.select([process.stderr], [], [], 60)
    assert ready, "no progress within a minute"
    line = process.stderr.readline()
    assert line.startswith("slow: ") and "instructions" in line, line
    process.send_signal(signal.SIGINT)
    begun = time.monotonic()
    process.wait(60)
    return time.monotonic() - begun


@pytest.mark.parametrize("command", ["run", "time", "check", "profile"])
def test_ctrl_c_ends_a_long_kernel_at_once_with_one_line(tmp_path, command):
    process = start(command, "--progress", f"{KERNELS}:slow", LARGE, cwd=tmp_path)
    assert interrupt_when_it_runs(process) < 3
    assert process.returncode == exit_codes.INTERRUPTED
    *progress, last = process.stderr.read().splitlines()
    assert last.startswith("trainyard: interrupted: the run was at ")
    assert "kernels.py:" in last and "in slow" in last
    assert all(line.startswith("slow: ") for line in progress)
    assert list(tmp_path.iterdir()) == []


def test_ctrl_c_keeps_what_finished_before(tmp_path):
    (tmp_path / "script.py").write_text(
        f"import sys\nsys.path.insert(0, {str(KERNELS.parent)!r})\n"
        "import numpy as np, kernels\nx = np.ones((128, 8192), np.float32)\n"
        "kernels.double(x)\nkernels.slow(x)\n"
    )
    process = start("profile", "--json", "--progress", "script.py", cwd=tmp_path)
    for _ in range(4):
        assert process.stderr.readline().startswith("wrote double.")
    interrupt_when_it_runs(process)
    assert process.returncode == exit_codes.INTERRUPTED
    assert process.stderr.read().splitlines()[-1] == "trainyard: 1 kernel call finished before"
    import json

    data = json.loads(process.stdout.read())
    assert [kernel["kernel"] for kernel in data["kernels"]] == ["double"]
    assert data["error"]["kind"] == "interrupted"
    assert {path.name for path in tmp_path.iterdir()} >= {"double.json", "double.tytrace"}


def test_progress_is_not_shown_unasked_where_nobody_watches(trainyard):
    done = trainyard("run", f"{KERNELS}:slow", "x=bfloat16[128,512]")
    assert (done.code, done.err) == (0, "")
