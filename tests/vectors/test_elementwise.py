"""Do copies and operators agree with the NumPy oracle over dtypes, shapes and layouts?"""

import nki.isa as nisa
import nki.language as nl
import numpy as np
import oracle
from hypothesis import given
from hypothesis import strategies as st
from lab import check, layouts, run, seeds, shapes, values

dtypes = st.sampled_from(oracle.FLOATS + oracle.INTEGERS)
ARITHMETIC = sorted(set(oracle.OPERATORS) - {"abs", "square", "relu", "rsqrt", "bypass"})
BITS = sorted(set(oracle.BITS) - {"invert"})


def op(name):
    return getattr(nl, name)


def both_psum(a, b):
    return a == b == "psum"


@given(seeds, shapes, dtypes, dtypes, layouts, layouts)
def test_tensor_copy(rng, shape, dtype, source, to, at):
    src = values(rng, shape, source)
    (found,) = run(
        lambda src, dst: nisa.tensor_copy(dst=dst, src=src),
        {"src": src},
        {"dst": (shape, dtype)},
        {"src": at, "dst": to},
    )
    check(found, oracle.tensor_copy(src, dtype))


@given(seeds, shapes, dtypes, dtypes, dtypes, st.sampled_from(ARITHMETIC), layouts, layouts)
def test_tensor_tensor(rng, shape, dtype, first, second, name, at1, at2):
    at2 = "dense" if both_psum(at1, at2) else at2
    a, b = values(rng, shape, first), values(rng, shape, second)
    b = np.where(rng.random(shape) < 0.2, oracle.cast(oracle.wide(a), second), b)  # some are equal
    (found,) = run(
        lambda a, b, dst: nisa.tensor_tensor(dst, a, b, op(name), engine=nisa.engine.vector),
        {"a": a, "b": b},
        {"dst": (shape, dtype)},
        {"a": at1, "b": at2},
    )
    with np.errstate(all="ignore"):
        check(found, oracle.tensor_tensor(a, b, name, dtype))


@given(
    seeds,
    shapes,
    st.sampled_from([np.int32, np.uint32]),
    st.sampled_from(["add", "subtract", "multiply", "maximum", "minimum", "less", "equal"]),
)
def test_tensor_tensor_of_words_is_exact(rng, shape, dtype, name):
    info = np.iinfo(dtype)
    a, b = (rng.integers(info.min, info.max, shape, dtype, endpoint=True) for _ in range(2))
    (found,) = run(
        lambda a, b, dst: nisa.tensor_tensor(dst, a, b, op(name)),
        {"a": a, "b": b},
        {"dst": (shape, dtype)},
    )
    check(found, oracle.tensor_tensor(a, b, name, dtype, exact=True))


@given(
    seeds,
    shapes,
    st.sampled_from(oracle.INTEGERS),
    st.sampled_from(oracle.INTEGERS),
    st.sampled_from(BITS),
)
def test_tensor_tensor_of_bits(rng, shape, dtype, source, name):
    a = values(rng, shape, source)
    b = rng.integers(0, 40, shape).astype(source)
    (found,) = run(
        lambda a, b, dst: nisa.tensor_tensor(dst, a, b, op(name)),
        {"a": a, "b": b},
        {"dst": (shape, dtype)},
    )
    check(found, oracle.tensor_tensor(a, b, name, dtype))


@given(seeds, shapes, dtypes, dtypes, st.data(), layouts)
def test_tensor_scalar(rng, shape, dtype, source, data, at):
    op0 = data.draw(st.sampled_from([*ARITHMETIC, "abs", "square", "relu"]))
    op1 = data.draw(st.sampled_from([None, *sorted(set(ARITHMETIC) - {"abs_max", "abs_min"})]))
    reverse0, reverse1 = data.draw(st.booleans()), data.draw(st.booleans())
    x = values(rng, shape, source)
    scale = values(rng, (shape[0], 1), np.float32)
    unary = op0 in ("abs", "square", "relu")
    (found,) = run(
        lambda x, scale, dst: nisa.tensor_scalar(
            dst,
            x,
            op(op0),
            0 if unary else scale,
            reverse0,
            None if op1 is None else op(op1),
            None if op1 is None else 0.75,
            reverse1,
        ),
        {"x": x, "scale": scale},
        {"dst": (shape, dtype)},
        {"x": at},
    )
    with np.errstate(all="ignore"):
        check(
            found,
            oracle.tensor_scalar(
                x, op0, 0.0 if unary else scale, dtype, reverse0 and not unary, op1, 0.75, reverse1
            ),
        )


@given(seeds, shapes, st.sampled_from(oracle.INTEGERS), st.sampled_from(BITS), st.booleans())
def test_tensor_scalar_of_bits(rng, shape, dtype, name, reverse):
    x = values(rng, shape, dtype)
    column = rng.integers(0, 31, (shape[0], 1)).astype(dtype)
    (found,) = run(
        lambda x, column, dst: nisa.tensor_scalar(
            dst, x, op(name), column, reverse, nl.bitwise_xor, 85
        ),
        {"x": x, "column": column},
        {"dst": (shape, dtype)},
    )
    check(found, oracle.tensor_scalar(x, name, column, dtype, reverse, "bitwise_xor", 85))


@given(seeds, shapes, dtypes, dtypes, dtypes, st.data(), layouts, layouts)
def test_scalar_tensor_tensor(rng, shape, dtype, first, second, data, at1, at2):
    op0, op1 = (data.draw(st.sampled_from(ARITHMETIC)) for _ in range(2))
    reverse0, reverse1 = data.draw(st.booleans()), data.draw(st.booleans())
    at2 = "dense" if both_psum(at1, at2) else at2
    a, b = values(rng, shape, first), values(rng, shape, second)
    column = values(rng, (shape[0], 1), oracle.FLOATS[2])
    (found,) = run(
        lambda a, b, column, dst: nisa.scalar_tensor_tensor(
            dst, a, op(op0), column, op(op1), b, reverse0, reverse1
        ),
        {"a": a, "b": b, "column": column},
        {"dst": (shape, dtype)},
        {"a": at1, "b": at2},
    )
    with np.errstate(all="ignore"):
        check(found, oracle.scalar_tensor_tensor(a, op0, column, op1, b, dtype, reverse0, reverse1))


@given(
    seeds,
    shapes,
    dtypes,
    st.sampled_from([np.uint8, np.uint16, np.uint32]),
    st.booleans(),
    st.booleans(),
    layouts,
)
def test_tensor_copy_predicated(rng, shape, dtype, mask, reverse, number, at):
    dst, src = values(rng, shape, dtype), values(rng, shape, dtype)
    predicate = (rng.integers(0, 3, shape) * 100).astype(mask)
    (found,) = run(
        lambda dst, src, predicate: nisa.tensor_copy_predicated(
            dst, 3 if number else src, predicate, reverse
        ),
        {"dst": dst, "src": src, "predicate": predicate},
        {},
        {"dst": at, "src": "strided"},
        updates=("dst",),
    )
    source = np.full(shape, 3).astype(dtype) if number else src
    check(found, oracle.tensor_copy_predicated(dst, source, predicate, reverse))


@given(shapes, dtypes, layouts)
def test_memset(shape, dtype, at):
    value = 3 if np.dtype(dtype).kind in "iu" else -1.7
    (found,) = run(lambda dst: nisa.memset(dst, value), {}, {"dst": (shape, dtype)}, {"dst": at})
    check(found, oracle.memset(shape, value, dtype))


@given(seeds, shapes, dtypes, st.sampled_from(oracle.FLOATS), layouts)
def test_reciprocal(rng, shape, source, dtype, at):
    data = values(rng, shape, source)
    (found,) = run(
        lambda data, dst: nisa.reciprocal(dst, data),
        {"data": data},
        {"dst": (shape, dtype)},
        {"data": at},
    )
    check(found, oracle.reciprocal(data, dtype))


@given(seeds, shapes, layouts)
def test_rsqrt_runs_on_gpsimd(rng, shape, at):
    data = np.abs(values(rng, shape, np.float32)) + np.float32(0.5)
    (found,) = run(
        lambda data, dst: nisa.tensor_scalar(dst, data, nl.rsqrt, 0),
        {"data": data},
        {"dst": (shape, np.float32)},
        {"data": "dense" if at == "psum" else at},
    )
    check(found, oracle.tensor_scalar(data, "rsqrt", 0.0, np.float32))
