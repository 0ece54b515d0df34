"""How far does an unwritten element reach? Expected by hand, from what each instruction means.

Element [5, 9] of a [128, 64] tile is never written. An instruction computes a result from the tile;
the part of the result that depends on the element is a box. Storing the rest finds nothing, storing
either corner of the box finds memory.unwritten.
"""

import functools

import nki
import nki.isa as nisa
import nki.language as nl
import numpy as np
import pytest
from harness import all_but, findings_of, ids, loaded, tile

P, N = 128, 64
ROW, COLUMN = 5, 9
X = np.random.default_rng(3).standard_normal((P, N), dtype=np.float32)
INDEX = np.broadcast_to(np.array([1, 30, 2, COLUMN], np.uint32), (P, 4)).copy()
EYE = np.eye(P, dtype=np.float32)
AT = np.zeros((P, N), np.uint8)
AT[ROW, COLUMN] = 1


with_a_hole = functools.partial(all_but, row=ROW, column=COLUMN)


def activation(s, **_):
    out = tile((P, N), nl.bfloat16)
    nisa.activation(dst=out, op=nl.exp, data=s)
    return out


def sum_of_activation(s, **_):
    out, total = tile((P, N)), tile((P, 1))
    nisa.activation_reduce(dst=out, op=nl.exp, data=s, reduce_op=nl.add, reduce_res=total)
    return total


def sum_in_steps(s, **_):
    out, total = tile((P, N)), tile((P, 1))
    nisa.tensor_scalar_reduce(
        dst=out, data=s, op0=nl.multiply, operand0=1.0, reduce_op=nl.add, reduce_res=total
    )
    return total


def column_of_scales(s, **_):
    out, scale = tile((P, N)), tile((P, 1))
    nisa.tensor_copy(dst=scale, src=s[:, COLUMN : COLUMN + 1])
    nisa.tensor_scalar(dst=out, data=loaded(_["x"]), op0=nl.multiply, operand0=scale)
    return out


def times_zero(s, **_):
    out, zero = tile((P, N)), tile((P, N))
    nisa.memset(dst=zero, value=0.0)
    nisa.tensor_tensor(dst=out, data1=s, data2=zero, op=nl.multiply)
    return out


def and_with(mask):
    def bits_of(s, **_):
        out = tile((P, N), nl.uint32)
        nisa.tensor_scalar(dst=out, data=s.view(nl.uint32), op0=nl.bitwise_and, operand0=mask)
        return out

    return bits_of


def copied(dtype):
    def copy(s, **_):
        out = tile((P, N), dtype)
        nisa.tensor_copy(dst=out, src=s)
        return out

    return copy


def reduced(shape, axis):
    def reduce(s, **_):
        out = tile((P, N // shape[-1]))
        nisa.tensor_reduce(dst=out, op=nl.add, data=s.reshape((P, *shape)), axis=axis)
        return out

    return reduce


def largest(s, **_):
    out = tile((P, 8))
    nisa.max8(dst=out, src=s)
    return out


def scan(s, x, **_):
    out = tile((P, N))
    nisa.tensor_tensor_scan(
        dst=out, data0=s, data1=loaded(x), initial=0.0, op0=nl.multiply, op1=nl.add
    )
    return out


def cumulative(s, **_):
    out = tile((P, N))
    nisa.tensor_scalar_cumulative(dst=out, src=s, op0=nl.multiply, op1=nl.add, imm0=1.0)
    return out


def across_partitions(s, **_):
    out = tile((1, N))
    nisa.tensor_partition_reduce(dst=out, op=nl.add, data=s)
    return out


def as_stationary(s, x, **_):
    out = tile((N, N), buffer=nl.psum)
    nisa.nc_matmul(dst=out, stationary=s, moving=loaded(x), accumulate=False)
    return in_sbuf(out)


def as_moving(s, x, **_):
    out = tile((N, N), buffer=nl.psum)
    nisa.nc_matmul(dst=out, stationary=loaded(x), moving=s, accumulate=False)
    return in_sbuf(out)


def in_sbuf(psum):
    out = tile(psum.shape)
    nisa.tensor_copy(dst=out, src=psum)
    return out


def transposed(s, **_):
    out = tile((N, P), buffer=nl.psum)
    nisa.nc_transpose(dst=out, data=s)
    return in_sbuf(out)


def transposed_by_matmul(s, eye, **_):
    out = tile((N, P), buffer=nl.psum)
    nisa.nc_matmul(dst=out, stationary=s, moving=loaded(eye), is_transpose=True)
    return in_sbuf(out)


def statistics(s, **_):
    out = tile((P, 6))
    nisa.bn_stats(dst=out, data=s)
    return out


def predicated(reverse):
    def choose(s, x, at, **_):
        out = loaded(x)
        nisa.tensor_copy_predicated(dst=out, src=s, predicate=loaded(at), reverse_pred=reverse)
        return out

    return choose


def kept(s, x, at, **_):
    nisa.tensor_copy_predicated(dst=s, src=loaded(x), predicate=loaded(at), reverse_pred=True)
    return s


def cleared(s, x, **_):
    """Zeros where the mask says so; of one element neither the mask nor what it had is known."""
    mask, zeros = with_a_hole(x).view(nl.uint32), nl.zeros((P, N), nl.float32)
    nisa.tensor_copy_predicated(dst=s, src=zeros, predicate=mask)
    return s


def selected(op):
    def select(s, **_):
        out = tile((P, N))
        nisa.affine_select(
            dst=out,
            pattern=[[1, N]],
            channel_multiplier=N,
            offset=-(ROW * N + COLUMN),
            on_true_tile=s,
            on_false_value=0.0,
            cmp_op=op,
        )
        return out

    return select


def in_range(s, **_):
    out, low, high, best = tile((P, N)), tile((P, 1)), tile((P, 1)), tile((P, 1))
    nisa.memset(dst=low, value=float(COLUMN + 1))
    nisa.memset(dst=high, value=float(N))
    nisa.range_select(
        dst=out,
        on_true_tile=s,
        comp_op0=nl.greater_equal,
        comp_op1=nl.less,
        bound0=low,
        bound1=high,
        reduce_res=best,
    )
    nisa.tensor_scalar(dst=out, data=out, op0=nl.maximum, operand0=best)
    return out


def gathered(s, index, **_):
    out = tile((P, 4))
    nisa.nc_n_gather(dst=out, data=s, indices=loaded(index))
    return out


def shuffled(s, **_):
    out = tile((P, N))
    mask = [1, 0, *range(2, ROW), 7, 6, 7, ROW, *range(9, 32)]
    nisa.nc_stream_shuffle(dst=out, src=s, shuffle_mask=mask)
    return out


def through_hbm(s, **_):
    middle = nl.ndarray((N, P), nl.float32, buffer=nl.private_hbm)
    nisa.dma_copy(dst=middle.reshape((P, N)), src=s)
    out = tile((N, P))
    nisa.dma_copy(dst=out, src=middle)
    return out


def overwritten(s, **_):
    out = tile((P, N))
    nisa.tensor_copy(dst=out, src=s)
    nisa.memset(dst=out[:, COLUMN : COLUMN + 1], value=0.0)
    return out


ELEMENT = (ROW, ROW + 1, COLUMN, COLUMN + 1)
CASES = {
    "activation": (activation, ELEMENT),
    "activation_reduce": (sum_of_activation, (ROW, ROW + 1, 0, 1)),
    "tensor_scalar_reduce": (sum_in_steps, (ROW, ROW + 1, 0, 1)),
    "tensor_scalar by a column": (column_of_scales, (ROW, ROW + 1, 0, N)),
    "multiply by zero": (times_zero, ELEMENT),
    "bitwise_and with zero": (and_with(0), None),
    "bitwise_and": (and_with(0xFF), ELEMENT),
    "tensor_copy": (copied(nl.float32), ELEMENT),
    "tensor_copy with a cast": (copied(nl.bfloat16), ELEMENT),
    "tensor_reduce in groups": (reduced((8, 8), (2,)), (ROW, ROW + 1, 1, 2)),
    "tensor_reduce": (reduced((N,), (1,)), (ROW, ROW + 1, 0, 1)),
    "max8": (largest, (ROW, ROW + 1, 0, 8)),
    "tensor_tensor_scan": (scan, (ROW, ROW + 1, COLUMN, N)),
    "tensor_scalar_cumulative": (cumulative, (ROW, ROW + 1, COLUMN, N)),
    "tensor_partition_reduce": (across_partitions, (0, 1, COLUMN, COLUMN + 1)),
    "nc_matmul, stationary": (as_stationary, (COLUMN, COLUMN + 1, 0, N)),
    "nc_matmul, moving": (as_moving, (0, N, COLUMN, COLUMN + 1)),
    "nc_transpose": (transposed, (COLUMN, COLUMN + 1, ROW, ROW + 1)),
    "nc_matmul, is_transpose": (transposed_by_matmul, (COLUMN, COLUMN + 1, ROW, ROW + 1)),
    "bn_stats": (statistics, (ROW, ROW + 1, 0, 6)),
    "tensor_copy_predicated, chosen": (predicated(False), ELEMENT),
    "tensor_copy_predicated, not chosen": (predicated(True), None),
    "tensor_copy_predicated, kept": (kept, ELEMENT),
    "tensor_copy_predicated, unknown": (cleared, ELEMENT),
    "affine_select, chosen": (selected(nl.equal), ELEMENT),
    "affine_select, not chosen": (selected(nl.not_equal), None),
    "range_select, not chosen": (in_range, None),
    "nc_n_gather": (gathered, (ROW, ROW + 1, 3, 4)),
    "nc_stream_shuffle": (shuffled, (8, 9, COLUMN, COLUMN + 1)),
    "dma_copy": (through_hbm, ((ROW * N + COLUMN) // P, (ROW * N + COLUMN) // P + 1, 73, 74)),
    "overwritten": (overwritten, None),
}


def around(box, shape):
    """What is left of a result, as boxes."""
    rows, columns = shape
    a, b, c, d = box
    parts = [(0, a, 0, columns), (b, rows, 0, columns), (a, b, 0, c), (a, b, d, columns)]
    return [one for one in parts if one[0] < one[1] and one[2] < one[3]]


def found(body, boxes):
    """The ids of what is found when these boxes of the result are stored (None: all of it)."""

    @nki.jit
    def kernel(x, at, index, eye):
        result = body(with_a_hole(x), x=x, at=at, index=index, eye=eye)
        parts = boxes(result.shape)
        outs = []
        for a, b, c, d in parts:
            out = nl.ndarray((b - a, d - c), result.dtype, buffer=nl.shared_hbm)
            nisa.dma_copy(dst=out, src=result[a:b, c:d])
            outs.append(out)
        return tuple(outs)

    return ids(findings_of(kernel, X, AT, INDEX, EYE, timed=False), "error")


@pytest.mark.parametrize("name", CASES)
def test_what_does_not_depend_on_it_is_clean(name):
    body, box = CASES[name]
    rest = (
        (lambda shape: around(box, shape)) if box else (lambda shape: [(0, shape[0], 0, shape[1])])
    )
    assert found(body, rest) == set()


@pytest.mark.parametrize("name", [name for name, (_, box) in CASES.items() if box])
def test_what_depends_on_it_is_found(name):
    body, (a, b, c, d) = CASES[name]
    for corner in ((a, a + 1, c, c + 1), (b - 1, b, d - 1, d)):
        assert found(body, lambda _, corner=corner: [corner]) == {"memory.unwritten"}


def decides(body):
    """The one finding of a kernel that stores nothing but zeros beside what `body` does."""

    @nki.jit
    def kernel(x, at, index, eye):
        out = nl.ndarray((P, N), nl.float32, buffer=nl.shared_hbm)
        body(with_a_hole(x), x=x, index=index)
        nl.store(out, nl.zeros((P, N), nl.float32))
        return out

    found = findings_of(kernel, X, AT, INDEX, EYE, timed=False)
    (one,) = [one for one in found if one["label"] == "memory.unwritten"]
    return one


def test_a_register_is_not_loaded_with_it():
    def body(s, **_):
        register = nisa.register_alloc(0)
        nisa.register_load(register, s.view(nl.uint32)[ROW : ROW + 1, COLUMN : COLUMN + 1])

    assert decides(body)["sides"][0]["role"] == "reads"


def test_an_index_is_a_position_whatever_becomes_of_what_it_picks():
    def body(s, x, **_):
        picked, index = tile((P, 4)), tile((P, 4), nl.uint32)
        nisa.memset(dst=index[:, 0:3], value=0)
        nisa.nc_n_gather(dst=picked, data=loaded(x), indices=index)

    assert "indices of nc_n_gather" in decides(body)["found"]


def test_an_index_of_a_transfer_is_a_position_too():
    def body(s, x, **_):
        rows, index = tile((16, N)), tile((16, 1), nl.uint32)
        nisa.dma_copy(dst=rows, src=x.ap(pattern=[[N, 16], [1, N]], vector_offset=index))

    assert "src of dma_copy" in decides(body)["found"]


def test_a_finding_tells_the_whole_way():
    def body(s, **_):
        one, two = tile((P, N)), tile((P, N))
        nisa.tensor_copy(dst=one, src=s)
        nisa.activation(dst=two, op=nl.exp, data=one)
        return two

    @nki.jit
    def kernel(x):
        out = nl.ndarray((P, N), nl.float32, buffer=nl.shared_hbm)
        nisa.dma_copy(dst=out, src=body(with_a_hole(x)))
        return out

    (one,) = [one for one in findings_of(kernel, X) if one["label"] == "memory.unwritten"]
    assert [(side["role"], side["what"]) for side in one["sides"]] == [
        ("reads", "tensor_copy"),
        ("passes on", "activation"),
        ("stores", "dma_copy"),
        ("writes another part", "dma_copy"),
        ("created", "t2"),
    ]
    line = body.__code__.co_firstlineno + 2
    assert f":{line} in " in one["place"] and ".body\n" in one["place"]
    assert f"partition {ROW}, byte " in one["found"] and "stores the result in 't1'" in one["found"]
    assert all(side["place"] for side in one["sides"])


@pytest.mark.parametrize("timed", [False, True])
@pytest.mark.parametrize("part", ["rest", "hole"])
def test_what_another_core_sends_is_as_determined_there_as_here(timed, part):
    @nki.jit
    def kernel(x):
        me = nl.program_id(0)
        source, got = with_a_hole(x), tile((P, N))
        nisa.sendrecv(source, got, 1 - me, 1 - me, 0)
        columns = nl.ds(COLUMN, 1) if part == "hole" else nl.ds(0, COLUMN)
        shape = (P, 1 if part == "hole" else COLUMN)
        out = nl.ndarray((2, *shape), x.dtype, buffer=nl.shared_hbm)
        nisa.dma_copy(dst=out[me], src=got[:, columns])
        return out

    found = [one for one in findings_of(kernel[2], X, timed=timed) if one["severity"] == "error"]
    assert {one["label"] for one in found} == ({"memory.unwritten"} if part == "hole" else set())
    assert all("from another core, where src of sendrecv reads" in one["found"] for one in found)
