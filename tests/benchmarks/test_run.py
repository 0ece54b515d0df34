"""Does the table of `make bench` set each rate beside the right limit?"""

import importlib.util
import json
import platform
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

PATH = Path(__file__).resolve().parents[2] / "benchmarks/run.py"
sys.path.insert(0, str(PATH.parent))
SPEC = importlib.util.spec_from_file_location("benchmarks_run", PATH)
assert SPEC is not None and SPEC.loader is not None
run = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(run)


def measured(name: str, rate: float, kind: str = "iteration") -> dict:
    return {"run_name": name, "name": name, "run_type": kind, "rate": rate, "label": "GB/s"}


def test_a_limit_stands_beside_its_subject_and_repetitions_give_the_median():
    report = [measured("copy", rate) for rate in (9.0, 10.0, 40.0)]
    report += [measured("copy | host limit", 20.0), measured("alone", 3.0)]
    report += [measured("copy", 99.0, kind="aggregate")]
    rows = run.rows_of({"benchmarks": report})
    assert rows == [run.Row("copy", 10.0, "GB/s", 20.0), run.Row("alone", 3.0, "GB/s", None)]
    assert [row.ratio for row in rows] == [0.5, None]


def test_a_limit_that_is_the_peak_of_the_core_is_told_from_sgemm():
    report = [measured("matmul_mx", 40.0), measured("matmul_mx | host peak", 80.0)]
    (row,) = run.rows_of({"benchmarks": report})
    assert row.ratio == 0.5 and row.of_peak


def test_numpy_is_imported_behind_its_environment():
    """Importing the table brings none of it: what is set later changes neither its kernels nor its
    threads."""
    script = "import sys, run; print(*{'numpy', 'ml_dtypes', 'trainyard'} & sys.modules.keys())"
    found = subprocess.run(
        [sys.executable, "-c", script], cwd=PATH.parent, check=True, capture_output=True, text=True
    )
    assert found.stdout.split() == []


def test_all_files_are_loaded_into_one_process_as_the_table_loads_them():
    """In another one than this, where other tests have modules of the same names."""
    names = sorted(path.stem for path in PATH.parent.glob("bench_*.py"))
    load = "import importlib, sys; [importlib.import_module(n).rows for n in sys.argv[1:]]"
    done = subprocess.run(
        [sys.executable, "-c", load, *names],
        cwd=PATH.parent,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    assert names and done.returncode == 0, done.stderr


def test_a_file_that_fails_is_named_and_takes_no_rows_of_others_along(
    monkeypatch, tmp_path, capsys
):
    folder = tmp_path / "benchmarks"
    folder.mkdir()
    (folder / "bench_broken_one.py").write_text("def rows():\n    raise OSError('disk full')\n")
    good = (
        "import os\n"
        "def rows():\n"
        "    how = os.environ['OPENBLAS_NUM_THREADS'] + os.environ['OPENBLAS_CORETYPE']\n"
        "    return [{'name': 'whole ' + how, 'value': 2.0, 'unit': 's'}]\n"
    )
    (folder / "bench_whole_one.py").write_text(good)
    monkeypatch.setattr(run, "ROOT", tmp_path)
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setenv(run.THREADS, "8")  # what main() sets is put back
    monkeypatch.setenv(run.CORETYPE, "MINE")
    monkeypatch.setattr(run, "numpy_rates", lambda given: {given: 90.0, "Zen": 40.0})
    output = tmp_path / "bench.json"
    monkeypatch.setattr(
        sys, "argv", ["run.py", f"--build={tmp_path}", f"--output={output}", f"--peers={tmp_path}"]
    )
    monkeypatch.setattr(run, "run_program", lambda *_: [])
    assert run.main() == 1
    sgemm = [f"{run.NUMPY} 1024, {run.CORETYPE}={name}" for name in ("MINE", "Zen")]
    found = [row["name"] for row in json.loads(output.read_text())]
    assert found == [*sgemm, "whole 1MINE"], "the fastest kernels, on one thread"
    errors = capsys.readouterr().err
    assert "host: NumPy SGEMM runs its kernels for MINE\n" in errors
    assert "disk full" in errors and errors.endswith("errors above: bench_broken_one.py\n")


def test_a_failed_benchmark_is_not_left_out_silently():
    failed = {"name": "copy", "error_occurred": True, "error_message": "no memory"}
    with pytest.raises(RuntimeError, match="copy: no memory"):
        run.rows_of({"benchmarks": [failed]})


def test_the_table_marks_what_misses_its_goal_and_names_goals_without_a_row():
    copies = [run.Row(f"isa/tensor_copy bf16 [128, {n}]", n, "GB/s", 100.0) for n in (49, 50)]
    copies.append(run.Row("tracing a kernel", 1e5, "instructions/s"))
    low, high, tracing = run.show(copies).splitlines()[1:4]
    assert ">= 50% !" in low and ">= 50%  " in high
    assert ">= 200000 !" in tracing, "a goal of the value, where there is no ratio"
    assert any(line.startswith("not measured: causal") for line in run.show(copies).splitlines())


def host(peak: float, sgemm: float, library: str = run.OPENBLAS) -> list:
    return [run.Row(run.PEAK, peak, run.UNIT), run.Row(f"{library} 1024", sgemm, run.UNIT)]


PRODUCT = run.Row("isa/nc_matmul bf16 128", 20.0, run.UNIT, 69.0)


def test_nothing_is_judged_by_an_sgemm_that_is_far_from_the_peak_of_the_core():
    copies = run.Row("isa/tensor_copy bf16 128", 20.0, "GB/s", 100.0)
    near, far = (run.show([*host(100.0, sgemm), PRODUCT, copies]) for sgemm in (71.0, 69.0))
    assert ">= 60% !" in near and "nothing is judged" not in near
    assert ">= 60% ?" in far and "nothing is judged by it" in far
    assert ">= 50% !" in far, "what stands beside memcpy is judged all the same"


@pytest.mark.parametrize("missing", [0, 1])
def test_nothing_is_judged_where_the_peak_or_sgemm_has_no_row(missing: int):
    rows = host(100.0, 71.0)
    del rows[missing]
    table = run.show([*rows, PRODUCT])
    assert ">= 60% ?" in table and "was not measured" in table


def test_rows_in_python_are_judged_by_the_products_of_numpy():
    attention = run.Row("causal attention: values, beside SGEMM", 9.0, "CPU s", 3.0)
    for numpy, mark in ((71.0, "!"), (69.0, "?")):
        rows = [*host(100.0, 71.0), *host(100.0, numpy, run.NUMPY)[1:], attention]
        assert f"<= 250% {mark}" in run.show(rows)
    assert "<= 250% ?" in run.show([*host(100.0, 71.0), attention])


@pytest.mark.parametrize("far", ["", "moving", "stationary"])
@pytest.mark.parametrize("left", ["e4m3fn", "e5m2", "e2m1"])
@pytest.mark.parametrize("right", ["e4m3fn", "e5m2", "e2m1"])
def test_mx_products_are_judged_by_the_peak_whatever_sgemm_is(left: str, right: str, far: str):
    name = f"matmul_mx: {left} x {right} 128x512x512" + (f", exp(4 x normal) {far}" if far else "")
    low, high = (run.Row(name, value, run.UNIT, 100.0, of_peak=True) for value in (59.0, 61.0))
    table = run.show([*host(100.0, 20.0), low, high], complete=False)
    assert table.count(">= 60% !") == 1 and "?" not in table
    many_digits = {"": "", "moving": right, "stationary": left}[far] in ("e4m3fn", "e5m2")
    assert ("docs/deviations.md#host-speed" in table) == many_digits


def test_strict_fails_on_goals_that_are_missed_for_no_reason_on_record_or_not_judged():
    far = run.Row("matmul_mx: e2m1 x e5m2 n, exp(4 x normal) moving", 1.0, run.UNIT, 9.0, True)
    good = run.Row("isa/tensor_copy bf16 128", 60.0, "GB/s", 100.0)
    assert run.is_met([far, good])
    assert not run.is_met([replace(good, value=40.0)])
    assert not run.is_met([replace(PRODUCT, value=68.0)]), "no SGEMM says what it is worth"
    assert run.is_met([*host(100.0, 71.0), replace(PRODUCT, value=68.0)])


def test_what_a_goal_is_missed_for_is_written_down():
    entries = re.findall(r"(?m)^## (\S+)$", (PATH.parents[1] / "docs/deviations.md").read_text())
    assert {goal.deviation for goal in run.GOALS} <= {"", *entries}


def test_the_fastest_kernels_of_openblas_come_first_each_by_the_name_it_has_there(monkeypatch):
    rates = {"SkylakeX": 75.7, "Zen": 40.0, "Mine": 90.0}
    cores = {"SKYLAKEX": "SkylakeX", "ZEN": "Zen", "HASWELL": "Haswell", "MINE": "Mine"}

    def run_program(program, wanted, repetitions, kernels):
        if kernels not in rates:
            raise run.subprocess.CalledProcessError(-4, "benchmark")
        return [run.Row("host: OpenBLAS SGEMM 1024", rates[kernels], "G multiply-adds/s")]

    monkeypatch.setattr(run, "kernels_of", lambda name: cores.get(name, "SkylakeX"))
    monkeypatch.setattr(run, "run_program", run_program)
    monkeypatch.setattr(run.Path, "exists", lambda path: True)
    names = [row.name.partition("=")[2] for row in run.sgemm_rows(run.Path("build"), "MINE")]
    assert names == ["Mine", "SkylakeX", "Zen"]
    assert run.fastest([]) is None


def test_openblas_says_which_kernels_it_runs():
    """Where it is asked for those of another architecture, it runs some of this one."""
    of_another = "ARMV8" if platform.machine() == "x86_64" else "HASWELL"
    assert run.kernels_of(of_another).upper() != of_another


def test_numpy_says_which_kernels_it_runs(monkeypatch):
    monkeypatch.setattr(sys.modules["host_products"], "KERNELS", ("",))
    ((kernels, rate),) = run.numpy_rates(None).items()
    assert kernels != "unknown" and rate > 0


def test_a_part_of_the_table_is_judged_by_limits_that_are_not_in_it():
    assert ">= 60% ?" in run.show([PRODUCT], host(100.0, 69.0), complete=False)
    assert ">= 60% !" in run.show([PRODUCT], host(100.0, 71.0), complete=False)


def peer(folder: Path, name: str, script: str) -> None:
    (folder / name).write_text(f"#!/bin/sh\n{script}\n")
    (folder / name).chmod(0o755)


def test_peers_are_run_where_they_are(tmp_path):
    peer(tmp_path, "fast", '[ "$1" = all_reduce ] || exit 3; [ $2 -ge 144 ] && [ $3 = 1073741824 ]')
    (tmp_path / "notes.txt").write_text("no executable")
    rows = list(run.peers.rows(tmp_path))
    assert [row["name"] for row in rows] == [
        f"fast: all_reduce of 1 GiB on {chips} chips{what}"
        for chips in (1024, 144)
        for what in ("", ", memory")
    ]
    assert all(row["value"] > 0 for row in rows)
    assert list(run.peers.rows(tmp_path / "nowhere")) == []


def test_the_memory_of_a_peer_is_not_that_of_the_process_that_asks(tmp_path):
    peer(tmp_path, "small", "[ $2 = 1024 ] || exit 3")
    held = b"x" * 2**28
    rows = list(run.peers.rows(tmp_path))
    assert rows[1]["unit"] == "GiB" and rows[1]["value"] * 2**30 < len(held) / 4


def test_a_peer_that_fails_is_named_with_what_it_said(tmp_path):
    peer(tmp_path, "broken", "echo no network file >&2; exit 9")
    with pytest.raises(RuntimeError, match=r"broken all_reduce .*exit code 9: no network file"):
        list(run.peers.rows(tmp_path))
