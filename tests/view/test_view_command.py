"""Does `trainyard view` write, compare, export and serve what it is named?"""

import csv
import json
import re
import signal
import sys
import urllib.request
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
from browser import opened
from trainyard import view
from view_pages import module

sys.path.insert(0, str(Path(__file__).parents[1] / "command"))
from command_line import run as trainyard
from command_line import start


def test_a_page_is_written_beside_the_trace(saved):
    done = trainyard("view", saved / "attention.tytrace")
    assert (done.code, done.out) == (0, "") and done.err == f"wrote {saved / 'attention.html'}\n"
    with opened() as page:
        page.open(saved / "attention.html")
        assert page.text("h1") == "attention"


def test_two_runs_are_aligned_by_source(attention, tmp_path):
    attention.save(tmp_path / "after")
    machine = attention.machine.with_overrides(["vector.clock=x0.5"])
    inputs = [(128, 512), (128, 512), (512, 128)]
    arrays = [np.zeros(shape, ml_dtypes.bfloat16) for shape in inputs]
    kernel = module("attention").attention
    slow = kernel.bench(*arrays, values=False, record=True, machine=machine)
    slow.save(tmp_path / "before")
    paths = (tmp_path / "before.tytrace", tmp_path / "after.tytrace")
    done = trainyard("view", "--output", tmp_path / "both.html", *paths)
    assert done.code == 0
    with opened(1280, 1000) as page:
        page.open(tmp_path / "both.html")
        text = page.text(".below")
        assert page.text("nav [aria-selected=true]") == "Compare"
        faster = view.runs_at(paths[1])[0].facts["report"]["duration_ns"]
        assert f"{(faster / slow.time_ns - 1) * 100:.3g}".replace("-", "-") in text
        assert "nisa.tensor_reduce" in text
        page.ask("document.querySelector('button.run').click()")  # the timeline of the other one
        page.frame()
        assert page.ask("document.querySelector('header select').value") == "0"
        assert not page.errors


def test_the_document_is_printed_and_read_again(saved, tmp_path):
    done = trainyard("view", "--json", saved)
    view.validate(done.data, "printed")
    (tmp_path / "run.json").write_text(done.out)
    assert trainyard("view", tmp_path / "run.json").code == 0
    assert (tmp_path / "run.html").is_file()


def test_the_output_of_time_is_a_page_without_a_timeline(tmp_path):
    kernels = Path(__file__).parents[1] / "command/kernels.py"
    done = trainyard("time", "--json", f"{kernels}:double", "x=float32[128,512]")
    (tmp_path / "run.json").write_text(done.out)
    assert trainyard("view", tmp_path / "run.json").code == 0
    with opened() as page:
        page.open(tmp_path / "run.html")
        assert "No trace" in page.text(".timeline, .tracks") and "double" in page.text("h1")
        assert not page.errors


def test_exports_have_every_interval(saved, attention, tmp_path):
    targets = ("--csv", tmp_path / "x.csv", "--chrome", tmp_path / "x.json")
    assert trainyard("view", *targets, saved / "attention.tytrace").code == 0
    with (tmp_path / "x.csv").open() as file:
        rows = list(csv.DictReader(file))
    named = [row for row in rows if row["instruction"]]
    assert len(named) == len(attention.timeline)
    for row, expected in zip(named, attention.timeline, strict=True):
        assert (row["track"], row["reason"]) == (expected["track"], expected["reason"])
        assert float(row["begin_ns"]) == expected["begin_ns"]
        assert row["mnemonic"] == expected["mnemonic"]
    events = json.loads((tmp_path / "x.json").read_text())["traceEvents"]
    slices = [event for event in events if event["ph"] == "X"]
    assert len(slices) == len(rows)
    working = [row for row in rows if row["reason"] == "working"]
    busy_ns = sum(float(row["end_ns"]) - float(row["begin_ns"]) for row in working)
    busy_us = sum(event["dur"] for event in slices if event["cat"] == "working")
    assert busy_us == pytest.approx(busy_ns / 1e3)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("none.tytrace",), "cannot read none.tytrace"),
        ((__file__,), "is not JSON, nor a trace"),
        (("a", "b", "c"), "one RUN, or two"),
    ],
)
def test_a_mistake_is_one_line_and_exit_code_2(arguments, words):
    done = trainyard("view", *arguments)
    assert done.code == 2 and words in done.err
    assert done.err.count("\n") == 1


def test_it_serves_until_it_is_interrupted(saved):
    with start("view", "--serve", saved) as process:
        try:
            line = process.stderr.readline()
            address = re.search(r"http://127\.0\.0\.1:\d+/", line)[0]
            with urllib.request.urlopen(address, timeout=60) as answer:
                assert 'name="document"' in answer.read().decode()
            process.send_signal(signal.SIGINT)
            assert process.wait(30) == 0
        finally:
            process.kill()


def test_what_is_too_large_for_a_file_is_served(saved, monkeypatch, capsys):
    from trainyard.commands import view as command

    monkeypatch.setattr(view, "ROWS_MAX", 10)
    assert command._page(view.runs_at(saved), None) is None
    assert "too much for one file (at most 50 MB and 10 intervals)" in capsys.readouterr().err
    monkeypatch.setattr(view, "ROWS_MAX", 10**9)
    monkeypatch.setattr(view, "PAGE_BYTES_MAX", 1000)
    assert command._page(view.runs_at(saved), None) is None
