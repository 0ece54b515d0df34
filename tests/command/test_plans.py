"""Do plan train, recommend and sweep print, write and refuse as they say?"""

import json
import sqlite3

import pytest
from trainyard.__main__ import make_parser

TRAIN = ("plan", "train", "llama3-8b", "--on", "trn1", "--tokens", "1e12", "--global-batch", "64")


def test_a_plan_is_printed_and_written(trainyard, tmp_path):
    files = ("--csv", "a.csv", "--figure", "a.svg", "--tornado", "t.svg", "--torchtitan", "a.toml")
    made = trainyard(*TRAIN, "--chips", "32,64", *files, "--page", "a.html")
    assert made.code == 0
    for words in ("plans timed", "MFU", "interruptions", "fabric", "P10 to P90", "ZeRO"):
        assert words in made.out
    assert (tmp_path / "a.csv").read_text().startswith("chips,")
    assert (tmp_path / "a.svg").read_text().startswith("<svg")
    assert (tmp_path / "t.svg").read_text().startswith("<svg")
    assert (tmp_path / "a.html").read_text().startswith("<!doctype html>")
    again = trainyard(*TRAIN, "--chips", "64", "--plan", "a.toml", "--json")
    assert again.code == 0
    best = again.data["searches"][0]["plans"][0]["plan"]
    assert f"tensor_parallel_degree = {best['tp']}" in (tmp_path / "a.toml").read_text()


def test_a_plan_for_nxd_is_read_again(trainyard):
    fixed = ("--zero", "1", "--schedule", "1f1b", "--recompute", "selective", "--chips", "32")
    assert trainyard(*TRAIN, *fixed, "--nxd", "plan.json").code == 0
    first = trainyard(*TRAIN, *fixed, "--json").data["searches"][0]["plans"][0]
    again = trainyard(*TRAIN, "--chips", "32", "--plan", "plan.json", "--json")
    assert again.data["searches"][0]["plans"][0]["values"] == first["values"]


def test_measurements_move_a_plan(trainyard, tmp_path):
    (tmp_path / "mine.toml").write_text(
        '[run]\nmodel = "llama3-8b"\nphase = "training"\nvalue = 0.1\n'
        "ask = { tp = 16, pp = 1, dp = 2, global_batch = 64 }\n"
    )
    plain = trainyard(*TRAIN, "--chips", "32", "--json").data["searches"][0]
    slow = trainyard(*TRAIN, "--chips", "32", "--calibrate", "mine.toml", "--json")
    slow = slow.data["searches"][0]
    step = "step_seconds"
    assert slow["plans"][0]["values"][step] > 1.05 * plain["plans"][0]["values"][step]


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        ((*TRAIN, "--chips", "0"), 2, "different numbers"),
        ((*TRAIN, "--chips", "8,8"), 2, "different numbers"),
        ((*TRAIN, "--chips", "many"), 2, "whole number"),
        ((*TRAIN, "--chips", "8", "--moments", "fp8"), 2, "--moments is"),
        ((*TRAIN, "--chips", "8", "--schedule", "gpipe"), 3, "plan.option"),
        ((*TRAIN, "--chips", "8", "--zero", "5"), 3, "plan.range"),
        ((*TRAIN, "--chips", "8", "--plan", "no.toml"), 2, "cannot read"),
        ((*TRAIN, "--chips", "8", "--price", "gift"), 2, "price list"),
        (("plan", "train", "llama3-405b", "--on", "trn1", "--chips", "2", "--tokens", "1"), 4, ""),
        (("recommend", "llama3-8b"), 2, "name the users"),
        (("recommend", "llama3-8b", "--users", "10", "--slo", "x"), 2, "service level"),
        (("recommend", "llama3-8b", "--users", "9", "--slo", "ttft=1us,tpot=1us"), 4, ""),
        (("sweep", "no.toml"), 2, "cannot read"),
    ],
)
def test_bad_input_has_one_error_and_its_code(trainyard, arguments, code, words):
    run = trainyard(*arguments)
    assert run.code == code
    assert words in run.err
    assert "Traceback" not in run.err


def test_a_service_is_sized(trainyard):
    made = trainyard("recommend", "llama3-8b", "--on", "h100,trn2", "--users", "1000")
    assert made.code == 0
    assert "why not fewer" in made.out
    found = trainyard("recommend", "llama3-8b", "--on", "h100,trn2", "--users", "1000", "--json")
    assert found.data["schema"] == "trainyard.recommendation/1"
    assert found.data["fewest"] in ("h100", "trn2")


def test_a_study_is_kept_in_sqlite(trainyard, tmp_path):
    (tmp_path / "study.toml").write_text(
        '[study]\nask = "serving"\n[axes]\nmachine = ["h100", "trn2"]\n'
        '[fixed]\nmodel = "llama3-8b"\nintervals = false\n'
    )
    made = trainyard("sweep", "study.toml", "--csv", "all.csv")
    assert made.code == 0
    assert "2 points: 2 answered; 2 of them now" in made.out
    assert (tmp_path / "all.csv").read_text().count("\n") == 3
    database = sqlite3.connect(tmp_path / "study.sqlite")
    rows = database.execute("select count(*) from answers where name = 'mean_tpot'").fetchone()
    database.close()
    assert rows == (2,)
    again = trainyard("sweep", "study.toml", "--json")
    assert json.loads(again.out)["new"] == 0


RUN = ("plan", "train", "llama3-8b", "--on", "trn1", "--chips", "32", "--tokens", "1e9")


def test_what_was_found_is_shown_where_a_file_cannot_say_it(trainyard, tmp_path):
    done = trainyard(*RUN, "--zero", "3", "--nxd", "plan.yaml")
    assert (done.code, "has no ZeRO-3" in done.err) == (2, True)
    assert "MFU" in done.out
    assert not (tmp_path / "plan.yaml").exists()


def test_simulated_layers_are_asked_for_the_step_that_was_searched(monkeypatch):
    from trainyard.commands import plan_train
    from trainyard.planner import exact

    asked = []

    def compare(*_, **options):
        asked.append(options)
        raise KeyboardInterrupt  # nothing is simulated

    monkeypatch.setattr(exact, "compare", compare)
    words = ("--format", "fp8", "--sum-fp32", "--set", "power.all_in=900", "--exact", "--cp", "1")
    options = make_parser().parse_args([*RUN, *words])
    with pytest.raises(KeyboardInterrupt):
        plan_train.run(options)
    (one,) = asked
    assert one["training_format"] == "fp8" and one["sum_fp32"]
    assert list(one["settings"]) == ["power.all_in=900"]


@pytest.mark.parametrize("chips", ["1024.5", "x", "0", "8,8", "nan"])
def test_chips_are_whole_numbers(trainyard, chips):
    done = trainyard(*RUN[:6], chips, *RUN[7:])
    assert (done.code, "--chips" in done.err) == (2, True)


def test_fit_looks_at_the_layout_that_is_named(trainyard):
    done = trainyard("fit", "llama3-70b", "--on", "trn2", "--tp", "8", "--dp", "4", "--zero", "3")
    assert (done.code, "training\n  32 chips: tp 8, dp 4" in done.out) == (0, True)
    assert "(ZeRO-3)" in done.out
    wrong = trainyard("fit", "llama3-70b", "--on", "trn2", "--tp", "3")
    assert (wrong.code, "option: --tp 3" in wrong.err) == (3, True)
    assert trainyard("fit", "llama3-70b", "--on", "trn2", "--tp", "3", "--pads-heads").code in (
        0,
        4,
    )
