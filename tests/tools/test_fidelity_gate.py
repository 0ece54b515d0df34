"""Does `make fidelity` fail when a simulated figure is far off and nobody says why?"""

import importlib.util
from pathlib import Path

import pytest

PATH = Path(__file__).resolve().parents[1] / "fidelity/run.py"
SPEC = importlib.util.spec_from_file_location("fidelity_run", PATH)
assert SPEC is not None and SPEC.loader is not None
run = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(run)


@pytest.mark.parametrize(
    ("error", "deviations", "found"),
    [
        (0.24, "", []),
        (0.26, "", ["matmul.one"]),
        (-0.26, "", ["matmul.one"]),
        (-0.26, "| `matmul.one` | why |", []),
    ],
)
def test_a_row_beyond_a_quarter_needs_a_deviation(error, deviations, found):
    row = {"id": "matmul.one", "machine": "trn2", "error": error}
    assert run.unexplained([row], deviations) == found


def test_a_row_that_leaves_its_band_is_told(tmp_path):
    rows = [
        {"id": "a", "machine": "trn2", "what": "one", "error": 0.1},
        {"id": "a", "machine": "trn2", "what": "other", "error": -0.05},
    ]
    run.record(rows, tmp_path / "bands.csv")
    bands = run.recorded(tmp_path / "bands.csv")
    assert run.moved(rows, bands) == []
    rows[1]["error"] = -0.056
    assert run.moved(rows, bands) == ["a (other) was -5.0 % off and is -5.6 %"]
    rows[1]["what"] = "new"
    assert run.moved(rows, bands) == ["a (new) has no band"]
    assert run.gone(rows, bands) == ["a (other) has a band and no row"]


def test_a_stored_row_of_another_build_is_told(tmp_path):
    path = tmp_path / "validation.csv"
    path.write_text("id,machine,what,simulated\na,trn2,one,100\nb,trn2,one,100\n")
    rows = [
        {"id": id, "machine": "trn2", "what": "one", "simulated": value}
        for id, value in (("a", 100.4), ("b", 101.0), ("c", 1.0))
    ]
    assert run.outdated(rows[:1], path) == []
    (told,) = run.outdated(rows, path)
    assert "2 rows" in told and "(b, c)" in told


def test_every_band_is_of_a_row_that_stands_for_something():
    bands = run.recorded()
    assert len(bands) > 100
    assert {machine for _, machine, _ in bands} >= {"trn2", "trn3"}
