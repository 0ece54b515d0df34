"""JAX programs on the simulated machine: do they give the numbers of the CPU?"""

from __future__ import annotations

import numpy as np
import pytest
from trainyard import InputError, load_machine, model

jax = pytest.importorskip("jax")
jnp = jax.numpy
CPU = jax.devices("cpu")[0]

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(64, 128)).astype(np.float32)
W = RANDOM.normal(size=(128, 256)).astype(np.float32)
Q = RANDOM.normal(size=(2, 16, 4, 32)).astype(np.float32)


def norm(x):
    return (x - x.mean(-1, keepdims=True)) / jnp.sqrt(x.var(-1, keepdims=True) + 1e-5)


PROGRAMS = {
    "add": (lambda x: x + 1, [X]),
    "gelu of a product": (lambda x, w: jax.nn.gelu(x @ w), [X, W]),
    "softmax": (jax.nn.softmax, [X]),
    "norm": (norm, [X]),
    "gradient": (lambda x, w: jax.grad(lambda p: jnp.sum(jnp.tanh(x @ p)))(w), [X, W]),
    "rows": (lambda x, i: x[i], [X, np.array([3, 5, 63, 0])]),
    "argmax": (lambda x: jnp.argmax(x, -1), [X]),
    "scan": (lambda x: jax.lax.scan(lambda c, y: (c + y, c * y), jnp.zeros(128), x), [X]),
    "threefry": (lambda: jax.random.bits(jax.random.key(1), (100,)), []),
    "normal": (lambda: jax.random.normal(jax.random.key(1), (100,)), []),
    "sort": (lambda x: jnp.sort(x, -1), [X]),
    "cumsum": (lambda x: jnp.cumsum(x, -1), [X]),
    "heads": (lambda q, k: jnp.einsum("bshd,bthd->bhst", q, k), [Q, Q[::-1]]),
    "trigonometry": (lambda x: (jnp.sin(50 * x), jnp.cos(50 * x), jnp.expm1(x)), [X]),
    "rounding": (lambda x: (jnp.floor(x), jnp.ceil(x), jnp.round(x), jnp.trunc(x)), [X]),
    "where": (lambda x: jnp.where(x > 0, x, -x) ** 2, [X]),
    "pad": (lambda x: jnp.pad(x, ((1, 2), (3, 4))), [X]),
    "backwards": (lambda x: x[::-1, ::2], [X]),
    "concatenation": (lambda x: jnp.concatenate([x, x * 2], 1), [X]),
    "branch": (lambda x: jax.lax.cond(x[0, 0] > 0, lambda: x, lambda: -x), [X]),
    "negative to unsigned": (
        lambda x: (x.astype(jnp.uint16), x.astype(jnp.uint32), x.astype(jnp.int16)),
        [np.arange(-80, 80, dtype=np.int8)],
    ),
    "softplus in half": (lambda x: jax.nn.softplus(x), [X.astype(np.float16)]),
    "integers": (lambda x: (x.astype(jnp.int32) * 7) // 3, [X]),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_agrees_with_the_cpu(name):
    function, arguments = PROGRAMS[name]
    found = jax.tree.leaves(model.compile(function, *arguments)(*arguments))
    with jax.default_device(CPU):
        wanted = jax.tree.leaves(jax.jit(function)(*arguments))
    assert len(found) == len(wanted)
    for ours, theirs in zip(found, wanted, strict=True):
        theirs = np.asarray(theirs)
        assert ours.dtype == theirs.dtype
        if theirs.dtype == np.float16:
            np.testing.assert_allclose(ours, theirs, rtol=2e-3, atol=2e-3)
        elif theirs.dtype.kind == "f":
            np.testing.assert_allclose(ours, theirs, rtol=2e-5, atol=2e-5)
        else:
            np.testing.assert_array_equal(ours, theirs)


def test_a_timed_run_says_what_it_took_and_where():
    compiled = model.compile(lambda x, w: jnp.tanh(x @ w), X, W)
    run = compiled.run(X, W, timed=True)
    assert 0 < run.seconds < 1e-3
    assert run.joules[0] < run.joules[1] < run.joules[2]
    assert compiled.routines == []
    assert "test_jax_programs.py" in run.texts[0]


def test_time_does_not_depend_on_values():
    compiled = model.compile(lambda x, w: jnp.tanh(x @ w), X, W)
    assert (
        compiled.run(X, W, timed=True).seconds
        == compiled.run(X, W, timed=True, values=False).seconds
    )


def test_routines_are_named():
    compiled = model.compile(jnp.cbrt, X)
    [(name, count, place)] = compiled.routines
    assert (name, count) == ("cbrt", 1)
    assert place


def test_other_arguments_are_refused():
    compiled = model.compile(lambda x: x + 1, X)
    with pytest.raises(
        InputError, match=r"float32\[2, 2\], the program was traced with float32\[64, 128\]"
    ):
        compiled(np.ones((2, 2), np.float32))


def test_stochastic_rounding_depends_on_the_seed_alone():
    machine = load_machine("trn3").with_overrides(["policy.cast_rounding=stochastic"])
    x = np.full((128, 512), 1 + 2**-9, np.float32)  # a quarter of the way between two bfloat16
    compiled = model.compile(lambda x: (x * 1).astype(jnp.bfloat16), x, machine=machine)
    runs = [np.asarray(compiled.run(x, seed=seed).results, np.float32) for seed in (1, 2, 1)]
    assert (runs[0] == runs[2]).all()
    assert (runs[0] != runs[1]).any()
    assert 0.24 < (runs[0] > 1).mean() < 0.26
