"""Do searches and gathers agree with the NumPy oracle?"""

import ml_dtypes
import nki.isa as nisa
import numpy as np
import oracle
from hypothesis import given
from hypothesis import strategies as st
from lab import check, finite, layouts, run, seeds, values

partitions = st.sampled_from([1, 16, 33, 128])
lengths = st.integers(8, 90)
dtypes = st.sampled_from(oracle.FLOATS + oracle.INTEGERS)


def few_values(rng, shape, dtype=np.float32):
    """Rows with many duplicates."""
    return rng.integers(0, 12, shape).astype(dtype)


@given(seeds, partitions, lengths, dtypes, layouts)
def test_max8(rng, p, n, dtype, at):
    x = finite(rng, (p, n), dtype)
    (found,) = run(
        lambda x, dst: nisa.max8(dst, x), {"x": x}, {"dst": ((p, 8), np.float32)}, {"x": at}
    )
    check(found, oracle.max8(x, np.float32))


@given(seeds, partitions, lengths, st.sampled_from([np.uint16, np.uint32]), layouts)
def test_nc_find_index8(rng, p, n, dtype, at):
    data, vals = few_values(rng, (p, n)), few_values(rng, (p, 8))
    (found,) = run(
        lambda data, vals, dst: nisa.nc_find_index8(dst, data, vals),
        {"data": data, "vals": vals},
        {"dst": ((p, 8), dtype)},
        {"data": at},
    )
    check(found, oracle.nc_find_index8(data, vals, dtype))


@given(seeds, partitions, lengths, st.sampled_from([np.float32, ml_dtypes.bfloat16]), layouts)
def test_nc_match_replace8(rng, p, n, dtype, at):
    data, vals = few_values(rng, (p, n), dtype), few_values(rng, (p, 8), dtype)
    found, index = run(
        lambda data, vals, dst, index: nisa.nc_match_replace8(dst, data, vals, -1.5, index),
        {"data": data, "vals": vals},
        {"dst": ((p, n), dtype), "index": ((p, 8), np.uint32)},
        {"data": at},
    )
    wanted, wanted_index = oracle.nc_match_replace8(data, vals, -1.5)
    check(found, wanted)
    check(index, wanted_index)


@given(
    seeds,
    st.sampled_from([16, 48, 128]),
    st.integers(1, 4),
    st.sampled_from([1, 2, 8]),
    dtypes,
    st.data(),
)
def test_local_gather(rng, p, columns, length, dtype, data):
    valid = data.draw(st.integers(1, 16 * columns))
    src = values(rng, (p, 64), dtype)
    index = (rng.integers(0, 64 // length, (p, columns)) * length).astype(np.uint16)
    (found,) = run(
        lambda src, index, dst: nisa.local_gather(dst, src, index, length, valid),
        {"src": src, "index": index},
        {"dst": ((p, valid * length), dtype)},
    )
    check(found, oracle.local_gather(src, index, length, valid))


@given(
    seeds,
    partitions,
    st.integers(1, 50),
    st.integers(1, 70),
    dtypes,
    st.sampled_from(["dense", "strided"]),
)
def test_nc_n_gather(rng, p, n, count, dtype, at):
    data = values(rng, (p, n), dtype)
    indices = rng.integers(0, n, (p, count)).astype(np.uint32)
    (found,) = run(
        lambda data, indices, dst: nisa.nc_n_gather(dst, data, indices),
        {"data": data, "indices": indices},
        {"dst": ((p, count), dtype)},
        {"data": at},
    )
    check(found, oracle.nc_n_gather(data, indices))


@given(
    seeds,
    partitions,
    st.integers(1, 60),
    st.sampled_from([np.float32, np.int32]),
    st.integers(-100, 1000),
)
def test_nonzero_with_count(rng, p, n, dtype, offset):
    src = (rng.integers(-1, 2, (p, n)) * rng.integers(0, 2, (p, n))).astype(dtype)
    dst = rng.integers(0, 100, (p, n + 1)).astype(np.int32)
    (found,) = run(
        lambda dst, src: nisa.nonzero_with_count(dst, src, offset, -7),
        {"dst": dst, "src": src},
        {},
        updates=("dst",),
    )
    check(found, oracle.nonzero_with_count(dst, src, offset, -7))


@given(seeds, st.integers(1, 60), st.sampled_from([np.float32, np.int32]))
def test_sequence_bounds(rng, n, dtype):
    ids = np.repeat(rng.integers(0, 4, n), rng.integers(1, 4, n))[:n].astype(dtype)[None]
    (found,) = run(
        lambda ids, dst: nisa.sequence_bounds(dst, ids), {"ids": ids}, {"dst": ((1, 2, n), dtype)}
    )
    check(found, oracle.sequence_bounds(ids, dtype))


@given(seeds, st.sampled_from([16, 32, 128]), st.integers(8, 100), st.data())
def test_topk(rng, p, n, data):
    k = data.draw(st.integers(1, n))
    src = rng.integers(-20, 20, (p, -(-n // 16))).astype(ml_dtypes.bfloat16)
    before = rng.integers(0, 9, (p, k)).astype(ml_dtypes.bfloat16)
    positions = rng.integers(0, 9, (p, k)).astype(np.uint32)
    values_, index = run(
        lambda src, val_dst, idx_dst: nisa.topk(val_dst, idx_dst, src, n, sorted=bool(p & 16)),
        {"src": src, "val_dst": before, "idx_dst": positions},
        {},
        updates=("val_dst", "idx_dst"),
    )
    wanted, wanted_index = oracle.topk(before, positions, src, n)
    check(values_, wanted)
    check(index, wanted_index)
