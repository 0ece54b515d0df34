"""Does the table of `make bench` set each rate beside the right limit?"""

import importlib.util
import json
import platform
import sys
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


@pytest.mark.parametrize("path", sorted(PATH.parent.glob("bench_*.py")), ids=lambda path: path.stem)
def test_each_file_is_loaded_as_the_table_loads_it(path: Path):
    assert callable(importlib.import_module(path.stem).rows)


def test_a_file_that_fails_is_named_and_takes_no_rows_of_others_along(
    monkeypatch, tmp_path, capsys
):
    folder = tmp_path / "benchmarks"
    folder.mkdir()
    (folder / "bench_broken_one.py").write_text("def rows():\n    raise OSError('disk full')\n")
    good = "def rows():\n    return [{'name': 'whole', 'value': 2.0, 'unit': 's'}]\n"
    (folder / "bench_whole_one.py").write_text(good)
    monkeypatch.setattr(run, "ROOT", tmp_path)
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "1")  # what main() sets is put back
    monkeypatch.delenv(run.CORETYPE, raising=False)
    output = tmp_path / "bench.json"
    monkeypatch.setattr(
        sys, "argv", ["run.py", f"--build={tmp_path}", f"--output={output}", f"--peers={tmp_path}"]
    )
    monkeypatch.setattr(run, "run_program", lambda *_: [])
    assert run.main() == 1
    assert [row["name"] for row in json.loads(output.read_text())] == ["whole"]
    errors = capsys.readouterr().err
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


def test_nothing_is_judged_by_an_sgemm_that_is_far_from_the_peak_of_the_core():
    def table(sgemm: float) -> str:
        unit = "G multiply-adds/s"
        rows = [run.Row(run.PEAK, 100.0, unit), run.Row("host: OpenBLAS SGEMM 1024", sgemm, unit)]
        rows.append(run.Row("isa/nc_matmul bf16 128", 20.0, unit, sgemm))
        rows.append(run.Row("isa/tensor_copy bf16 128", 20.0, "GB/s", 100.0))
        return run.show(rows)

    near, far = table(71.0), table(69.0)
    assert ">= 60% !" in near and "nothing is judged" not in near
    assert ">= 60% ?" in far and "nothing is judged by it" in far
    assert ">= 50% !" in far, "what stands beside memcpy is judged all the same"


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


def test_openblas_says_which_kernels_it_runs():
    """Where it is asked for those of another architecture, it runs some of this one."""
    of_another = "ARMV8" if platform.machine() == "x86_64" else "HASWELL"
    assert run.kernels_of(of_another).upper() != of_another


def test_a_part_of_the_table_is_judged_by_limits_that_are_not_in_it():
    unit = "G multiply-adds/s"
    rows = [run.Row("isa/nc_matmul bf16 128", 20.0, unit, 69.0)]
    limits = [run.Row(run.PEAK, 100.0, unit), run.Row("host: OpenBLAS SGEMM 1024", 69.0, unit)]
    assert ">= 60% ?" in run.show(rows, limits, complete=False)
    assert ">= 60% !" in run.show(rows, complete=False)


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


def test_a_peer_that_fails_is_named_with_what_it_said(tmp_path):
    peer(tmp_path, "broken", "echo no network file >&2; exit 9")
    with pytest.raises(RuntimeError, match=r"broken all_reduce .*exit code 9: no network file"):
        list(run.peers.rows(tmp_path))
