"""Do reductions and running reductions agree with the NumPy oracle, order of steps included?"""

import ml_dtypes
import nki.isa as nisa
import nki.language as nl
import numpy as np
import oracle
from hypothesis import given
from hypothesis import strategies as st
from lab import check, finite, layouts, run, seeds, shapes, values

floats = st.sampled_from(oracle.FLOATS)
dtypes = st.sampled_from(oracle.FLOATS + oracle.INTEGERS)
COMMANDS = nisa.reduce_cmd
RUNNING = st.sampled_from(["add", "subtract", "multiply", "maximum", "minimum"])


def op(name):
    return getattr(nl, name)


@given(
    seeds,
    st.sampled_from([1, 32, 128]),
    st.lists(st.integers(1, 9), min_size=1, max_size=3),
    st.data(),
    dtypes,
    floats,
    layouts,
    st.sampled_from(
        [
            "add",
            "subtract",
            "multiply",
            "maximum",
            "minimum",
            "logical_and",
            "logical_or",
            "logical_xor",
        ]
    ),
)
def test_tensor_reduce(rng, partitions, sizes, data, source, dtype, at, name):
    axes = data.draw(st.integers(1, len(sizes)))
    negate = data.draw(st.booleans())
    x = values(rng, (partitions, *sizes), source)
    kept = (partitions, *sizes[: len(sizes) - axes])
    shape = kept if len(kept) > 1 else (partitions, 1)
    axis = tuple(range(len(sizes) + 1 - axes, len(sizes) + 1))
    (found,) = run(
        lambda x, dst: nisa.tensor_reduce(dst, op(name), x, axis[0] if axes == 1 else axis, negate),
        {"x": x},
        {"dst": (shape, dtype)},
        {"x": at},
    )
    with np.errstate(all="ignore"):
        check(found, oracle.tensor_reduce(x, name, axes, dtype, negate))


@given(
    seeds,
    shapes,
    st.sampled_from(oracle.INTEGERS),
    st.sampled_from(["bitwise_and", "bitwise_or", "bitwise_xor"]),
)
def test_tensor_reduce_of_bits(rng, shape, dtype, name):
    x = values(rng, shape, dtype)
    (found,) = run(
        lambda x, dst: nisa.tensor_reduce(dst, op(name), x, 1),
        {"x": x},
        {"dst": ((shape[0], 1), dtype)},
    )
    check(found, oracle.tensor_reduce(x, name, 1, dtype))


@given(seeds, shapes, floats, st.sampled_from(["add", "average", "max", "bitwise_or"]))
def test_tensor_partition_reduce(rng, shape, dtype, name):
    x = values(rng, shape, np.uint16) if name == "bitwise_or" else finite(rng, shape, np.float32)
    dtype = np.uint16 if name == "bitwise_or" else dtype
    name = "maximum" if name == "max" else name
    (found,) = run(
        lambda x, dst: nisa.tensor_partition_reduce(dst, op(name), x),
        {"x": x},
        {"dst": ((1, shape[1]), dtype)},
    )
    check(found, oracle.tensor_partition_reduce(x, name, dtype))


@given(seeds, shapes, dtypes, floats, layouts, st.data())
def test_tensor_scalar_reduce(rng, shape, source, dtype, at, data):
    op0 = data.draw(st.sampled_from(["add", "multiply", "maximum", "subtract", "less"]))
    reduction = data.draw(st.sampled_from(["add", "multiply", "maximum", "minimum"]))
    negate = data.draw(st.booleans())
    x, column = finite(rng, shape, source), finite(rng, (shape[0], 1), np.float32)
    start = finite(rng, (shape[0], 1), np.float32)
    command = data.draw(st.sampled_from([COMMANDS.reset_reduce, COMMANDS.load_reduce]))
    loads = command is COMMANDS.load_reduce
    found, total = run(
        lambda x, column, start, dst, total: nisa.tensor_scalar_reduce(
            dst,
            x,
            op(op0),
            column,
            op(reduction),
            total,
            reduce_cmd=command,
            reduce_init=start if loads else None,
            reduce_res_negate=negate,
        ),
        {"x": x, "column": column, "start": start},
        {"dst": (shape, dtype), "total": ((shape[0], 1), np.float32)},
        {"x": at},
    )
    with np.errstate(all="ignore"):
        wanted, reduced = oracle.tensor_scalar_reduce(
            x, op0, column, reduction, start[:, 0] if loads else None, dtype
        )
    check(found, wanted)
    check(total, -reduced if negate else reduced)


@given(seeds, shapes, floats, floats, RUNNING, layouts)
def test_tensor_scalar_cumulative_goes_on(rng, shape, source, dtype, name, at):
    x = finite(rng, shape, source)

    def emit(x, first, second):
        nisa.tensor_scalar_cumulative(first, x, nl.multiply, op(name), 0.5)
        nisa.tensor_scalar_cumulative(second, x, nl.add, op(name), 1.0, reduce_cmd=COMMANDS.reduce)

    first, second = run(
        emit, {"x": x}, {"first": (shape, dtype), "second": (shape, dtype)}, {"x": at}
    )
    with np.errstate(all="ignore"):
        wanted, state = oracle.tensor_scalar_cumulative(
            x, "multiply", 0.5, name, oracle.IDENTITY[name], dtype
        )
        check(first, wanted)
        check(second, oracle.tensor_scalar_cumulative(x, "add", 1.0, name, state[:, 0], dtype)[0])


@given(
    seeds, shapes, floats, floats, floats, RUNNING, RUNNING, st.booleans(), st.booleans(), layouts
)
def test_tensor_tensor_scan(rng, shape, first, second, dtype, op0, op1, reverse0, reverse1, at):
    a, b = finite(rng, shape, first), finite(rng, shape, second)
    initial = finite(rng, (shape[0], 1), ml_dtypes.bfloat16)
    (found,) = run(
        lambda a, b, initial, dst: nisa.tensor_tensor_scan(
            dst, a, b, initial, op(op0), op(op1), reverse0, reverse1
        ),
        {"a": a, "b": b, "initial": initial},
        {"dst": (shape, dtype)},
        {"a": at},
    )
    with np.errstate(all="ignore"):
        check(found, oracle.tensor_tensor_scan(a, b, initial, op0, op1, dtype, reverse0, reverse1))


@given(seeds, st.sampled_from([1, 64, 128]), st.integers(2, 512), floats, layouts)
def test_batch_norm_statistics(rng, partitions, n, source, at):
    x = finite(rng, (partitions, n), source)

    def emit(x, stats, moments):
        nisa.bn_stats(stats, x)
        nisa.bn_aggr(moments, stats)

    stats, moments = run(
        emit,
        {"x": x},
        {"stats": ((partitions, 6), np.float32), "moments": ((partitions, 2), np.float32)},
        {"x": at},
    )
    np.testing.assert_allclose(stats, oracle.bn_stats(x), rtol=2e-4, atol=1e-4)
    np.testing.assert_allclose(moments, oracle.bn_aggr(stats), rtol=2e-5, atol=1e-6)
    wide = x.astype(np.float64)
    np.testing.assert_allclose(
        moments, np.stack([wide.mean(1), wide.var(1)], 1), rtol=2e-4, atol=1e-4
    )
