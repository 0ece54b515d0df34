"""Does the table of `make bench` set each rate beside the right limit?"""

import importlib.util
from pathlib import Path

import pytest

PATH = Path(__file__).resolve().parents[2] / "benchmarks/run.py"
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


def test_a_failed_benchmark_is_not_left_out_silently():
    failed = {"name": "copy", "error_occurred": True, "error_message": "no memory"}
    with pytest.raises(RuntimeError, match="copy: no memory"):
        run.rows_of({"benchmarks": [failed]})
