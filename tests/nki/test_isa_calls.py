"""May instructions be called in every form that NKI's pages show?"""

import nki
import nki.isa as nisa
import nki.language as nl
import numpy as np
import pytest
from trainyard import InputError, _core

RNG = np.random.default_rng(9)


def out_like(x, shape=None):
    return nl.ndarray(shape or x.shape, x.dtype, buffer=nl.shared_hbm)


@pytest.mark.parametrize("axis", [1, -1, (2,), [1, 2], (2, 1), (-1, -2), [-2, 2]])
@pytest.mark.found("memory.dead_store")
def test_axes_of_tensor_reduce_count_from_either_end(axis):
    shape = (4, 3, 5) if axis != 1 and axis != -1 else (4, 15)
    numbers = sorted({a % len(shape) for a in ([axis] if isinstance(axis, int) else axis)})

    @nki.jit
    def kernel(x):
        kept = [n for d, n in enumerate(x.shape) if d not in numbers]
        result = nl.ndarray((*kept, 1), x.dtype)
        nisa.tensor_reduce(result, nl.add, nl.load(x), axis)
        nisa.tensor_reduce(dst=result, op=np.add, data=nl.load(x), axis=axis, negate=True)
        out = out_like(x, result.shape)
        nl.store(out, result)
        return out

    x = RNG.standard_normal(shape).astype(np.float32)
    wanted = -x.sum(axis=tuple(numbers), keepdims=True, dtype=np.float64)
    np.testing.assert_allclose(kernel(x).ravel(), wanted.ravel(), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("axis", [0, (0, 1), 3, (1,), "1", None])
def test_other_axes_are_refused(trace, axis):
    data, result = nl.ndarray((4, 3, 5), nl.float32), nl.ndarray((4, 15), nl.float32)
    with pytest.raises(InputError) as caught:
        nisa.tensor_reduce(dst=result, op=nl.add, data=data, axis=axis)
    assert caught.value.violations[0].label in ("tensor_reduce.c2", "argument.type")


def test_optional_operands_may_be_none_or_left_out(trace):
    x, y = nl.ndarray((128, 64), nl.bfloat16), nl.ndarray((128, 64), nl.bfloat16)
    column = nl.ndarray((128, 1), nl.float32)
    product = nl.ndarray((64, 64), nl.float32, buffer=nl.psum)
    nisa.tensor_scalar(dst=y, data=x, op0=nl.add, operand0=1, op1=None, operand1=None)
    nisa.tensor_scalar(y, x, nl.multiply, column, False, nl.add, 2.0, True, name="both")
    nisa.activation(dst=y, op=nl.exp, data=x, bias=None, reduce_op=None, reduce_res=None)
    nisa.activation(y, nl.copy, x, column, 0.5)
    nisa.dma_copy(dst=y, src=x, priority=None, dge_mode=nisa.dge_mode.unknown, name=None)
    for accumulate in (None, False, True):
        nisa.nc_matmul(product, x, y, accumulate=accumulate)
    nisa.nc_matmul(product, x, y, tile_position=(0, 0), tile_size=(128, 64))
    nisa.nc_matmul(product, x, y, tile_position=[0, 0], tile_size=[128, 64])
    nisa.tensor_scalar(y, x, nl.abs, None, op1=nl.add, operand1=2.0)
    nisa.activate2(y, nl.exp, x, 1.0, None, nl.multiply, nl.bypass)
    assert len(trace.trace) == 12


def test_constants_may_be_numbers_of_numpy(trace):
    x = nl.ndarray((128, 64), nl.float32)
    nisa.memset(dst=x, value=np.float32(1.5))
    nisa.memset(x, np.int64(3))
    nisa.tensor_scalar(dst=x, data=x, op0=nl.add, operand0=np.float16(0.5), reverse0=np.True_)
    nisa.iota(nl.ndarray((128, 64), nl.int32), [[np.int32(1), np.int64(64)]], np.int16(2), 1)
    assert len(trace.trace) == 4


def test_operators_may_be_those_of_numpy(trace):
    x = nl.ndarray((128, 64), nl.float32)
    for op in (np.add, np.multiply, np.subtract, np.maximum, np.minimum, nl.max, nl.min):
        nisa.tensor_tensor(dst=x, data1=x, data2=x, op=op)
    nisa.activation(dst=x, op=np.exp, data=x)


WRONG = [
    ("dst", lambda x: nisa.memset(dst=np.zeros((4, 4)), value=0)),
    ("src", lambda x: nisa.tensor_copy(dst=x, src=None)),
    ("src", lambda x: nisa.dma_copy(dst=x, src=None)),
    ("op", lambda x: nisa.tensor_tensor(dst=x, data1=x, data2=x, op=None)),
    ("operand0", lambda x: nisa.tensor_scalar(dst=x, data=x, op0=nl.add, operand0=None)),
    ("value", lambda x: nisa.memset(dst=x, value=None)),
    ("value", lambda x: nisa.memset(dst=x, value="1")),
    ("op", lambda x: nisa.tensor_tensor(dst=x, data1=x, data2=x, op="add")),
    ("op", lambda x: nisa.activation(dst=x, op=nl.add, data=x)),
    ("engine", lambda x: nisa.tensor_copy(dst=x, src=x, engine="vector")),
    ("engine", lambda x: nisa.tensor_copy(dst=x, src=x, engine=5)),
    ("dge_mode", lambda x: nisa.dma_copy(dst=x, src=x, dge_mode=4)),
    ("pattern[0]", lambda x: nisa.iota(x.view(nl.int32), [1, 2])),
    ("pattern[1].count", lambda x: nisa.iota(x.view(nl.int32), [[1, 2], [1, 0.5]])),
    ("pattern", lambda x: nisa.iota(x.view(nl.int32), [[1, 2]] * 5)),
    ("shuffle_mask", lambda x: nisa.nc_stream_shuffle(x, x, range(33))),
    ("shuffle_mask[1]", lambda x: nisa.nc_stream_shuffle(x, x, [0, None])),
    ("tile_size", lambda x: nisa.nc_matmul(x, x, x, tile_size=(1, 2, 3))),
    ("channel_multiplier", lambda x: nisa.iota(x.view(nl.int32), [[1, 8]], channel_multiplier=0.5)),
]


@pytest.mark.parametrize(("operand", "call"), WRONG)
def test_an_argument_of_the_wrong_kind_is_named(trace, operand, call):
    with pytest.raises(InputError) as caught:
        call(nl.ndarray((4, 8), nl.float32))
    violation = caught.value.violations[0]
    assert violation.label == "argument.type"
    assert f"'{operand}'" in violation.rule
    assert "test_isa_calls.py" in violation.place


def test_members_of_enums_may_be_their_numbers(trace):
    x = nl.ndarray((4, 8), nl.float32)
    for number in range(4):
        nisa.dma_copy(dst=x, src=x, dge_mode=number)


def test_functions_outside_a_kernel_say_so():
    for use in (lambda: nl.ndarray((4, 4), nl.float32), nisa.register_alloc, nl.program_id):
        with pytest.raises(RuntimeError, match=r"nki\.jit"):
            use()


def test_documentation_lists_parameters_and_rules():
    text = nisa.nc_matmul.__doc__
    assert ":param stationary:" in text and "nc_matmul.c1" in text and "Source:" in text
    assert nisa.nc_matmul.__module__ == "nki.isa" and nisa.nc_matmul.__name__ == "nc_matmul"


def enumerations() -> dict[str, list[str]]:
    """The members of each enumeration that an operand of an instruction may have."""
    return {
        word: names
        for entry in _core.instruction_schema()
        for operand in entry["operands"]
        for word, names in [operand.get("enumeration", ("", []))]
        if hasattr(nisa, word)
    }


def test_python_has_the_members_of_every_enumeration():
    found = enumerations()
    assert {"reduce_cmd", "dge_mode", "oob_mode", "matmul_perf_mode", "dma_engine"} <= found.keys()
    for word, names in found.items():
        assert [member.name for member in getattr(nisa, word)] == names
