"""Equal layers that a model writes out: compiled once, with the bits of one program and times that
differ by no more than what it takes to begin."""

from __future__ import annotations

import numpy as np
import pytest
import trainyard
from trainyard import model

jax = pytest.importorskip("jax")
jnp = jax.numpy
RANDOM = np.random.default_rng(5)
WIDTH, LAYERS = 128, 5


def normal(*shape):
    return (RANDOM.normal(size=shape) / 8).astype(np.float32)


def norm(x):
    return x * jax.lax.rsqrt((x**2).mean(-1, keepdims=True) + 1e-6)


def layer(x, w, mask):
    q, k, v = (norm(x) @ each for each in w["qkv"])
    x = x + jax.nn.softmax(jnp.where(mask, q @ k.T, -1e30)) @ v
    return x + jax.nn.gelu(norm(x) @ w["up"] + w["bias"]) @ w["down"]


def weights(width=WIDTH):
    return {
        "qkv": [normal(width, width) for _ in range(3)],
        "up": normal(width, 2 * width),
        "bias": normal(2 * width),
        "down": normal(2 * width, width),
    }


def written_out(x, layers):
    mask = jnp.tril(jnp.ones((len(x), len(x)), bool))
    for number, w in enumerate(layers):
        with jax.named_scope(f"layer_{number}"):
            x = layer(x, w, mask)
    return norm(x).sum(-1)


def called(x, layers):
    mask = jnp.tril(jnp.ones((len(x), len(x)), bool))
    each = jax.jit(layer)
    for w in layers:
        x = each(x, w, mask)
    return x


def trained(x, layers):
    return jax.grad(lambda ws: written_out(x, ws).sum())(layers)


def taps(x, layers):
    """What lies between layers is a result, and the last layer is not like the others."""
    seen = []
    for w in layers[:-1]:
        x = layer(x, w, True)
        seen.append(x[0])
    return seen, layer(x, layers[-1], jnp.tril(jnp.ones((len(x), len(x)), bool)))


def both(function, *arguments, **options):
    return [
        model.compile(function, *arguments, layers=how, **options) for how in ("together", "apart")
    ]


def bodies(run):
    """How often each compiled program ran."""
    seen = {}
    for each in run._core.programs:
        seen.setdefault(id(each.instance.program), []).append(each.count)
    return sorted(len(runs) for runs in seen.values())


def assert_same_bits(one, other):
    for a, b in zip(jax.tree.leaves(one), jax.tree.leaves(other), strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("function", [written_out, called, trained, taps])
@pytest.mark.parametrize("cores", [1, 2])
def test_bits_are_those_of_one_program(function, cores):
    arguments = normal(64, WIDTH), [weights() for _ in range(LAYERS)]
    together, apart = both(function, *arguments, cores=cores)
    assert apart.instructions < together.instructions
    assert_same_bits(together(*arguments), apart(*arguments))
    assert_same_bits(together(*arguments), apart(*arguments))  # buffers are used again


@pytest.mark.parametrize("function", [written_out, trained])
def test_instructions_grow_with_distinct_layers(function):
    counts = []
    for layers in (2 * LAYERS, 4 * LAYERS):
        arguments = normal(64, WIDTH), [weights() for _ in range(layers)]
        counts.append(model.compile(function, *arguments, layers="apart").instructions)
    assert counts[0] == counts[1]


def test_an_instance_is_timed_once_and_has_its_own_names():
    arguments = normal(64, WIDTH), [weights() for _ in range(LAYERS)]
    together, apart = both(written_out, *arguments)
    run = apart.time()
    timed = apart.run(*arguments, timed=True)
    assert run.seconds == timed.seconds
    assert sum(each.count for each in run._core.programs) >= LAYERS
    assert run.seconds == pytest.approx(together.time().seconds, rel=0.35)
    names = [{line["function"] for line in report["operations"]} for report in run.reports]
    for number in range(1, LAYERS):
        assert sum(any(f"/layer_{number}/" in name for name in each) for each in names) in (1, 2)


def told(run):
    """All that a run tells of time, energy and findings."""
    return {
        "nanoseconds": run._core.nanoseconds,
        "joules": run._core.joules,
        "programs": [
            (each.count, each.nanoseconds, [str(one) for one in each.run.findings])
            for each in run._core.programs
        ],
        "reports": run.reports,
    }


@pytest.mark.parametrize("function", [written_out, called, trained])
def test_an_instance_that_is_timed_again_takes_as_long(function):
    arguments = normal(64, WIDTH), [weights() for _ in range(LAYERS)]
    apart = model.compile(function, *arguments, layers="apart")
    leaves = jax.tree.leaves(arguments)
    kept = apart._kept if apart._kept is not None else range(len(leaves))
    inputs = [apart._input(number, leaves[i]) for number, i in enumerate(kept)]

    def run(values, checks, folds):
        options = trainyard._core.RunOptions()
        options.timed, options.folds_alike = True, folds
        options.values, options.checks = values, checks
        return apart._as_run(apart._core.run_as(inputs, options))

    folded, whole = run(False, False, True), run(False, False, False)
    assert told(folded) == told(whole)
    checked, all_checked = run(True, True, True), run(True, True, False)
    assert told(checked) == told(all_checked)
    assert any(each.run.findings for each in checked._core.programs)
    assert told(checked)["nanoseconds"] == told(folded)["nanoseconds"]


def test_other_weights_shapes_and_constants_are_other_layers():
    layers = [weights(), weights(), weights(64), weights(64)]

    def mixed(x, y, layers):
        for w in layers[:2]:
            x = layer(x, w, True)
        for w in layers[2:]:
            y = layer(y, w, True)
        return x * 2, y * 3

    arguments = normal(32, WIDTH), normal(32, 64), layers
    together, apart = both(mixed, *arguments)
    assert_same_bits(together(*arguments), apart(*arguments))

    def scaled(x, layers):
        for number, w in enumerate(layers):
            x = layer(x * (1 + number), w, True)
        return x

    arguments = normal(32, WIDTH), [weights() for _ in range(3)]
    together, apart = both(scaled, *arguments)
    assert_same_bits(together(*arguments), apart(*arguments))


def test_short_layers_stay_in_one_program():
    arguments = normal(64, WIDTH), [weights() for _ in range(LAYERS)]
    by_time = model.compile(written_out, *arguments)
    assert (
        by_time.instructions
        == model.compile(written_out, *arguments, layers="together").instructions
    )


def test_another_word_is_refused():
    with pytest.raises(trainyard.InputError, match=r"model\.layers"):
        model.compile(written_out, normal(8, WIDTH), [weights()], layers="once")
