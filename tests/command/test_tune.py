"""trainyard tune and Kernel.tune(): does the fastest variant that computes the same win?"""

from __future__ import annotations

import json
import re
import sys
from types import SimpleNamespace

import nki
import nki.isa as nisa
import nki.language as nl
import numpy as np
import pytest
from command_line import run
from trainyard import program_tuning, tuning
from trainyard.differences import runs

SOURCE = """
import nki
import nki.isa as nisa
import nki.language as nl


@nki.jit
def scale(x, width=512, short=False):
    out = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    assert x.shape[1] % width == 0, "the width divides the columns"
    for i in range(x.shape[1] // width):
        columns = nl.ds(i * width, width)
        tile = nl.ndarray((128, width), dtype=x.dtype, buffer=nl.sbuf)
        nisa.dma_copy(dst=tile, src=x[:, columns])
        if not short:
            nisa.tensor_scalar(dst=tile, data=tile, op0=nl.multiply, operand0=2.0)
        nisa.dma_copy(dst=out[:, columns], src=tile)
    return out
"""
X = np.ones((128, 2048), np.float32)


@pytest.fixture
def kernel(tmp_path, monkeypatch):
    (tmp_path / "scales.py").write_text(SOURCE)
    monkeypatch.syspath_prepend(tmp_path)
    import scales

    yield scales.scale
    del sys.modules["scales"]


def test_the_winner_is_the_fastest_variant(kernel):
    found = kernel.tune(X, over={"width": [128, 256, 512, 1024, 2048]})
    times = {w: kernel.bench(X, width=w).time_ns for w in (128, 256, 512, 1024, 2048)}
    assert found.best.time_ns == min(times.values())
    assert {t.parameters["width"]: t.time_ns for t in found.trials} == times
    assert found.baseline.parameters == {"width": 512}
    np.testing.assert_array_equal(found.kernel(X), 2 * X)


def test_a_variant_that_computes_something_else_does_not_win(kernel):
    found = kernel.tune(X, over={"short": [False, True]})
    assert found.best.parameters == {"short": False}
    assert found.trials[-1].refused == "result 0 differs in 262,144 of 262,144 elements"
    assert kernel.tune(X, over={"short": [False, True]}, verify=False).best.parameters["short"]


def test_refused_variants_stay_in_the_table(kernel):
    found = kernel.tune(X, over={"width": [512, 300, 65536]})
    assert found.best.parameters == {"width": 512}
    assert [t.refused for t in found.trials[1:]] == [
        "AssertionError: the width divides the columns"
    ] * 2
    assert "300" in str(found) and "the width divides" in str(found)
    assert "3 of 3 variants tried, 2 refused;" in str(found)


def test_what_was_refused_and_what_was_not_tried_is_counted(kernel):
    over = {"short": [False, True], "width": [256, 512, 300]}
    assert "6 of 6 variants tried, 2 refused;" in str(kernel.tune(X, over=over, verify=False))
    assert "1 of 6 variants tried;" in str(kernel.tune(X, over=over, trials=1))


def test_a_climb_finds_the_best_of_a_smooth_space():
    """Without a machine: the distance to a point is smallest there."""
    space = tuning.Space({"a": list(range(9)), "b": list(range(9)), "schedule": ["list"]})
    asked = []

    def measure(variants):
        asked.extend(variants)
        return [
            tuning.Trial({"a": v["a"], "b": v["b"]}, "list", abs(v["a"] - 6) + abs(v["b"] - 2))
            for v in variants
        ]

    search = tuning.Search(measure, trials=60)
    search.climb(space, {"a": 0, "b": 0, "schedule": "list"})
    assert search.trials[0].parameters["a"] == 6 and search.trials[0].parameters["b"] == 2
    keys = [json.dumps(v, sort_keys=True) for v in asked]
    assert len(keys) == len(set(keys)) <= 60


def test_a_kept_search_is_read_again_and_another_program_is_not(kernel, tmp_path):
    file = tmp_path / "tuned.json"
    first = kernel.tune(X, over={"width": [256, 1024]}, keep=file)
    again = kernel.tune(X, over={"width": [256, 1024]}, keep=file)
    assert not first.kept and again.kept
    assert again.trials == first.trials
    assert not kernel.tune(X[:, :1024], over={"width": [256, 1024]}, keep=file).kept
    assert not kernel.tune(X, over={"width": [256, 1024]}, keep=file, machine="trn2").kept
    assert len(json.loads(file.read_text())["kernels"]) == 3


def test_what_others_keep_during_a_search_stays(kernel, tmp_path, monkeypatch):
    file = tmp_path / "tuned.json"
    searched = tuning._searched

    def search_beside_another(*arguments):
        if not file.exists():
            monkeypatch.setattr(tuning, "_searched", searched)
            kernel.tune(X[:, :1024], over={"width": [256]}, keep=file)
        return searched(*arguments)

    monkeypatch.setattr(tuning, "_searched", search_beside_another)
    kernel.tune(X, over={"width": [256]}, keep=file)
    assert len(json.loads(file.read_text())["kernels"]) == 2
    assert list(tmp_path.glob("tuned*")) == [file]


def test_a_file_that_cannot_be_written_is_refused_before_the_search(kernel, tmp_path, monkeypatch):
    monkeypatch.setattr(tuning, "_searched", None)
    with pytest.raises(ValueError, match="choose a folder that exists"):
        kernel.tune(X, over={"width": [256]}, keep=tmp_path / "missing" / "tuned.json")


@pytest.mark.parametrize(
    "content", ["", "{}", '{"schema": "trainyard.tuning/1"}', '{"schema": "x", "kernels": {}}']
)
def test_a_file_of_something_else_is_kept_as_it_is(kernel, tmp_path, content):
    file = tmp_path / "mine.json"
    file.write_text(content)
    with pytest.raises(ValueError, match="not a file of tunings"):
        kernel.tune(X, over={"width": [256]}, keep=file)
    assert file.read_text() == content


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"over": {"depth": [1]}}, "no parameter 'depth'"),
        ({"over": {"width": []}}, "no value for width"),
        ({"over": {"width": [512]}, "schedules": ["fast"]}, "schedules are of"),
        ({"over": {"schedule": ["list"]}}, "given by schedules="),
        ({"over": {"width": [512]}, "trials": 0}, "at least one trial"),
    ],
)
def test_a_search_that_cannot_be_is_refused(kernel, given, said):
    with pytest.raises(ValueError, match=re.escape(said)):
        kernel.tune(X, **given)


def test_defaults_that_are_refused_keep_their_own_error():
    @nki.jit
    def too_large(x, columns=2**20):
        tile = nl.ndarray((128, columns), dtype=x.dtype, buffer=nl.sbuf)
        nisa.memset(dst=tile, value=0)
        return x

    with pytest.raises(Exception, match=r"tile\.elements"):
        too_large.tune(X, over={"columns": [2**20, 2**21]})


def test_the_command_prints_a_table_and_json(tmp_path):
    file = tmp_path / "scales.py"
    file.write_text(SOURCE)
    call = ["tune", f"{file}:scale", "x=float32[128,2048]", "--over", "width=256,512,300"]
    done = run(*call)
    assert done.code == 0
    assert "best width=512" in done.out and "divides the columns" in done.out
    document = json.loads(run(*call, "--json", "--jobs", "2").out)
    assert document["schema"] == "trainyard.tuning/1"
    assert document["best"]["parameters"] == {"width": 512}
    assert [t["time_ns"] is None for t in document["trials"]] == [False, False, True]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--over", "depth=1,2"], "unexpected keyword argument 'depth'"),
        (["--over", "width"], "--over is NAME=VALUE,VALUE"),
        (["--over", "width=1,2", "--over", "width=3"], "given twice"),
        ([], "nothing to tune"),
    ],
)
def test_wrong_options_are_usage_errors(tmp_path, arguments, said):
    file = tmp_path / "scales.py"
    file.write_text(SOURCE)
    done = run("tune", f"{file}:scale", "x=float32[128,2048]", *arguments)
    assert done.code == 2
    assert said in done.err and "Traceback" not in done.err


PROGRAM = """module @large {
  func.func @main(%x: tensor<512x1024xbf16>, %w: tensor<1024x1024xbf16>) -> tensor<512x1024xbf16> {
    %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
      : (tensor<512x1024xbf16>, tensor<1024x1024xbf16>) -> tensor<512x1024xbf16>
    return %y : tensor<512x1024xbf16>
  }
}
"""


def test_products_of_a_program_are_tuned(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    (tmp_path / "large.mlir").write_text(PROGRAM)
    done = run("tune", str(tmp_path / "large.mlir"))
    assert done.code == 0, done.err
    kept = tmp_path / "trainyard" / "scores"
    assert f"kept in {kept}" in done.out
    first = done.out.splitlines()[0]
    assert " us -> " in first or first.startswith("1 function takes the same time")
    assert kept.read_text().startswith("trainyard scores 6\n")


def test_what_tuning_gained_stands_first_and_what_stayed_is_counted():
    def run_of(kernel, before, after):
        return SimpleNamespace(
            after=SimpleNamespace(kernel=kernel), time=runs.Change(float(before), float(after))
        )

    tuned = [run_of("a", 100, 100), run_of("b", 2000, 1900), run_of("c", 3000, 1500)]
    tuned.append(run_of("d", 7, 7))
    first, second, last = program_tuning.lines(SimpleNamespace(runs=tuned))
    assert first == "c: 3.000 us -> 1.500 us (-50.0 %)"
    assert second == "b: 2.000 us -> 1.900 us (-5.0 %)"
    assert last.startswith("2 functions take the same time")


def test_a_script_that_fails_ends_tuning_with_its_code(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    done = run("tune", str(tmp_path / "missing.mlir"))
    assert done.code == run("time", str(tmp_path / "missing.mlir")).code != 0


def test_a_script_has_no_parameters_to_try(tmp_path):
    assert run("tune", "train.py", "--over", "tile=1,2").code == 2
