"""Values that only products read: does the compiler give them the layout that is fastest on the
machine, and do they keep their bits?"""

import itertools

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from trainyard import alternatives, model

FEATURES = "features on partitions"


def chain(x, *weights):
    for weight in weights:
        x = jax.nn.gelu(x @ weight)
    return x


def gated(x, gate, up, down):
    return (jax.nn.silu(x @ gate) * (x @ up)) @ down


def biased(x, up, a, down, b):
    return jax.nn.gelu(x @ up + a) @ down + b


def batched(x, up, down):
    hidden = jnp.tanh(jnp.einsum("bnd,bdf->bnf", x, up))
    return jnp.einsum("bnf,bfd->bnd", hidden, down)


def by_heads(x, up, down):
    hidden = jnp.tanh(jnp.einsum("nd,dhk->nhk", x, up))
    return jnp.einsum("nhk,hkd->nd", hidden, down)


def read_elsewhere(x, up, down):
    hidden = jax.nn.gelu(x @ up)
    return hidden @ down, hidden


def of(function, *shapes):
    return function, *(jax.ShapeDtypeStruct(each, jnp.bfloat16) for each in shapes)


def widths(rows, *sizes):
    return of(chain, (rows, sizes[0]), *itertools.pairwise(sizes))


# Few rows leave partitions idle, and the array turns every value that one product hands another.
FEW = widths(64, 512, 512, 512, 512, 512)
# Of these each product is as fast either way, and stationary operands take longer to come.
MANY = widths(512, 512, 512, 512, 512, 512)
# The value of 64 features is better not turned.
MIXED = widths(512, 128, 512, 64, 2048, 512)
GATED = of(gated, (200, 1024), (1024, 2816), (1024, 2816), (2816, 1024))
BIASED = of(biased, (130, 256), (256, 1024), (1024,), (1024, 256), (256,))
CASES = {
    "few": FEW,
    "many": MANY,
    "gated": GATED,
    "biased": BIASED,
    "batches": of(batched, (3, 200, 96), (3, 96, 160), (3, 160, 96)),
    "batches of few columns": of(batched, (6, 140, 64), (6, 64, 64), (6, 64, 96)),
    "heads": of(by_heads, (150, 256), (256, 5, 64), (5, 64, 256)),
}


@pytest.fixture
def compiled(monkeypatch, tmp_path):
    """Compiles as TRAINYARD_TUNE says, with a cache folder of its own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))

    def compile_as(what, tune="", **options):
        monkeypatch.setenv("TRAINYARD_TUNE", tune)
        return model.compile(*what, **options)

    return compile_as


def turned(one):
    """How many products put their columns on partitions."""
    return sum(how.endswith(FEATURES) for groups in one._core.groups for _, how, _ in groups)


def layouts(one):
    """The taken layouts, and what each that was timed takes with what reads the values, in ns."""
    (ways,) = alternatives.Regions(one._core).layouts().values()
    return ways[0][0], {words: ns for words, _, ns in ways}


@pytest.mark.parametrize("case, share", [("few", 0.75), ("gated", 0.9), ("biased", 0.85)])
def test_values_are_turned_where_that_is_faster(compiled, case, share):
    by_rule, made = compiled(CASES[case], "0"), compiled(CASES[case])
    assert turned(by_rule) == 0
    assert turned(made) == len(CASES[case][1:]) - 2 if case != "biased" else 1
    assert made.time().seconds < share * by_rule.time().seconds
    taken, times = layouts(made)
    assert taken == FEATURES
    assert times[FEATURES] < times[""]


def test_values_keep_their_rows_where_that_is_faster(compiled):
    by_rule, made = compiled(MANY, "0"), compiled(MANY)
    assert turned(made) == 0
    assert made.instructions == by_rule.instructions
    taken, times = layouts(made)
    assert taken == ""
    assert times[""] < times[FEATURES]


def test_a_search_lays_each_value_otherwise(compiled):
    """Neither rows nor features everywhere, which is what is timed unless asked."""
    quick, found = compiled(MIXED), compiled(MIXED, "1")
    assert turned(quick) == 0
    assert 0 < turned(found) < 3
    assert found.time().seconds < quick.time().seconds
    taken, times = layouts(found)
    assert times[taken] < min(times[""], times[FEATURES])


@pytest.mark.parametrize("cores", [1, 2])
@pytest.mark.parametrize("case", CASES)
def test_layouts_change_no_bits(compiled, case, cores):
    random = np.random.default_rng(0)
    what = CASES[case]
    given = [
        (random.normal(size=each.shape) / each.shape[0] ** 0.5).astype(jnp.bfloat16)
        for each in what[1:]
    ]
    expected = compiled(what, "0", cores=cores)(*given)
    for tune in ("", "1"):
        found = compiled(what, tune, cores=cores)(*given)
        assert np.array_equal(found.view(np.uint16), expected.view(np.uint16))


def test_a_value_that_is_read_otherwise_keeps_its_rows(compiled):
    made = compiled(of(read_elsewhere, (64, 512), (512, 512), (512, 512)))
    assert turned(made) == 0
    assert not alternatives.Regions(made._core).layouts()
