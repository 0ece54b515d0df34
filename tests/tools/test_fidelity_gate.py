"""Does `make fidelity` fail when a simulated figure is far off and nobody says why?"""

import csv
import importlib.util
import sys
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


@pytest.mark.parametrize(
    ("cause", "found"), [("", ["CCX-1"]), ("elsewhere", ["CCX-1"]), ("written-down", [])]
)
def test_a_cause_is_an_entry_of_the_text_whatever_the_clock(cause, found):
    row = {"id": "CCX-1", "class": "host >= 1 MiB", "error": -0.5, "cause": cause}
    assert run.unexplained([row], "# Deviations\n\n## written-down\n") == found


PLANTED = {"id": "X-1", "machine": "trn2", "what": "w", "published": 1.0, "unit": "s"}


@pytest.mark.parametrize("source", ["micro_programs", "whole_kernels", "whole_systems", "models"])
@pytest.mark.parametrize(
    ("error", "band", "cause", "status"),
    [
        (0.1, 0.1, "", 0),
        (0.1, 0.12, "", 1),
        (0.1, None, "", 1),
        (-0.9, -0.9, "", 1),
        (-0.9, -0.9, "no-entry", 1),
        (-0.9, -0.9, "torch-distributed", 0),
        (-0.9, -0.8, "torch-distributed", 1),
    ],
)
def test_a_planted_row_of_any_source_fails_the_run(
    source, error, band, cause, status, monkeypatch, tmp_path
):
    row = PLANTED | {"error": error, "simulated": 1 + error, "cause": cause, "source": "s"}
    row |= {"phase": "decode", "half": "fit"} if source == "models" else {}
    for name in ("micro_programs", "whole_kernels", "whole_systems"):
        monkeypatch.setattr(run, name, lambda *_, own=name: [row] if own == source else [near])
    near = row | {"id": "X-2", "error": 0.0, "simulated": 1.0, "cause": ""}
    monkeypatch.setattr(run.models, "rows", lambda: [row] if source == "models" else [])
    bands = {run.key(near): 0.0} | ({} if band is None else {run.key(row): band})
    monkeypatch.setattr(run, "recorded", lambda: bands)
    monkeypatch.setattr(run, "outdated", lambda rows: [])
    monkeypatch.setattr(sys, "argv", ["run.py", f"--output={tmp_path / 'rows.json'}"])
    assert run.main() == status


def test_collectives_name_a_cause_where_they_are_far_off_and_only_there():
    bands = {id: error for (id, _, _), error in run.recorded().items()}
    with PATH.with_name("collectives.csv").open(newline="", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["id"] in bands]
    assert len(rows) > 200
    for row in rows:
        assert bool(row["cause"]) == (abs(bands[row["id"]]) > 0.25), row["id"]


def test_every_whole_model_has_a_band():
    bands = {id for id, _, _ in run.recorded()}
    assert len(run.models.published()) > 150 and run.models.published().keys() <= bands


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
