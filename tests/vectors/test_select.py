"""Do sequences, selects and shuffles agree with the NumPy oracle?"""

import nki.isa as nisa
import nki.language as nl
import numpy as np
import oracle
from hypothesis import given
from hypothesis import strategies as st
from lab import check, finite, layouts, run, seeds, shapes, values

floats = st.sampled_from(oracle.FLOATS)
dtypes = st.sampled_from(oracle.FLOATS + oracle.INTEGERS)
COMPARISONS = ["equal", "less", "less_equal", "greater", "greater_equal"]
COMMANDS = nisa.reduce_cmd
patterns = st.lists(st.tuples(st.integers(-300, 300), st.integers(1, 5)), min_size=1, max_size=4)


def op(name):
    return getattr(nl, name)


def lists(pattern):
    return [list(dim) for dim in pattern]


@given(
    st.sampled_from([1, 32, 128]), patterns, dtypes, st.integers(-1000, 1000), st.integers(-50, 50)
)
def test_iota(partitions, pattern, dtype, offset, multiplier):
    n = int(np.prod([count for _, count in pattern]))
    (found,) = run(
        lambda dst: nisa.iota(dst, lists(pattern), offset, multiplier),
        {},
        {"dst": ((partitions, n), dtype)},
    )
    check(found, oracle.iota(partitions, pattern, dtype, offset, multiplier))


@given(
    seeds,
    st.sampled_from([1, 64, 128]),
    patterns,
    dtypes,
    dtypes,
    st.sampled_from([*COMPARISONS, "not_equal"]),
    st.integers(-500, 500),
    st.integers(-5, 5),
)
def test_affine_select(rng, partitions, pattern, source, dtype, name, offset, multiplier):
    n = int(np.prod([count for _, count in pattern]))
    x = values(rng, (partitions, n), source)
    (found,) = run(
        lambda x, dst: nisa.affine_select(
            dst, lists(pattern), multiplier, x, float(oracle.LOWEST), op(name), offset
        ),
        {"x": x},
        {"dst": ((partitions, n), dtype)},
    )
    check(found, oracle.affine_select(x, pattern, multiplier, oracle.LOWEST, dtype, name, offset))


@given(
    seeds,
    shapes,
    floats,
    floats,
    st.sampled_from(COMPARISONS),
    st.sampled_from(COMPARISONS),
    st.integers(-100, 100),
    layouts,
)
def test_range_select(rng, shape, source, dtype, cmp0, cmp1, start, at):
    x = finite(rng, shape, source)
    low, high = (start + rng.integers(-3, shape[1] + 3, (shape[0], 1)) for _ in range(2))
    bound0 = (low + rng.choice([0, 0.5], low.shape)).astype(np.float32)
    bound1 = high.astype(np.float32)
    found, most = run(
        lambda x, bound0, bound1, dst, most: nisa.range_select(
            dst, x, op(cmp0), op(cmp1), bound0, bound1, reduce_res=most, range_start=start
        ),
        {"x": x, "bound0": bound0, "bound1": bound1},
        {"dst": (shape, dtype), "most": ((shape[0], 1), np.float32)},
        {"x": at},
    )
    wanted, exact = oracle.range_select(x, cmp0, cmp1, bound0, bound1, start, dtype)
    check(found, wanted)
    check(most, exact.max(axis=1, keepdims=True))


@given(
    seeds,
    shapes,
    st.sampled_from([*oracle.FLOATS, np.dtype(np.int16), np.dtype(np.uint8)]),
    floats,
    st.sampled_from([np.int8, np.uint8, np.int16, np.uint16]),
    st.booleans(),
    layouts,
)
def test_select_reduce(rng, shape, source, dtype, mask, reverse, at):
    x, other = finite(rng, shape, source), finite(rng, (shape[0], 1), np.float32)
    predicate = rng.integers(0, 2, shape).astype(mask)
    found, most = run(
        lambda x, other, predicate, dst, most: nisa.select_reduce(
            dst, predicate, x, other, most, COMMANDS.reset_reduce, reverse_pred=reverse
        ),
        {"x": x, "other": other, "predicate": predicate},
        {"dst": (shape, dtype), "most": ((shape[0], 1), np.float32)},
        {"x": at},
    )
    wanted, exact = oracle.select_reduce(predicate, x, other, dtype, reverse)
    check(found, wanted)
    check(most, exact.max(axis=1, keepdims=True))


@given(seeds, st.sampled_from([32, 64, 128]), st.integers(1, 20), dtypes, st.booleans(), layouts)
def test_nc_stream_shuffle(rng, partitions, n, dtype, in_place, at):
    shape = (partitions, n)
    dst, src = values(rng, shape, dtype), values(rng, shape, dtype)
    mask = [int(m) for m in rng.integers(0, 32, 32)]
    for i in rng.integers(0, 32, 5):
        mask[int(i)] = 255
    (found,) = run(
        lambda dst, src: nisa.nc_stream_shuffle(dst, dst if in_place else src, mask),
        {"dst": dst, "src": src},
        {},
        {"dst": at},
        updates=("dst",),
    )
    check(found, oracle.nc_stream_shuffle(dst, dst if in_place else src, mask))
