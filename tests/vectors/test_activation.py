"""Do the activation instructions agree with the NumPy oracle, registers included?"""

import ml_dtypes
import nki.isa as nisa
import nki.language as nl
import numpy as np
import oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lab import check, finite, layouts, run, seeds, shapes, values

dtypes = st.sampled_from(oracle.FLOATS + oracle.INTEGERS)
functions = st.sampled_from(sorted(oracle.FUNCTIONS))
COMMANDS = nisa.reduce_cmd


def function(name):
    return getattr(nl, name)


@given(seeds, shapes, dtypes, dtypes, functions, layouts)
def test_activation(rng, shape, dtype, source, name, at):
    data = values(rng, shape, source)
    scale, bias = (finite(rng, (shape[0], 1), np.float32) for _ in range(2))
    (found,) = run(
        lambda data, scale, bias, dst: nisa.activation(dst, function(name), data, bias, scale),
        {"data": data, "scale": scale, "bias": bias},
        {"dst": (shape, dtype)},
        {"data": at},
    )
    with np.errstate(all="ignore"):
        wanted, _ = oracle.activation(data, name, dtype, scale, bias)
    check(found, wanted)


@given(seeds, shapes, st.sampled_from(oracle.FLOATS), layouts)
def test_activation_sums_over_several_instructions(rng, shape, dtype, at):
    first, second = (finite(rng, shape, np.float32) for _ in range(2))

    def emit(first, second, one, two, total):
        nisa.activation(
            one, nl.square, first, scale=0.5, reduce_op=nl.add, reduce_cmd=COMMANDS.reset_reduce
        )
        nisa.activation(
            two, nl.copy, second, reduce_op=nl.add, reduce_res=total, reduce_cmd=COMMANDS.reduce
        )

    one, two, total = run(
        emit,
        {"first": first, "second": second},
        {"one": (shape, dtype), "two": (shape, dtype), "total": ((shape[0], 1), np.float32)},
        {"first": at},
    )
    wanted, exact = oracle.activation(first, "square", dtype, 0.5)
    check(one, wanted)
    check(two, oracle.cast(second, dtype))
    check(total, oracle.reduced("add", second, oracle.reduced("add", exact)[:, 0]))


@given(seeds, shapes, functions, layouts)
def test_activation_reduce(rng, shape, name, at):
    data = finite(rng, shape, np.float32)
    found, total = run(
        lambda data, dst, total: nisa.activation_reduce(
            dst, function(name), data, nl.add, total, bias=0.25
        ),
        {"data": data},
        {"dst": (shape, np.float16), "total": ((shape[0], 1), np.float32)},
        {"data": at},
    )
    wanted, exact = oracle.activation(data, name, np.float16, bias=0.25)
    check(found, wanted)
    check(total, oracle.reduced("add", exact))


PAIRS = [
    ("multiply", "add"),
    ("multiply", "subtract"),
    ("multiply", "bypass"),
    ("add", "bypass"),
    ("subtract", "bypass"),
    ("bypass", "bypass"),
]


@given(
    seeds,
    shapes,
    dtypes,
    st.sampled_from(PAIRS),
    functions,
    st.booleans(),
    st.booleans(),
    st.sampled_from(["add", "maximum", "minimum"]),
)
def test_activate2(rng, shape, source, pair, name, reverse0, reverse1, reduction):
    data, imm = finite(rng, shape, source), finite(rng, (shape[0], 1), np.float32)
    op0, op1 = pair
    reverse0, reverse1 = reverse0 and op0 != "bypass", reverse1 and op1 != "bypass"
    found, total = run(
        lambda data, imm, dst, total: nisa.activate2(
            dst,
            function(name),
            data,
            imm,
            0.375,
            function(op0),
            function(op1),
            reverse0=reverse0,
            reverse1=reverse1,
            reduce_op=function(reduction),
            reduce_res=total,
            reduce_cmd=COMMANDS.reset_reduce,
        ),
        {"data": data, "imm": imm},
        {"dst": (shape, np.float16), "total": ((shape[0], 1), np.float32)},
    )
    wanted, exact = oracle.activate2(
        data, name, np.float16, imm, 0.375, op0, op1, reverse0, reverse1
    )
    check(found, wanted)
    check(total, oracle.reduced(reduction, exact))


@given(seeds, shapes, st.sampled_from(oracle.FLOATS[:3]), layouts, st.booleans())
def test_exponential(rng, shape, dtype, at, loads):
    src, top = finite(rng, shape, np.float32), finite(rng, (shape[0], 1), np.float32)
    start = np.abs(finite(rng, (shape[0], 1), np.float32))

    def emit(src, top, start, dst, total):
        if loads:
            nisa.exponential(dst, src, top, total, COMMANDS.load_reduce, reduce_init=start)
        else:
            nisa.exponential(dst, src, top, total, COMMANDS.reset_reduce)

    found, total = run(
        emit,
        {"src": src, "top": top, "start": start},
        {"dst": (shape, dtype), "total": ((shape[0], 1), np.float32)},
        {"src": at},
    )
    exact = oracle.exponential(src, top)
    kind = ml_dtypes.finfo(dtype)  # one unit in the last place, or of the subnormals
    np.testing.assert_allclose(
        found.astype(np.float64),
        oracle.cast(exact, dtype).astype(np.float64),
        rtol=float(kind.eps),
        atol=float(kind.smallest_subnormal),
    )
    wanted = exact.sum(axis=1, keepdims=True) + (start if loads else 0)
    np.testing.assert_allclose(total, wanted, rtol=1e-5)


@pytest.mark.parametrize("name, judge", [("exp", np.exp), ("tanh", np.tanh), ("log", np.log)])
def test_functions_are_good_to_one_unit_in_the_last_place(name, judge):
    data = np.linspace(0.01, 20, 64 * 64, dtype=np.float32).reshape(64, 64)
    (found,) = run(
        lambda data, dst: nisa.activation(dst, function(name), data),
        {"data": data},
        {"dst": ((64, 64), np.float32)},
    )
    exact = judge(data.astype(np.float64))
    assert np.all(np.abs(found - exact) <= np.spacing(np.abs(exact).astype(np.float32)))
