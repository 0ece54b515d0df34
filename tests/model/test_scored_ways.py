"""Ways to compute regions of programs: does the compiler take the one that is fastest on the
machine, and keep what it has found?"""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest
from trainyard import alternatives, model

jax = pytest.importorskip("jax")
jnp = jax.numpy


def shape(*sizes):
    return jax.ShapeDtypeStruct(sizes, jnp.bfloat16)


def attention(q, k, v):
    scores = jnp.einsum("hqd,hkd->hqk", q, k) / 8
    return jnp.einsum("hqk,hkd->hqd", jax.nn.softmax(scores, -1), v)


# By rule the DMA engines turn the first operand, and the array is faster.
PRODUCT = jnp.matmul, shape(1024, 1024), shape(1024, 512)
# Of these the rule has the DMA engines turn the probabilities, and the array is faster.
FEW_QUERIES = attention, shape(8, 128, 64), shape(8, 1024, 64), shape(8, 1024, 64)
# Too large to be timed unless asked.
MANY = attention, *[shape(8, 4096, 64)] * 3


@pytest.fixture
def compiled(monkeypatch, tmp_path):
    """Compiles as TRAINYARD_TUNE says, with a cache folder of its own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))

    def compile_as(what, tune=None, **options):
        if tune is None:
            monkeypatch.delenv("TRAINYARD_TUNE", raising=False)
        else:
            monkeypatch.setenv("TRAINYARD_TUNE", tune)
        return model.compile(*what, **options)

    return compile_as


def explained(one):
    [[(_, how, _)]] = one._core.groups
    return how


def kept(folder):
    file = folder / "trainyard" / "scores"
    if not file.exists():
        return {}
    head, *lines = file.read_text().splitlines()
    assert head == "trainyard scores 6"
    return dict(line.split() for line in lines)


def test_the_rule_is_followed_where_nothing_may_be_timed(compiled, tmp_path):
    assert "the DMA engines turn" in explained(compiled(FEW_QUERIES, "0"))
    assert not kept(tmp_path)


def test_ways_of_a_small_region_are_timed_and_the_faster_one_taken(compiled, tmp_path):
    by_rule, made = compiled(FEW_QUERIES, "0"), compiled(FEW_QUERIES)
    assert "the array turns" in explained(made)
    assert made.time().seconds < 0.95 * by_rule.time().seconds
    known = kept(tmp_path)
    shares = 2  # of SBUF: with values on chip, and by way of HBM
    assert sum(int(ticks) > 0 for ticks in known.values()) == 2 * shares + shares
    again = compiled(FEW_QUERIES)
    assert kept(tmp_path) == known
    assert again.time().seconds == made.time().seconds


def test_a_large_region_is_timed_only_in_a_search(compiled, tmp_path):
    made = compiled(MANY)
    of_whole = 2
    assert sum(int(ticks) > 0 for ticks in kept(tmp_path).values()) == of_whole
    found = compiled(MANY, "1")
    assert sum(int(ticks) > 0 for ticks in kept(tmp_path).values()) > 2 * of_whole
    assert found.time().seconds <= made.time().seconds


def test_what_a_search_found_is_taken_from_then_on(compiled, tmp_path):
    usual = compiled(PRODUCT)
    found = compiled(PRODUCT, "1")
    assert found.time().seconds < usual.time().seconds
    assert found.instructions != usual.instructions
    after = compiled(PRODUCT)
    assert after.instructions == found.instructions
    assert after.time().seconds == found.time().seconds
    assert compiled(PRODUCT, "0").instructions == usual.instructions


def normed(x):
    real = x.astype(jnp.float32)
    return (real * jax.lax.rsqrt((real * real).mean(-1, keepdims=True) + 1e-5)).astype(x.dtype)


def block(x, w, out, up, down):
    h = normed(x)
    parts = [jnp.reshape(h @ each, (512, 8, 128)) for each in w]
    scores = jnp.einsum("qhd,khd->hqk", *parts[:2]).astype(jnp.float32) / 128**0.5
    shares = jax.nn.softmax(scores, -1).astype(x.dtype)
    x = x + jnp.einsum("hqk,khd->qhd", shares, parts[2]).reshape(512, 1024) @ out
    return x + jax.nn.gelu(normed(x) @ up) @ down


SQUARE = shape(1024, 1024)
# Its regions overlap: with the ways that are fastest alone it is slower than with quick ones.
BLOCK = block, shape(512, 1024), [SQUARE] * 3, SQUARE, shape(1024, 4096), shape(4096, 1024)


def test_a_search_keeps_what_is_fastest_as_a_whole(compiled):
    usual = compiled(BLOCK, cores=2).time().seconds
    assert compiled(BLOCK, "1", cores=2).time().seconds <= usual
    assert compiled(BLOCK, cores=2).time().seconds <= usual


def layers(x, *weights):
    y = x
    for weight in weights:
        y = jax.nn.gelu(y @ weight) + x
    return y


def test_a_search_keeps_values_on_chip_only_where_that_is_faster(compiled):
    """In less of SBUF than by rule these are faster on two cores."""
    what = layers, shape(SQUARE.shape[0] - 1, SQUARE.shape[1]), *[SQUARE] * 3
    usual = compiled(what, cores=2).time().seconds
    found = compiled(what, "1", cores=2)
    assert found.time().seconds < 0.97 * usual
    after = compiled(what, cores=2)
    assert after.time().seconds == found.time().seconds
    assert after.instructions == found.instructions


def read_from_hbm(run):
    [report] = run.reports
    return next(each for each in report["traffic"] if each["memory"] == "hbm")["bytes"]["read"]


@pytest.mark.parametrize(
    ("what", "stays"), [(BLOCK, True), ((layers, SQUARE, *[SQUARE] * 5), False)]
)
def test_values_stay_on_chip_where_that_is_faster_than_by_way_of_hbm(compiled, what, stays):
    by_rule, made = compiled(what, "0"), compiled(what)
    took, takes = by_rule.time(), made.time()
    if stays:
        assert made.instructions == by_rule.instructions
    else:
        assert takes.seconds < 0.99 * took.seconds
        assert read_from_hbm(takes) > 1.2 * read_from_hbm(took)
    (share, own), (other, otherwise) = made._core.shares
    assert [share, other] == ([25, 0] if stays else [0, 25])
    assert own == pytest.approx(1e9 * takes.seconds)
    assert otherwise > own
    after = compiled(what)
    assert after.instructions == made.instructions
    assert after._core.shares == made._core.shares
    assert after.time().seconds == takes.seconds


def test_what_is_fastest_is_known_of_each_schedule_alone(compiled, tmp_path, monkeypatch):
    """What the author's order takes says nothing of that of the list scheduler."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    function, *given = layers, SQUARE, *[SQUARE] * 5
    artifact = jax.export.export(jax.jit(function), platforms=["cpu"])(*given)

    def shares(schedule):
        one = model.Model(artifact.mlir_module_serialized, schedule=schedule)
        return one._core.shares

    alone = shares("author")
    assert alone[0] != shares("list")[0]
    assert shares("author") == alone


def test_ways_are_told_as_they_were_chosen_whatever_is_kept(compiled, tmp_path):
    """Another process may have dropped what this one kept, or keep it anew."""
    usual = compiled(BLOCK)
    with_file = alternatives.Regions(usual._core).ways()
    (tmp_path / "trainyard" / "scores").unlink()
    assert alternatives.Regions(usual._core).ways() == with_file


def test_what_was_timed_to_be_told_changes_no_choice(compiled, tmp_path):
    usual = compiled(PRODUCT)
    before = len(kept(tmp_path))
    ways = alternatives.Regions(usual._core).ways()
    assert any(len(each) > 1 for each in ways.values())
    assert len(kept(tmp_path)) > before
    assert compiled(PRODUCT).instructions == usual.instructions


def test_a_known_way_is_not_timed_again(compiled, tmp_path):
    compiled(FEW_QUERIES)
    file = tmp_path / "trainyard" / "scores"
    head, *lines = file.read_text().splitlines()
    swapped = [ticks for _, ticks in (line.split() for line in lines)]
    times = sorted({int(ticks) for ticks in swapped if int(ticks) > 0})
    *_, fast, slow = times  # of the region; the whole program may take less
    other = {str(fast): str(slow), str(slow): str(fast)}
    lines = [f"{key} {other.get(ticks, ticks)}" for key, ticks in (line.split() for line in lines)]
    file.write_text("\n".join([head, *lines, ""]))
    assert "the DMA engines turn" in explained(compiled(FEW_QUERIES))


@pytest.mark.parametrize("content", ["", "trainyard scores 5\n1 2 3\n", "trainyard scores 6\nx\n"])
def test_a_file_of_something_else_is_not_used(compiled, tmp_path, content):
    file = tmp_path / "trainyard" / "scores"
    file.parent.mkdir()
    file.write_text(content)
    assert "the array turns" in explained(compiled(FEW_QUERIES))


def test_other_ways_give_the_same_bits(compiled):
    random = np.random.default_rng(0)
    for what in (PRODUCT, FEW_QUERIES):
        given = [random.normal(size=each.shape).astype(jnp.bfloat16) for each in what[1:]]
        expected = compiled(what, "0")(*given)
        found = compiled(what, "1")(*given)
        assert np.array_equal(found.view(np.uint16), expected.view(np.uint16))


SCRIPT = """
import os
os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:{threads}])
import jax, jax.numpy as jnp
from trainyard import _core, model

def attention(q, k, v):
    scores = jnp.einsum("hqd,hkd->hqk", q, k) / 8
    return jnp.einsum("hqk,hkd->hqd", jax.nn.softmax(scores, -1), v)

def layer(x, k, v, w):
    return jax.nn.gelu(attention(x, k, v) @ w)

def written_out(x, weights, v):
    for w, u in weights:
        rows = x * jax.lax.rsqrt((x * x).mean(-1, keepdims=True) + 1e-5)
        x = x + jax.nn.gelu(rows @ w) @ u
    return jax.nn.softmax(x @ v)

sizes = (8, 128, 64), (8, 1024, 64), (8, 1024, 64), (64, 512)
made = model.compile(layer, *(jax.ShapeDtypeStruct(each, jnp.bfloat16) for each in sizes), cores=2)
programs = made._core.programs
def given(*sizes):
    return jax.ShapeDtypeStruct(sizes, jnp.float32)

of_layers = given(256, 128), [(given(128, 512), given(512, 128))] * 8, given(128, 384)
exported = jax.export.export(jax.jit(written_out), platforms=["cpu"])(*of_layers)
module = _core.graph_read(exported.mlir_module_serialized)
apart = _core.compile_model(module, _core.load_machine("trn3"), layers="apart").programs
assert len(apart) > 1
for each in [*programs, *apart]:
    print(hash(_core.program_bytes(each.program)))
"""


@pytest.mark.parametrize("tune", ["", "1"])
def test_programs_are_the_same_on_one_thread_and_on_several(tmp_path, tune):
    said = []
    for threads in (1, 8):
        environment = os.environ | {
            "XDG_CACHE_HOME": str(tmp_path / str(threads)),
            "TRAINYARD_TUNE": tune,
            "PYTHONHASHSEED": "0",
        }
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT.format(threads=threads)],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        said.append(done.stdout)
        assert any(int(ticks) > 0 for ticks in kept(tmp_path / str(threads)).values())
    assert said[0] == said[1] != ""
    assert kept(tmp_path / "1") == kept(tmp_path / "8")
