"""Does a sweep time each point as bench() does, in one process and in several?"""

import sys
from pathlib import Path

import numpy as np
import pytest
import trainyard

sys.path.insert(0, str(Path(__file__).parent))
import sweep_kernels
from sweep_kernels import repeated
from trainyard import sweeps

X = np.zeros((128, 64), np.float32)


def test_each_point_has_the_time_of_a_bench():
    grid = {"repeats": [1, 3], "machine": ["trn2", "trn3"]}
    found = trainyard.sweep(repeated, grid, {"x": X}, processes=1)
    assert [(row["repeats"], row["machine"]) for row in found.rows] == [
        (1, "trn2"),
        (1, "trn3"),
        (3, "trn2"),
        (3, "trn3"),
    ]
    for row in found.rows:
        alone = repeated.bench(x=X, repeats=row["repeats"], machine=row["machine"])
        assert row["time_ns"] == alone.time_ns
        assert (row["bound"], row["error"]) == (alone.bound, None)
    assert found.best == min(found.rows, key=lambda row: row["time_ns"])


def test_processes_change_nothing(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", f"{Path(__file__).parent}:{':'.join(sys.path)}")
    grid = {"rows": [64, 128], "width": [32], "repeats": [1, 2]}
    assert sweeps._can_leave(repeated)
    many = trainyard.sweep(repeated, grid, sweep_kernels.inputs, processes=2)
    assert many.rows == trainyard.sweep(repeated, grid, sweep_kernels.inputs, processes=1).rows


def test_a_figure_of_the_machine_can_be_swept():
    grid = {"scalar.clock": ["x0.5", "x1"], "repeats": [4]}
    slow, fast = trainyard.sweep(repeated, grid, {"x": X}, processes=1).rows
    assert slow["time_ns"] > fast["time_ns"]


def test_a_point_that_is_refused_says_why_and_the_others_run():
    grid = {"rows": [256, 128], "width": [8], "repeats": [1]}
    refused, fine = trainyard.sweep(repeated, grid, sweep_kernels.inputs, processes=1).rows
    assert "tensor.partitions" in refused["error"] and refused["time_ns"] is None
    assert fine["error"] is None and fine["time_ns"] > 0
    text = str(trainyard.sweep(repeated, grid, sweep_kernels.inputs, processes=1))
    assert "us" in text.splitlines()[2]
    only = trainyard.sweep(repeated, grid | {"rows": [256]}, sweep_kernels.inputs, processes=1)
    with pytest.raises(ValueError, match="no point ran"):
        _ = only.best


def test_an_empty_grid_is_refused():
    for grid in ({}, {"repeats": []}):
        with pytest.raises(ValueError, match="no points"):
            trainyard.sweep(repeated, grid, {"x": X})


def test_the_rows_are_a_table():
    found = trainyard.sweep(repeated, {"repeats": [1]}, {"x": X}, processes=1)
    assert "<table>" in found._repr_html_()
    assert len(found.frame()) == 1
