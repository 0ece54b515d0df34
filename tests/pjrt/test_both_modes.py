"""Do both modes of the platform agree with XLA where rounding, dropping or dividing decides?

Sums of narrow formats accumulate in float32 and round once; windows of updates partly outside are
dropped whole; quotients that float32 holds are exact.
"""

from functools import partial

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
from jax import lax

MODES = ["reference", "machine"]
COUNT = 4096
NARROW = [jnp.bfloat16, jnp.float16, jnp.float8_e4m3fn, jnp.float8_e5m2]


def run(function, *arguments, mode, **options):
    with jax.default_device(jax.devices("neuron")[0]):
        compiled = jax.jit(function, compiler_options={"mode": mode, **options})
        return jax.tree.map(np.asarray, compiled(*(jnp.asarray(a) for a in arguments)))


# --- Sums of 4,096 ones, divided by 16 where a format ends at 448 ---


def of_pairs(x):
    """Two sums in one reduction."""

    def add(a, b):
        return a[0] + b[0], a[1] + b[1]

    zero = np.zeros((), x.dtype)
    return lax.reduce((x, x), (zero, zero), add, (0,))[1]


def window(x, extent=COUNT):
    return lax.reduce_window(
        x, np.zeros((), x.dtype), lax.add, (extent, 1), (extent, 1), "VALID"
    ).sum(0, dtype=jnp.float32)


def scattered(x):
    table = jnp.zeros((2, x.shape[1]), x.dtype)
    return table.at[jnp.zeros(x.shape[0], jnp.int32)].add(x)[0]


def one_by_one(x):
    """Updates that are no rows: elements at (row, column)."""
    rows = jnp.zeros(x.shape[0], jnp.int32)
    return jnp.zeros((2, 3), x.dtype).at[rows, rows].add(x[:, 0])[0, 0]


def segments(x):
    return jax.ops.segment_sum(x, jnp.zeros(x.shape[0], jnp.int32), 1)[0]


def product(x):
    ones = jnp.ones((1, x.shape[0]), x.dtype)
    return lax.dot_general(ones, x, (((1,), (0,)), ((), ())), preferred_element_type=x.dtype)[0]


def selected(x):
    """The gradient of a pooling whose windows all choose one element."""
    image = jnp.zeros((COUNT + 62, 1), x.dtype).at[COUNT // 2].set(1)

    def pooled(image):
        return lax.reduce_window(
            image, np.array(-np.inf, x.dtype), lax.max, (63, 1), (1, 1), "VALID"
        )

    return jax.vjp(pooled, image)[1](x[:, :1])[0].astype(jnp.float32).sum()


SUMS = {
    "reduce": lambda x: lax.reduce_sum_p.bind(x, axes=(0,), out_sharding=None),
    "pairs": of_pairs,
    "window": window,
    "cumsum": lambda x: lax.cumsum(x, 0)[-1],
    "reverse cumsum": lambda x: lax.cumsum(x, 0, reverse=True)[0],
    "scatter": scattered,
    "scatter of elements": one_by_one,
    "segment_sum": segments,
    "dot": product,
}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("dtype", NARROW, ids=lambda t: np.dtype(t).name)
@pytest.mark.parametrize("name", SUMS)
def test_narrow_sums_round_once(name, dtype, mode):
    part = 1 if ml_dtypes.finfo(dtype).max > COUNT else 1 / 16
    ones = np.full((COUNT, 4), part, dtype)
    total = run(SUMS[name], ones, mode=mode)
    np.testing.assert_array_equal(total.astype(np.float32), np.float32(COUNT * part))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("extent", [4, 64, 512])
def test_windows_of_any_length_round_once(extent, mode):
    """Each tap adds a quarter of a unit of the first one, which alone would round away."""
    x = np.full((extent, 4), 1 / 256 / extent, jnp.bfloat16)
    x[0] = 1
    want = np.float32(x.astype(np.float64).sum(0)).astype(jnp.bfloat16)
    for sized in (x, np.tile(x, (4, 1))):
        got = run(
            lambda x: lax.reduce_window(
                x, np.zeros((), x.dtype), lax.add, (extent, 1), (extent, 1), "VALID"
            ),
            sized,
            mode=mode,
        )
        np.testing.assert_array_equal(got, np.broadcast_to(want, got.shape))


@pytest.mark.parametrize("mode", MODES)
def test_gradients_of_poolings_round_once(mode):
    assert run(selected, np.ones((COUNT, 4), jnp.bfloat16), mode=mode) == COUNT


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("few", [3, 40])
def test_a_table_and_its_updates_round_once(few, mode):
    """1 + n parts of 1/4 units: added one after the other to bfloat16 they would round away."""
    updates = np.full((few, 8), 1 / 512, jnp.bfloat16)
    got = run(
        lambda u: jnp.ones((2, 8), u.dtype).at[jnp.zeros(few, int)].add(u)[0], updates, mode=mode
    )
    np.testing.assert_array_equal(got, np.float32(1 + few / 512).astype(jnp.bfloat16))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("scatters", [False, True], ids=["all_reduce", "reduce_scatter"])
def test_collectives_round_once(scatters, mode):
    devices = jax.devices("neuron")[:4]
    mesh = jax.sharding.Mesh(np.array(devices), ("x",))
    spec = jax.sharding.PartitionSpec("x")

    @partial(jax.shard_map, mesh=mesh, in_specs=spec, out_specs=spec)
    def total(x):
        if scatters:
            return lax.psum_scatter(x, "x", scatter_dimension=1, tiled=True)
        return lax.psum(x, "x") + jnp.zeros_like(x)

    parts = np.array([[256.0], [1], [1], [1]], jnp.bfloat16).repeat(4, 1)
    placed = jax.device_put(parts, jax.sharding.NamedSharding(mesh, spec))
    got = np.asarray(jax.jit(total, compiler_options={"mode": mode})(placed))
    np.testing.assert_array_equal(got, np.full_like(got, 260))  # 259 in bfloat16


@pytest.mark.parametrize("mode", MODES)
def test_a_body_that_rounds_itself_is_kept(mode):
    """A fold whose body is more than a sum says itself where it rounds."""
    x = np.full((COUNT, 4), 1, jnp.bfloat16)
    got = run(
        lambda x: lax.reduce(x, np.zeros((), x.dtype), lambda a, b: a + b * b, (0,)), x, mode=mode
    )
    assert got.shape == (4,) and (got >= 256).all()


@pytest.mark.parametrize("mode", MODES)
def test_the_gradient_of_a_bias(mode):
    r = np.random.default_rng(0)
    x = r.normal(size=(2048, 64)).astype(jnp.bfloat16)
    w = (r.normal(size=(64, 32)) / 8).astype(jnp.bfloat16)
    b, y = np.zeros(32, jnp.bfloat16), (r.normal(size=(2048, 32)) + 1).astype(jnp.bfloat16)

    def loss(b, w, x, y):
        return jnp.mean(((x @ w + b) - y).astype(jnp.float32) ** 2)

    truth = np.asarray(jax.grad(loss)(*(jnp.asarray(np.float32(v)) for v in (b, w, x, y))))
    got = run(lambda *a: jax.grad(loss)(*a).astype(jnp.float32), b, w, x, y, mode=mode)
    assert np.abs(got - truth).mean() < 0.004 * np.abs(truth).mean()


# --- Scatters ---


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("function", [lax.scatter_add, lax.scatter, lax.scatter_max])
@pytest.mark.parametrize("at", [-3, -1, 0, 4, 5, 6, 8, 100])
def test_windows_partly_outside_are_dropped_whole(at, function, mode):
    numbers = lax.ScatterDimensionNumbers((0,), (), (0,))
    arguments = np.arange(8, dtype=np.float32), np.array([at]), np.full(4, 9, np.float32)

    def scatter(x, i, u):
        return function(x, i, u, numbers, mode=lax.GatherScatterMode.FILL_OR_DROP)

    with jax.default_device(jax.devices("cpu")[0]):
        want = np.asarray(jax.jit(scatter)(*arguments))
    np.testing.assert_array_equal(run(scatter, *arguments, mode=mode), want)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("at", [-2, 3, 6])
def test_the_gradient_of_a_gather_that_fills(at, mode):
    numbers = lax.GatherDimensionNumbers((0,), (), (0,))

    def total(x, i):
        return (
            lax.gather(x, i, numbers, (4,), mode=lax.GatherScatterMode.FILL_OR_DROP, fill_value=2)
            * jnp.arange(1.0, 5.0)
        ).sum()

    arguments = np.arange(8, dtype=np.float32), np.array([at])
    with jax.default_device(jax.devices("cpu")[0]):
        want = np.asarray(jax.grad(total)(*arguments))
    np.testing.assert_array_equal(run(jax.grad(total), *arguments, mode=mode), want)


# --- Quotients ---

STEPS = {
    "floor": lambda a, b: jnp.floor(a / b),
    "ceil": lambda a, b: jnp.ceil(a / b),
    "round": lambda a, b: jnp.round(a / b),
    "int": lambda a, b: (a / b).astype(jnp.int32),
    "value": lambda a, b: a / b,
    "floor of moved": lambda a, b: jnp.floor(jnp.maximum((a / b).T.reshape(a.shape[::-1]), 0).T),
    "column": lambda a, b: jnp.floor(a / b[:, :1]),
    "row": lambda a, b: jnp.floor(a / b[:1]),
    "constant": lambda a, b: jnp.floor(a / 41),
    "compared": lambda a, b: a / b == jnp.round(a / b),
}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", STEPS)
def test_quotients_that_are_whole_are_exact(name, mode):
    k, b = np.meshgrid(np.arange(1, 129, dtype=np.float32), np.arange(1, 129, dtype=np.float32))
    if name in ("row",):
        b = np.broadcast_to(b[:, :1].T, b.shape)
    if name == "constant":
        b = np.full_like(b, 41)
    with jax.default_device(jax.devices("cpu")[0]):
        want = np.asarray(STEPS[name](k * b, b))
    np.testing.assert_array_equal(run(STEPS[name], k * b, b, mode=mode), want)


@pytest.mark.parametrize("mode", MODES)
def test_quotients_that_float32_holds_are_exact(mode):
    """Random numerators of 12 bits and divisors of 12 bits, at any exponent and sign."""
    r = np.random.default_rng(1)
    q, b = (r.integers(1, 4096, 1 << 16).astype(np.float32) * s for s in (1, -1))
    q, b = q * 2.0 ** r.integers(-30, 30, q.size), b * 2.0 ** r.integers(-30, 30, q.size)
    got = run(lambda a, b: a / b, (q * b).astype(np.float32), b.astype(np.float32), mode=mode)
    np.testing.assert_array_equal(got, q.astype(np.float32))
    np.testing.assert_array_equal(run(lambda x: x / x == 1, b.astype(np.float32), mode=mode), True)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("options", [{}, {"division": "exact"}])
def test_other_quotients_are_close_and_finite(options, mode):
    """Any normal numbers, subnormal divisors, and the special ones."""
    r = np.random.default_rng(2)
    bits = r.integers(0, 1 << 32, (2, 1 << 16), dtype=np.uint64).astype(np.uint32)
    a, b = bits.view(np.float32)
    special = np.array([0, -0.0, 1, -1, np.inf, -np.inf, np.nan, 1e-40, -3e-39, 3e38], np.float32)
    a = np.concatenate([a, np.repeat(special, special.size)])
    b = np.concatenate([b, np.tile(special, special.size)])
    with np.errstate(all="ignore"):
        want = (a.astype(np.float64) / b).astype(np.float32)
    got = run(lambda a, b: a / b, a, b, mode=mode, **options)
    normal = np.isfinite(want) & (np.abs(want) >= np.finfo(np.float32).tiny)
    units = np.abs(got[normal].astype(np.float64) - want[normal]) / np.spacing(np.abs(want[normal]))
    assert units.max() <= 2
    edge = np.isfinite(want) | np.isfinite(got)  # a rounding at the largest number apart
    np.testing.assert_array_equal(got[~edge], want[~edge])
    zero = want == 0
    np.testing.assert_array_equal(np.signbit(got[zero]), np.signbit(want[zero]))
    assert (np.isfinite(got) == np.isfinite(want)).mean() > 0.9999


def test_fast_division_is_what_it_was():
    """division=fast leaves quotients as products with reciprocals."""
    k, b = np.meshgrid(np.arange(1, 129, dtype=np.float32), np.arange(1, 129, dtype=np.float32))
    got = run(STEPS["floor"], k * b, b, mode="machine", division="fast")
    assert 0 < (got != k).sum() < 0.1 * k.size


# --- Indices ---


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("rows", [8192, 16384, 32000])
def test_the_gradient_of_an_embedding(rows, mode):
    r = np.random.default_rng(3)
    table, indices = r.normal(size=(rows, 16)).astype(np.float32), r.integers(0, rows, 40)

    def loss(table, indices):
        return (table[indices] ** 2).sum()

    want = np.zeros_like(table)
    np.add.at(want, indices, 2 * table[indices])
    got = run(jax.grad(loss), table, indices, mode=mode)
    np.testing.assert_allclose(got, want, rtol=1e-6)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("at", [0.3, 0.5, 1.9, 3.0])
def test_searches_in_reversed_arrays(at, mode):
    descending = np.array([2, 1.8, 0.4], np.float32)
    got = run(lambda x, b: jnp.searchsorted(b[::-1], x), np.float32(at), descending, mode=mode)
    assert got == np.searchsorted(descending[::-1], at)


@pytest.mark.parametrize("mode", MODES)
def test_slices_of_reversed_arrays(mode):
    x = np.arange(24, dtype=np.float32).reshape(4, 6)

    def sliced(x, i):
        turned = x[::-1, ::-1]
        part = lax.dynamic_slice(turned, (i, i + 1), (2, 3))
        return part, lax.dynamic_update_slice(turned, part + 1, (i, i))

    got = run(sliced, x, np.int32(1), mode=mode)
    turned = x[::-1, ::-1].copy()
    part = turned[1:3, 2:5].copy()
    turned[1:3, 1:4] = part + 1
    np.testing.assert_array_equal(got[0], part)
    np.testing.assert_array_equal(got[1], turned)


# --- Constants that the threads of JAX would flush to zero ---

SMALL = [(np.float32, 1e-40), (ml_dtypes.bfloat16, 3e-38), (ml_dtypes.bfloat16, 1e-39)]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("dtype", "number"), SMALL)
def test_a_small_constant_stays(dtype, number, mode):
    small = np.asarray(number, dtype)
    zeros = np.zeros(3, dtype)

    def function(x):
        return x + small, x < small, jnp.full(x.shape, small), jnp.full(x.shape, small) * 2

    added, below, filled, doubled = run(function, zeros, mode=mode)
    assert (added == small).all() and below.all() and (filled == small).all()
    assert (doubled == (np.asarray(2 * float(small)).astype(dtype))).all()
