"""Loops and branches of JAX programs run as loops of the machine, with the CPU's values."""

from __future__ import annotations

import numpy as np
import pytest
import trainyard
from trainyard import model

jax = pytest.importorskip("jax")
jnp, lax = jax.numpy, jax.lax
RANDOM = np.random.default_rng(5)


def normal(*shape):
    return RANDOM.normal(size=shape).astype(np.float32)


X, Y = normal(100, 64), normal(100, 64)
W, WS = normal(64, 64) * 0.1, normal(6, 64, 64) * 0.1
XS = normal(20, 4, 64)


def carry_and_outputs(x):
    return lax.scan(lambda c, y: (c + y, c * y), jnp.zeros(64), x)


def backwards(x):
    return lax.scan(lambda c, y: (c * 0.5 + y, c), jnp.zeros(64), x, reverse=True)


def recurrent(w, xs):
    def step(h, x):
        h = jnp.tanh(h @ w + x)
        return h, h

    return lax.scan(step, jnp.zeros((4, 64)), xs)


def layers(ws, x):
    return lax.scan(lambda h, w: (jax.nn.gelu(h @ w) + h, None), x, ws)[0]


def rows(x):
    return lax.scan(lambda c, y: (jax.nn.softmax(c + y), (c * y).sum(-1)), x, jnp.stack([x, x * 2]))


def reads_its_counter(x):
    return lax.fori_loop(0, 10, lambda i, c: c * 0.5 + i, x)


def exchanges(x, y):
    return lax.fori_loop(0, 5, lambda i, c: (c[1], c[0] + 1), (x, y))


def reads_what_it_wrote(x):
    return lax.fori_loop(1, 50, lambda i, x: x.at[i].set(x[i - 1] * 0.5 + x[i]), x)


def overlapping(x):
    return lax.fori_loop(
        0,
        9,
        lambda i, x: lax.dynamic_update_slice(x, lax.dynamic_slice(x, (i, 0), (8, 64)), (i + 1, 0)),
        x,
    )


def is_read_again(x):
    def body(i, x):
        changed = x.at[i].set(0.0)
        return changed + x[3]

    return lax.fori_loop(0, 6, body, x)


def nested(x):
    def outer(i, a):
        return lax.fori_loop(0, 4, lambda j, a: a.at[2 * i + j].add(x[j] * 0.5), a)

    return lax.fori_loop(0, 6, outer, jnp.zeros_like(x))


def triangle(x):
    return lax.fori_loop(0, 5, lambda i, a: lax.fori_loop(0, i, lambda j, a: a + x[j], a), x[0])


def beyond_the_end(x):
    return lax.fori_loop(90, 105, lambda i, a: a + lax.dynamic_slice(x, (i, 0), (7, 64)), x[:7])


def gathers(x, places):
    return lax.scan(lambda c, i: (c + x[i], x[i] * 2), jnp.zeros(64), places)


def from_before(x):
    a = jnp.tanh(x)
    b = lax.fori_loop(0, 3, lambda i, c: c + a, x)
    return b * a


def never(x):
    return lax.fori_loop(3, 3, lambda i, c: c + 1, x), lax.fori_loop(4, 2, lambda i, c: c + i, 1)


def downwards(x):
    def body(state):
        i, c = state
        return i - 3, c + x[i]

    return lax.while_loop(lambda state: state[0] > 2, body, (20, x[0]))


COUNTED = {
    "carry and outputs": (carry_and_outputs, X),
    "backwards": (backwards, X),
    "recurrent": (recurrent, W, XS),
    "layers": (layers, WS, XS[:, 0]),
    "rows": (rows, X),
    "reads its counter": (reads_its_counter, X),
    "exchanges": (exchanges, X, Y),
    "reads what it wrote": (reads_what_it_wrote, X),
    "overlapping": (overlapping, X),
    "is read again": (is_read_again, X),
    "nested": (nested, X),
    "beyond the end": (beyond_the_end, X),
    "gathers": (gathers, X, RANDOM.integers(0, 100, 9).astype(np.int32)),
    "from before": (from_before, X),
    "never": (never, X),
    "downwards": (downwards, X),
}


def newton(x):
    return lax.while_loop(lambda s: jnp.abs(s * s - x) > 1e-4, lambda s: (s + x / s) / 2, x)


def as_often_as(x, n):
    a = jnp.tanh(x)
    return lax.fori_loop(0, n, lambda i, c: c + a[i], jnp.zeros(64)) * a


def one_of_two(x, n):
    a = jnp.tanh(x)
    return lax.cond(n > 2, lambda x: x + a, lambda x: x * 2, x) + a


def one_of_three(x, n):
    return lax.switch(n, [lambda x: x + 1, lambda x: x * 2, jnp.negative], x)


def branch_in_a_loop(x):
    def step(c, _):
        c = lax.cond(c[0] > 1, lambda c: c * 0.5, lambda c: c + 1, c)
        return c, c.sum()

    return lax.scan(step, x[0], jnp.arange(7))


NUMBERS = [np.int32(n) for n in (-1, 0, 1, 2, 3, 9)]
DEPENDENT = {
    "newton": (newton, np.float32(7)),
    "not at all": (newton, np.float32(1)),
    "branch in a loop": (branch_in_a_loop, X),
    "triangle": (triangle, X),
    **{f"as often as {n}": (as_often_as, X, n) for n in NUMBERS},
    **{f"one of two, {n}": (one_of_two, X, n) for n in NUMBERS},
    **{f"one of three, {n}": (one_of_three, X, n) for n in NUMBERS},
}


def check(function, arguments):
    compiled = model.compile(function, *arguments)
    assert len(compiled._core.programs) <= 1 and not compiled.routines
    run = compiled.run(*arguments, checks=True)
    assert run.texts == [] or all("error:" not in text for text in run.texts)
    wanted = jax.jit(function)(*arguments)
    for got, want in zip(jax.tree.leaves(run.results), jax.tree.leaves(wanted), strict=True):
        np.testing.assert_allclose(got, want, rtol=2e-5, atol=2e-5)
    return compiled


@pytest.mark.parametrize("name", COUNTED)
def test_loops_whose_count_is_known_take_the_same_time_without_values(name):
    function, *arguments = COUNTED[name]
    compiled = check(function, arguments)
    assert not compiled._core.has_control_flow
    timed = [compiled.run(*arguments, timed=True, values=v).seconds for v in (True, False)]
    assert timed[0] == timed[1]


@pytest.mark.parametrize("name", DEPENDENT)
def test_loops_and_branches_that_depend_on_data(name):
    function, *arguments = DEPENDENT[name]
    compiled = check(function, arguments)
    assert compiled._core.has_control_flow
    with pytest.raises(trainyard.Fault, match=r"time\.data"):
        compiled.run(*arguments, timed=True, values=False)


@pytest.mark.parametrize("cores", [1, 2])
def test_a_loop_has_the_code_of_one_turn(cores):
    def instructions(turns):
        compiled = model.compile(carry_and_outputs, X[:turns], cores=cores)
        np.testing.assert_array_equal(compiled(X[:turns])[0], np.cumsum(X[:turns], 0)[-1])
        return compiled.instructions

    assert instructions(50) == instructions(100) < 40


def lstm(w, u, xs):
    def step(state, x):
        h, c = state
        i, f, g, o = jnp.split(h @ w + x @ u, 4, -1)
        c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
        return (jax.nn.sigmoid(o) * jnp.tanh(c), c), None

    return lax.scan(step, (jnp.zeros((4, 64)), jnp.zeros((4, 64))), xs)[0]


def swapped_and_summed(x):
    def step(state, _):
        a, b, n, v = state
        return (b, a + n, b.sum(), v * 0.5 + a[0]), None

    return lax.scan(step, (x, x * 2, jnp.float32(0), x[1]), None, 5)[0]


def many(x):
    """More small state than SBUF has room for."""
    state = [x + n for n in range(40)]
    return lax.fori_loop(
        0, 3, lambda i, c: [a * 0.5 + b for a, b in zip(c, c[1:] + c[:1], strict=True)], state
    )


@pytest.mark.parametrize("cores", [1, 2])
@pytest.mark.parametrize(
    ("function", "arguments", "microseconds"),
    [
        (lambda w, xs: recurrent(w, xs)[0], (W, XS), 6),
        (lstm, (normal(64, 256) * 0.1, normal(64, 256) * 0.1, XS), 14),
        (swapped_and_summed, (X,), 14),
        (many, (normal(64, 1024),), 1000),
    ],
)
def test_small_state_stays_on_chip_between_turns(function, arguments, microseconds, cores):
    compiled = model.compile(function, *arguments, cores=cores)
    run = compiled.run(*arguments, timed=True, checks=True)
    assert all("error:" not in text for text in run.texts)
    for got, want in zip(
        jax.tree.leaves(run.results), jax.tree.leaves(jax.jit(function)(*arguments)), strict=True
    ):
        np.testing.assert_allclose(got, want, rtol=2e-5, atol=2e-5)
    assert run.seconds < len(XS) * microseconds * 1e-6


def test_layers_of_a_scan_take_no_longer_to_compile():
    """More than those that are written out."""
    few, many = (model.compile(layers, normal(n, 64, 64), X).instructions for n in (24, 200))
    assert few == many


def test_the_host_turns_a_loop_with_a_routine():
    def function(x):
        return lax.scan(lambda c, y: (lax.population_count(c) + y, c), jnp.uint32(3), x)

    x = np.arange(9, dtype=np.uint32)
    compiled = model.compile(function, x)
    assert compiled.routines
    np.testing.assert_array_equal(compiled(x)[1], function(x)[1])


def test_two_cores_share_what_stands_before_and_behind_a_loop():
    def function(x, w):
        y = jax.nn.gelu(x @ w)
        y = lax.fori_loop(0, 3, lambda i, y: y * 0.5 + y[i], y)
        return y @ w

    x, w = normal(1100, 1000), normal(1000, 1000) / 30
    one, two = (model.compile(function, x, w, cores=cores) for cores in (1, 2))
    assert len(two._core.programs) == 2
    np.testing.assert_array_equal(one(x, w), two.run(x, w, checks=True).results)


def in_one_loop(x, w):
    def layer(x, w):
        return x + jnp.tanh(x @ w["up"]) @ w["down"], x.mean(1)

    return lax.scan(layer, x, w)


def in_nested_loops(x, w):
    def outer(x, w):
        x = lax.fori_loop(0, 3, lambda i, x: x + jnp.tanh(x @ w["up"]) @ w["down"] * 0.1, x)
        return jnp.where(x.sum() > 0, x, x * 0.5), x[0]

    return lax.scan(outer, x, w)


def with_a_branch(x, w):
    def layer(x, w):
        x = x + jnp.tanh(x @ w["up"]) @ w["down"]
        x = lax.cond(x[0, 0] > 0, lambda x: jax.nn.gelu(x), lambda x: x * 0.5, x)
        return x @ w["turn"], x[:, 0]

    return lax.scan(layer, x, w)


def gradient_of_a_scan(x, w):
    return jax.grad(lambda w: (jax.checkpoint(in_one_loop)(x, w)[0] ** 2).sum())(w)


@pytest.mark.parametrize(
    ("function", "share"),
    # The turns of the first are written out, which one core gains more by: 230 us, in a loop 291.
    [
        (in_one_loop, 0.95),
        (in_nested_loops, 0.85),
        (with_a_branch, 0.95),
        (gradient_of_a_scan, 0.8),
    ],
)
def test_two_cores_turn_together(function, share):
    """A branch is core 0's alone; all else of a loop whose turns are known is divided."""
    x = normal(512, 512)
    w = {"up": normal(4, 512, 1024) / 40, "down": normal(4, 1024, 512) / 40}
    w["turn"] = normal(4, 512, 512) / 30
    one, two = (model.compile(function, x, w, cores=cores) for cores in (1, 2))
    assert len(two._core.programs) == (4 if two._core.in_halves else 2)
    both = two.run(x, w, checks=True, timed=True)
    for ours, alone in zip(jax.tree.leaves(both.results), jax.tree.leaves(one(x, w)), strict=True):
        # Sums over rows, of which each core has half, are rounded once more.
        atol = 1e-6 * np.abs(alone).max() if two._core.in_halves else 0
        np.testing.assert_allclose(ours, alone, rtol=0, atol=atol)
    assert both.seconds < share * one.run(x, w, timed=True).seconds


def test_places_that_two_loops_move_backwards():
    """What two counters subtract from is no register: those hold no negative numbers."""

    def read(x, s):
        def outer(x, s):
            return lax.scan(lambda x, s: (x + x * s[:, None], x[0]), x, s, reverse=True)

        return lax.scan(outer, x, s, reverse=True)

    x, s = normal(40, 64), normal(2, 3, 40)
    for function in (read, jax.grad(lambda x, s: (read(x, s)[0] ** 2).sum(), argnums=(0, 1))):
        for ours, theirs in zip(
            jax.tree.leaves(model.compile(function, x, s)(x, s)),
            jax.tree.leaves(jax.jit(function)(x, s)),
            strict=True,
        ):
            np.testing.assert_allclose(ours, theirs, rtol=1e-4, atol=1e-4)
