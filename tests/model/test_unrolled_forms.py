"""Do loops take the same time and give the same values however their turns are written?"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from beside_cpu import assert_as_on_cpu, seconds
from jax import lax

RANDOM = np.random.default_rng(8)
shaped = jax.ShapeDtypeStruct


def real(*shape):
    return RANDOM.normal(size=shape).astype(np.float32)


def recurrence(unroll, reverse=False):
    def run(a, x, h):
        def turn(h, row):
            h = row[0] * h + row[1]
            return h, (h, jnp.tanh(h))

        return lax.scan(turn, h, (a, x), unroll=unroll, reverse=reverse)

    return run


def written(a, x, h):
    """As Python's loop."""
    rows = []
    for t in range(a.shape[0]):
        h = a[t] * h + x[t]
        rows.append(h)
    return h, jnp.stack(rows)


def backwards(a, x, h):
    """Along the second dimension, and last row first."""
    rows = []
    for t in reversed(range(a.shape[1])):
        h = a[:, t] * h + x[:, t]
        rows.append(h)
    return jnp.stack(rows[::-1], 1), jnp.stack(rows), rows[3]


def gradient(run):
    def loss(*arguments):
        return sum(jnp.sum(jnp.sin(x)) for x in jax.tree.leaves(run(*arguments)))

    return jax.grad(loss, (0, 1, 2))


@pytest.mark.parametrize("unroll", [4, True])
@pytest.mark.parametrize("reverse", [False, True])
def test_unrolled_recurrences(unroll, reverse):
    arguments = real(8, 24), real(8, 24), real(24)
    assert_as_on_cpu(recurrence(unroll, reverse), *arguments)
    assert_as_on_cpu(gradient(recurrence(unroll, reverse)), *arguments, tolerance=1e-4)


def test_turns_that_are_left_over():
    assert_as_on_cpu(gradient(recurrence(4)), real(10, 24), real(10, 24), real(24), tolerance=1e-4)


def test_recurrences_that_are_written_out():
    assert_as_on_cpu(written, real(8, 24), real(8, 24), real(24))
    assert_as_on_cpu(gradient(written), real(8, 24), real(8, 24), real(24), tolerance=1e-4)
    assert_as_on_cpu(backwards, real(3, 8, 24), real(3, 8, 24), real(3, 24))


def test_unrolling_changes_no_time():
    """67 and 146 times as long, where each turn read and wrote rows by itself."""
    shapes = shaped((128, 512), np.float32), shaped((128, 512), np.float32), shaped((512,), "f4")
    assert seconds(recurrence(8), *shapes) <= 1.02 * seconds(recurrence(1), *shapes)
    once = seconds(gradient(recurrence(1)), *shapes)
    assert seconds(gradient(recurrence(8)), *shapes) <= 1.02 * once
    few = [
        shaped((16, *each.shape[1:]) if len(each.shape) > 1 else each.shape, "f4")
        for each in shapes
    ]
    assert seconds(recurrence(True), *few) <= 1.1 * seconds(recurrence(1), *few)


def looped(unroll):
    def run(x):
        def turn(t, state):
            h, out = state
            h = jnp.tanh(h * 0.5 + x[t])
            return h, out.at[t].set(h)

        return lax.fori_loop(0, x.shape[0], turn, (x[0], jnp.zeros_like(x)), unroll=unroll)

    return run


def test_unrolled_loops_whose_turns_write_in_place():
    assert_as_on_cpu(looped(4), real(12, 40))
    shape = shaped((32, 8, 256), np.float32)
    assert seconds(looped(8), shape) <= 1.02 * seconds(looped(1), shape)


def test_turns_that_are_not_alike_stay():
    def run(a, x, h):
        for t in range(8):
            h = a[t] * h + x[t] if t != 5 else a[t] * h - x[t]
        return h

    def shifted(a, x, h):
        """Each step reads the one before the last, too."""
        before, rows = h, []
        for t in range(8):
            before, h = h, a[t] * h + x[t] + 0.5 * before
            rows.append(h)
        return jnp.stack(rows)

    def skips(x, h):
        return lax.scan(lambda h, row: (h * 0.5 + row, h), h, x[::2], unroll=2)

    arguments = real(8, 24), real(8, 24), real(24)
    assert_as_on_cpu(run, *arguments)
    assert_as_on_cpu(shifted, *arguments)
    assert_as_on_cpu(skips, real(12, 24), real(24))


def chunks(q, k, v, scans):
    """Linear attention by chunks."""

    def turn(state, part):
        q, k, v = part
        out = q @ state + jnp.tril(q @ k.swapaxes(-1, -2)) @ v
        return state + k.swapaxes(-1, -2) @ v, out

    state = jnp.zeros((q.shape[1], q.shape[-1], v.shape[-1]), q.dtype)
    if scans:
        return lax.scan(turn, state, (q, k, v))
    rows = []
    for part in zip(q, k, v, strict=True):
        state, out = turn(state, part)
        rows.append(out)
    return state, jnp.stack(rows)


def test_short_scans_of_products():
    """2.4 times as long as their turns one behind the other."""
    part = 0.3 * real(4, 2, 16, 8)
    assert_as_on_cpu(lambda q: chunks(q, q + 1, q - 1, True), part, tolerance=1e-4)
    assert_as_on_cpu(
        jax.grad(lambda q: jnp.sum(jnp.sin(chunks(q, q, q, True)[1]))), part, tolerance=2e-4
    )
    shape = shaped((8, 4, 64, 64), np.float32)
    scan, once = (seconds(lambda q, s=s: chunks(q, q, q, s), shape) for s in (True, False))
    assert scan < 1.25 * once


def test_a_loop_that_puts_rows_anywhere():
    def run(x, w):
        def turn(t, out):
            return out.at[jnp.where(t < 2, t, 5 - t)].set(x[t] @ w)

        return lax.fori_loop(0, 4, turn, jnp.ones((6, 8)))

    assert_as_on_cpu(run, real(4, 8), real(8, 8), tolerance=1e-4)


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_many_small_values_are_computed_once(axis):
    def stacked(x, y):
        parts = [jnp.tanh(x[i] * 2 - y[i]) for i in range(20)]
        return jnp.stack(parts, axis), jnp.concatenate(parts, min(axis, 1))

    assert_as_on_cpu(stacked, real(20, 6, 8), real(20, 6, 8))


def test_stacks_of_slices_are_what_they_are_slices_of():
    whole = shaped((32, 64, 256), np.float32)
    apart = seconds(lambda x: jnp.stack([jnp.tanh(x[i]) for i in range(32)]), whole)
    assert apart < 1.05 * seconds(jnp.tanh, whole)


def test_two_running_sums_share_a_zero():
    """The second one was 64 additions, as the first had put the zero away."""

    def sums(x, y):
        return jnp.exp(jnp.cumsum(x, 1)), jnp.exp(jnp.cumsum(y, 1))

    assert_as_on_cpu(sums, real(2, 12, 8), real(2, 12, 8))
    shape = shaped((8, 64, 64), np.float32)
    one = seconds(lambda x: jnp.exp(jnp.cumsum(x, 1)), shape)
    assert seconds(sums, shape, shape) < 2.2 * one


def loss(x, w, labels):
    logits = x @ w
    return -jnp.sum(jnp.take_along_axis(jax.nn.log_softmax(logits), labels, 1))


def test_losses_in_a_loop():
    def run(x, w, labels):
        turn = lambda sum_, part: (sum_ + loss(part[0], w, part[1]), None)  # noqa: E731
        return lax.scan(turn, 0.0, (x, labels))[0]

    labels = RANDOM.integers(0, 40, (20, 8, 1)).astype(np.int32)
    assert_as_on_cpu(jax.value_and_grad(run), real(20, 8, 16), real(16, 40), labels, tolerance=1e-4)
