"""Does tools/nki_suite tell the ends of cases apart, resume, and leave a checkout alone?"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

TOOL = Path(__file__).resolve().parents[2] / "tools" / "nki_suite"

CASES = """
import time

import nki
import nki.isa as nisa
import nki.language as nl
import numpy as np
import pytest


@nki.jit
def double(x):
    tile = nl.ndarray(x.shape, x.dtype)
    nisa.dma_copy(dst=tile, src=x)
    nisa.tensor_scalar(dst=tile, data=tile, op0=nl.multiply, operand0=2.0)
    out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
    nisa.dma_copy(dst=out, src=tile)
    return out


X = np.arange(8, dtype=np.float32).reshape(2, 4)


def test_right():
    np.testing.assert_allclose(double(X), 2 * X)


def test_numerics():
    np.testing.assert_allclose(double(X), 3 * X)


def test_unsupported():
    raise NotImplementedError("nki.isa.of_tomorrow is not built")


def test_error():
    double("no array")


def test_hangs():
    while True:
        pass


def test_dies():
    import os
    os.abort()


@pytest.mark.parametrize("x", range(10))
def test_many(x):
    pass


@pytest.mark.parametrize("x", [])
def test_made_up(x):
    pass


def test_no_room():
    raise MemoryError("Unable to allocate 32.0 GiB")


@pytest.mark.skip(reason="of the checkout's own")
def test_left_out():
    pass
"""

SLOW = """
import time

import nki


@nki.jit
def slow():
    while True:
        pass


@nki.jit
def waiting():
    time.sleep(1000)


def test_slow():
    slow()


def test_waiting():
    waiting()
"""

LARGE = """
import time


def test_large():
    many = bytearray(b"x" * (1 << 30))
    time.sleep(1000)
"""

OTHERS = {
    "simulate/nki_simulate_example.py": "import numpy as np\nnp.testing.assert_allclose(1, 2)\n",
    "old.py": "import neuronxcc.nki as nki\n@nki.jit\ndef first(x): pass\n",
    "own.py": "import nki\n@nki.jit\ndef new(x): pass\n",
}

EXPECTED = {
    "test_right": "pass",
    "test_many[5]": "pass",
    "test_numerics": "numerics",
    "test_unsupported": "unsupported",
    "test_error": "error",
    "test_hangs": "too_large",
    "test_no_room": "too_large",
    "test_dies": "crash",
    "test_left_out": "skip",
}


@pytest.fixture
def checkout(tmp_path):
    """A checkout whose cases end in every way there is."""
    folder = tmp_path / "checkout" / "tests"
    folder.mkdir(parents=True)
    (folder / "test_ends.py").write_text(CASES)
    return folder.parent


def suite(*arguments):
    command = [sys.executable, str(TOOL), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def records(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def name(record):
    return record["case"].split("::")[-1]


def test_every_end_has_its_status_and_reason(checkout, tmp_path):
    results = tmp_path / "r.jsonl"
    before = sorted(checkout.rglob("*"))
    limits = ("--timeout", 30, "--own-timeout", 8)
    run = suite(checkout, "--json", results, *limits, "--jobs", 2, "--each", 1)
    assert run.returncode == 1, run.stderr
    found = {name(record): record for record in records(results)}
    assert {case: record["status"] for case, record in found.items()} == EXPECTED
    assert "Not equal to tolerance" in found["test_numerics"]["reason"]
    assert "of_tomorrow" in found["test_unsupported"]["reason"]
    assert "no end after 8 s in its own code" in found["test_hangs"]["reason"]
    assert "test_hangs" in found["test_hangs"]["where"]
    assert "SIGABRT" in found["test_dies"]["reason"]
    assert "passed 2 of 8 (25.0 %)" in run.stdout
    assert "no tests ran" not in run.stdout + run.stderr
    assert "standing for 18 cases: about 64.7 % pass" in run.stdout
    assert found["test_many[5]"]["stands_for"] == 10
    assert 0 <= found["test_right"]["kernel_seconds"] <= found["test_right"]["seconds"]
    assert sorted(checkout.rglob("*")) == before


def test_a_kernel_that_does_not_end_is_ours(tmp_path):
    folder = tmp_path / "checkout" / "tests"
    folder.mkdir(parents=True)
    (folder / "test_slow.py").write_text(SLOW)
    results = tmp_path / "r.jsonl"
    suite(folder.parent, "--json", results, "--timeout", 1, "--own-timeout", 2)
    found = {name(record): record for record in records(results)}
    assert {record["status"] for record in found.values()} == {"timeout"}
    assert "no end after 1 s in kernels" in found["test_slow"]["reason"]
    assert "a kernel waits" in found["test_waiting"]["reason"]


def test_a_case_too_large_for_the_host_is_not_ours(tmp_path):
    folder = tmp_path / "checkout" / "tests"
    folder.mkdir(parents=True)
    (folder / "test_large.py").write_text(LARGE)
    results = tmp_path / "r.jsonl"
    suite(folder.parent, "--json", results, "--memory", 0.7, "--own-timeout", 60)
    (record,) = records(results)
    assert record["status"] == "too_large"
    assert "more than the 0.7 GiB" in record["reason"]


def test_a_file_that_needs_what_its_checkout_lacks_is_skipped(tmp_path):
    folder = tmp_path / "checkout"
    (folder / "tests").mkdir(parents=True)
    (folder / "mine").mkdir()
    (folder / "mine" / "__init__.py").touch()
    (folder / "tests" / "test_old.py").write_text("import mine.gone\n")
    (folder / "tests" / "test_other.py").write_text("import yours.gone\n")
    results = tmp_path / "r.jsonl"
    suite(folder, "--json", results)
    found = {record["case"]: record["status"] for record in records(results)}
    assert found == {"tests/test_old.py": "skip", "tests/test_other.py": "error"}


def test_resume_runs_only_what_has_no_record(checkout, tmp_path):
    results = tmp_path / "r.jsonl"
    suite(checkout, "--json", results, "--filter", "right")
    run = suite(
        checkout, "--json", results, "--resume", "--filter", "right", "--filter", "left_out"
    )
    assert run.returncode == 0, run.stdout
    assert [name(record) for record in records(results)] == ["test_right", "test_left_out"]


def test_again_runs_cases_of_a_status_once_more(checkout, tmp_path):
    results = tmp_path / "r.jsonl"
    chosen = ("--json", results, "--filter", "test_right", "--filter", "test_error")
    suite(checkout, *chosen)
    run = suite(checkout, *chosen, "--resume", "--again", "error")
    assert "1 to run" in run.stdout
    assert [name(record) for record in records(results)].count("test_error") == 2
    assert "pass 1, error 1" in run.stdout


def test_kernels_of_a_checkout_run_with_our_drivers(tmp_path):
    folder = tmp_path / "nki" / "examples"
    (tmp_path / "nki" / "api" / "nki").mkdir(parents=True)
    for name, body in OTHERS.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(body)
    results = tmp_path / "r.jsonl"
    run = suite(
        tmp_path, "--json", results, "--filter", "simulate", "--filter", "old", "--filter", "own"
    )
    found = {record["case"]: record["status"] for record in records(results)}
    assert found == {
        "sdk:examples/simulate/nki_simulate_example.py": "numerics",
        "nki/examples/old.py:first": "skip",
        "nki/examples/own.py:new": "skip",
    }, run.stderr


def test_unknown_checkout(tmp_path):
    run = suite(tmp_path)
    assert run.returncode == 2
    assert "no checkout of a layout we know" in run.stderr


def test_says_what_a_checkout_needs(tmp_path):
    mark = tmp_path / "test" / "utils" / "simulation_setup.py"
    mark.parent.mkdir(parents=True)
    mark.touch()
    run = suite(tmp_path)
    if run.returncode == 2:
        pytest.skip("this Python has everything nki-library needs")
    assert run.returncode == 3
    assert "torch" in run.stderr
    assert "--python" in run.stderr


@pytest.fixture
def one_case(tmp_path):
    """A checkout with one case that passes."""
    folder = tmp_path / "one"
    folder.mkdir()
    (folder / "test_one.py").write_text("import nki\n\n\ndef test_one(): pass\n")
    return folder


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (("--jobs", 0), 2, "no whole number of at least 1"),
        (("--sample", 0), 2, "no whole number of at least 1"),
        (("--each", -1), 2, "no whole number of at least 1"),
        (("--timeout", -1), 2, "no number above 0"),
        (("--memory", "nan"), 2, "no number above 0"),
        (("--json", "."), 2, "is no file that results can be written to"),
        (("--json", "rows/r.jsonl"), 2, "cannot write"),
        (("--filter", "zzz"), 2, "has no case that a --filter names"),
        (("--summary", "--json", "none.jsonl"), 2, "holds no results yet"),
        (("--summary", "--json", "rows"), 2, "other things than results"),
        (("--resume", "--json", "rows"), 2, "other things than results"),
        (("--python", "nowhere/python"), 3, "is no Python that runs"),
        (("--python", "/bin/false"), 3, "is no Python that runs"),
    ],
)
def test_wrong_arguments_are_refused(one_case, tmp_path, monkeypatch, arguments, code, told):
    monkeypatch.chdir(tmp_path)
    Path("rows").write_text("id,value\n")
    named = () if "--json" in arguments else ("--json", "r.jsonl")
    run = suite(one_case, *named, *arguments)
    assert run.returncode == code, run.stderr
    assert told in run.stderr
    assert "Traceback" not in run.stderr
    assert Path("rows").read_text() == "id,value\n"


def test_the_results_of_the_run_before_are_kept_beside(one_case, tmp_path):
    results = tmp_path / "r.jsonl"
    before = '{"case": "of before", "status": "pass"}\n'
    results.write_text(before)
    assert suite(one_case, "--json", results, "--python", "/bin/false").returncode == 3
    assert results.read_text() == before
    assert suite(one_case, "--json", results).returncode == 0
    assert Path(f"{results}.old").read_text() == before
    assert [name(record) for record in records(results)] == ["test_one"]


def test_a_line_that_was_cut_short_is_run_again(one_case, tmp_path):
    results = tmp_path / "r.jsonl"
    results.write_text('{"case": "of before", "status": "pass"}\n{"case": "test_one.py::te')
    assert suite(one_case, "--json", results, "--resume").returncode == 0
    assert len(results.read_text().splitlines()) == 3
    assert suite(one_case, "--json", results, "--summary").stdout.count("passed 2 of 2") == 1


def test_a_full_disk_ends_the_run_and_loses_nothing():
    code = (
        "import pathlib, sys\n"
        f"sys.path.insert(0, {str(TOOL.parent)!r})\n"
        "from suite import refusal, results\n"
        "try:\n"
        "    results.Writer(pathlib.Path('/dev/full'), 1, False).add({})\n"
        "except refusal.Refused as refused:\n"
        "    print(refused)\n"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "No space left on device" in run.stdout, run.stderr
    assert "--resume" in run.stdout
