"""Loops whose turns could keep, or carry, what costs less to compute again."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jax import lax

from .case import add, draw, real


def masked(x, w):
    """A layer of attention whose mask jax.checkpoint puts before the loop."""
    scores = (x @ w) @ x.T * 0.05
    scores = jnp.where(jnp.tril(jnp.ones(scores.shape, bool)), scores, -1e9)
    return jnp.tanh(jax.nn.softmax(scores, -1) @ x)


def scanned(layer):
    return lambda w, x: jnp.sum(lax.scan(lambda x, w: (layer(x, w), None), x, w)[0] ** 2)


def masked_turns(x):
    mask = jnp.tril(jnp.ones((32, 32), bool))
    return lax.fori_loop(0, 3, lambda _, x: jnp.where(mask, x * 0.5, x), x)


def outer_products_read_again(rows):
    """Each turn leaves an outer product, which follows from its row."""

    def leave(total, row):
        product = jnp.exp(row[:, None] * row)
        return total + jnp.sum(product, 0), product

    total, products = lax.scan(leave, jnp.zeros(512), rows)
    return lax.scan(lambda t, p: (t * 0.5 + jnp.sum(p, 1), None), total, products)[0]


def one_place_a_turn(x):
    """A scatter to one place in each turn, as fori_loop writes what scan stacks; some lie outside."""

    def turn(i, state):
        total, sums, late = state
        total = total * 0.5 + x[i]
        return total, sums.at[i].set(total), late.at[i + 3].set(total)

    zeros = jnp.zeros_like(x)
    return lax.fori_loop(0, x.shape[0], turn, (zeros[0], zeros, zeros))[1:]


def unrolled(x):
    """Four steps a turn; what the turns before have left is stacked."""
    step = lambda h, row: (h * 0.5 + row, h)  # noqa: E731
    return lax.scan(step, jnp.zeros(x.shape[1:]), x, unroll=4)


def written_out(x):
    """A recurrence as Python's loop, whose steps jnp.stack joins."""
    h, rows = jnp.zeros(x.shape[1:]), []
    for t in range(x.shape[0]):
        h = h * 0.5 + x[t]
        rows.append(h)
    return h, jnp.stack(rows[::-1])


def short_products(x, w):
    return lax.scan(lambda h, row: ((h := jnp.tanh(h @ w + row)), h), x[0], x)


def joined_in_groups(x):
    """More than 16 parts are joined by groups; the same arithmetic makes each."""
    return jnp.stack([jnp.tanh(x[i] * 2) for i in range(18)], 1)


def positions_of_a_full_mask(x):
    """Positions within segments, step by step, of a mask that says nothing."""

    def turn(state, segment):
        before, position = state
        position = jnp.where(segment != before, 0, position + 1)
        return (segment, position), position

    segments = jnp.where(jnp.ones(40, bool), 0, -1)
    positions = lax.scan(turn, (jnp.int32(-2), jnp.int32(-1)), segments)[1]
    return x[positions % 7] * 2


add("loops_known", positions_of_a_full_mask, real(7, 16, seed=9))
add("loops_unrolled", unrolled, real(12, 32, seed=4), tolerance=1e-6)
add("loops_written_out", written_out, real(8, 32, seed=5), tolerance=1e-6)
add(
    "loops_short_products",
    short_products,
    real(3, 4, 16, seed=6),
    real(16, 16, seed=7),
    tolerance=1e-4,
)
add("loops_joined_in_groups", joined_in_groups, real(18, 8, seed=8), tolerance=1e-6)
add("loops_one_place", one_place_a_turn, real(6, 32, seed=3))
add("loops_mask", masked_turns, real(32, 32, seed=1))
add("loops_outer_products", outer_products_read_again, real(3, 512, seed=2), tolerance=1e-3)
add(
    "loops_mask_outside",
    jax.grad(scanned(jax.checkpoint(masked))),
    real(2, 16, 16, seed=1),
    real(40, 16, seed=2),
    tolerance=2e-3,
)
add(
    "loops_scores_kept",
    jax.grad(scanned(masked)),
    real(2, 16, 16, seed=1),
    real(512, 16, seed=2),
    tolerance=5e-3,
)


def gated(x, a):
    """Elements that each turn multiplies and adds to, as RG-LRU and its like have them."""

    def turn(h, row):
        h = row[1] * h + row[0]
        return h, h * 2

    return lax.scan(turn, jnp.ones(x.shape[1]), (x, a))


def state_space(x, dt, a, b, c):
    """Mamba's scan."""

    def turn(h, row):
        x, dt, b, c = row
        h = jnp.exp(dt[:, None] * a) * h + (dt * x)[:, None] * b
        return h, jnp.sum(h * c, -1)

    return lax.scan(turn, jnp.zeros(a.shape), (x, dt, b, c))[1]


def linear_attention(q, k, v):
    def turn(s, row):
        q, k, v = row
        s = s * 0.9 + k[:, None] * v
        return s, q @ s

    return lax.scan(turn, jnp.zeros((q.shape[1], v.shape[1])), (q, k, v))


def shifted(x, mix):
    """Reads the row of the turn before, as RWKV mixes tokens; from the last one on."""
    return lax.scan(lambda last, row: (row, last * mix + row), x[0] * 0, x, reverse=True)


def kept_where(x, a):
    def turn(h, row):
        h = jnp.where(row[0] > 0, row[1] * h, h) + row[0]
        return h, None

    return lax.scan(turn, jnp.zeros(x.shape[1]), (x, a))[0]


def columns_in_turn(x):
    """Puts columns where they belong, and leaves others."""
    set_column = lambda i, s: s.at[:, i + 1].set(jnp.tanh(x[:, i]) + i)  # noqa: E731
    return lax.fori_loop(1, x.shape[1] - 1, set_column, x * 0)


turns = (real(9, 20, seed=1), real(9, 20, seed=2))
space = (*turns, real(20, 3, seed=3), real(9, 3, seed=4), real(9, 3, seed=5))
add("loops_gated", gated, *turns)
add("loops_gated_gradient", jax.grad(lambda x, a: jnp.sum(gated(x, a)[1] ** 2), (0, 1)), *turns)
add("loops_state_space", state_space, *space)
add(
    "loops_state_space_gradient",
    jax.grad(lambda *a: jnp.sum(state_space(*a) ** 2), (0, 2, 4)),
    *space,
    tolerance=1e-4,
)
add("loops_linear_attention", linear_attention, *turns, real(9, 7, seed=3), tolerance=1e-3)
add("loops_shifted", shifted, real(9, 20, seed=1), real(20, seed=2))
add("loops_kept_where", kept_where, *turns)
add("loops_columns", columns_in_turn, real(20, 9, seed=1))


def recurrent(x, wx, wh):
    def turn(state, row):
        h, c = state
        i, f, g, o = jnp.split(row @ wx + h @ wh, 4, -1)
        c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
        h = jax.nn.sigmoid(o) * jnp.tanh(c)
        return (h, c), h

    zeros = jnp.zeros((x.shape[1], wh.shape[0]), x.dtype)
    return lax.scan(turn, (zeros, zeros), x)[1]


# What the turns multiply with weights is multiplied before the loop.
add("loops_lstm", recurrent, real(5, 3, 20), real(20, 64, seed=2), real(16, 64, seed=3))
add(
    "loops_weights_first",
    lambda x, w, u: lax.scan(
        lambda h, row: (jnp.tanh(w @ row + u @ h),) * 2, jnp.zeros((24, 3)), x, reverse=True
    )[1],
    real(5, 20, 3),
    real(24, 20, seed=2),
    real(24, 24, seed=3),
    tolerance=1e-4,
)
add(
    "loops_several_rows",
    lambda x, w, u: lax.scan(
        lambda h, row: (jnp.tanh(jnp.einsum("abk,kcd->abcd", row, w).sum(3) + h @ u),) * 2,
        jnp.zeros((2, 3, 6)),
        x,
    )[1],
    real(4, 2, 3, 20),
    real(20, 6, 5, seed=2),
    real(6, 6, seed=3),
    tolerance=1e-4,
)


def many_turns(x, w):
    """More turns with products than are written out; each leaves a row."""
    return lax.scan(lambda h, row: ((h := jnp.tanh(h @ w + row)), h[0]), x[0], x)


def layers_back(x, w):
    """A prime number of layers, from the last one on; the first dimension is not the stacked one."""

    def layer(i, state):
        h, kept = state
        h = h * 0.5 + h @ w[:, 18 - i]
        return h, lax.dynamic_update_slice(kept, h[:, None], (0, 18 - i, 0))

    return lax.fori_loop(0, 19, layer, (x, jnp.zeros((x.shape[0], 19, x.shape[1]))))


def overlapping_windows(x, w):
    """Windows that begin two further on, of which turns see parts twice; the last ones do not fit."""

    def turn(i, state):
        total, late = state
        window = lax.dynamic_slice(x, (2 * i, 0), (4, x.shape[1]))
        total = total * 0.5 + window @ w
        return total, lax.dynamic_update_slice(late, total[:1] + i, (i + 3, 0))

    return lax.fori_loop(0, 20, turn, (jnp.zeros((4, w.shape[1])), jnp.zeros((22, w.shape[1]))))


def rows_over_rows(x, w):
    """Each turn puts two rows, of which the next one puts the second again."""
    put = lambda i, s: lax.dynamic_update_slice(s, x[i] @ w, (i, 0))  # noqa: E731
    return lax.fori_loop(0, 18, put, jnp.zeros((19, w.shape[1])))


def two_counts(x, w):
    """A count of its own goes downwards beside the loop's."""

    def turn(state):
        i, left, h = state
        return i + 1, left - 2, jnp.tanh(h @ w) + x[left] * left

    state = lax.while_loop(lambda s: s[0] < 24, turn, (0, 46, x[:3]))
    return state[1:]


layered = (real(18, 3, 16, seed=6), real(16, 16, seed=7))
add("loops_many_turns", many_turns, *layered, tolerance=1e-3)
add(
    "loops_many_turns_gradient",
    jax.grad(lambda x, w: jnp.sum(many_turns(x, w)[1] ** 2), (0, 1)),
    *layered,
    tolerance=1e-3,
)
add("loops_layers_back", layers_back, real(4, 16, seed=1), real(16, 19, 16, seed=2), tolerance=1e-3)
add(
    "loops_overlapping_windows",
    overlapping_windows,
    real(40, 8, seed=1),
    real(8, 8, seed=2),
    tolerance=1e-4,
)
add("loops_rows_over_rows", rows_over_rows, real(18, 2, 8), real(8, 8, seed=2), tolerance=1e-4)
add("loops_two_counts", two_counts, real(48, 8, seed=1), real(8, 8, seed=2), tolerance=1e-3)
# --- Layers and chunks ---


def chunks(q, k, v):
    """Linear attention by chunks."""

    def turn(state, part):
        q, k, v = part
        out = q @ state + jnp.tril(q @ k.swapaxes(-1, -2)) @ v
        return state + k.swapaxes(-1, -2) @ v, out

    return lax.scan(turn, jnp.zeros((q.shape[1], q.shape[-1], v.shape[-1])), (q, k, v))


add(
    "loops_chunks",
    chunks,
    *[real(4, 2, 20, 16, seed=i) for i in range(1, 4)],
    tolerance=1e-3,
)


def layer(x, w):
    x = x + jnp.tanh(x * lax.rsqrt((x * x).mean(-1, keepdims=True) + 1e-6) @ w[0]) @ w[1]
    return x


add(
    "loops_layers_gradient",
    lambda x, w, v: jax.grad(
        lambda w, v: lax.scan(lambda x, each: (layer(x, each), None), x, (w, v))[0].sum(), (0, 1)
    )(w, v),
    real(40, 64),
    *[draw("f32", 3, 64, 64, seed=i, step=1 / 1024) for i in (2, 3)],
    tolerance=2e-3,
)
add(
    "loops_bounds_that_count",
    lambda x: lax.fori_loop(
        0,
        6,
        lambda i, x: jnp.where(
            (jnp.maximum(i - 2, 0) < 3) & (jnp.minimum(-i, -1) > -5),
            x.at[jnp.clip(i * 2 - 1, 0, 7)].add(1.0),
            x * 2,
        ),
        x,
    ),
    real(8, 30),
)


def turns_read_a_slice(x, heads):
    """What all turns have is repeated heads, turned, and each reads one slice of it."""
    repeated = jnp.repeat(heads[:, None], 12, axis=1).transpose(2, 1, 0)  # [turns, 12, heads]
    filled = jnp.broadcast_to(jnp.float32(0.5), repeated.shape) * repeated

    def turn(state, part):
        x, a, b = part
        state = jnp.maximum(state * 0.5 + x @ a, b)
        return state, state.sum(0)

    return lax.scan(turn, jnp.zeros((12, heads.shape[0])), (x, repeated, filled))


add(
    "loops_slices_of_repeats",
    turns_read_a_slice,
    real(40, 12, 12),
    real(24, 40, seed=2),
    tolerance=1e-3,
)


def states_are_vectors(x, w):
    """A recurrence that is not linear, of vectors: what a turn stacks has another shape."""

    def turn(state, x):
        a, b = state
        a = jnp.tanh(a * w + x)
        b = jnp.minimum(b * 0.9, -a)
        return (a, b), b * a

    return lax.scan(turn, (jnp.zeros_like(w), jnp.ones_like(w)), x)


add("loops_vectors", states_are_vectors, real(9, 2048), real(2048, seed=2), tolerance=1e-4)
