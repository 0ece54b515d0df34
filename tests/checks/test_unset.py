"""Is it seen that a result goes on from an accumulator, or a register is read, that nothing has
set, and is nothing said where something has?"""

import nki
import nki.isa as nisa
import nki.language as nl
import numpy as np
import pytest
from harness import findings_of, ids, loaded, tile
from trainyard import InputError

X = np.random.default_rng(5).standard_normal((128, 32), dtype=np.float32)
CMD = nisa.reduce_cmd


def _activation(data, total, cmd):
    sums = {"reduce_op": nl.add, "reduce_res": total, "reduce_cmd": cmd}
    nisa.activation(dst=tile(data.shape), op=nl.exp, data=data, **sums)


def _activate2(data, total, cmd):
    nisa.activate2(
        dst=tile(data.shape),
        op=nl.copy,
        data=data,
        imm0=1.0,
        imm1=0.0,
        op0=nl.multiply,
        op1=nl.add,
        reduce_op=nl.maximum,
        reduce_res=total,
        reduce_cmd=cmd,
    )


def _exponential(data, total, cmd):
    nisa.exponential(dst=tile(data.shape), src=data, reduce_res=total, reduce_cmd=cmd)


def _range_select(data, total, cmd):
    bounds = [tile((data.shape[0], 1)) for _ in range(2)]
    for bound, value in zip(bounds, (0.0, 16.0), strict=True):
        nisa.memset(dst=bound, value=value)
    nisa.range_select(
        dst=tile(data.shape),
        on_true_tile=data,
        comp_op0=nl.greater_equal,
        comp_op1=nl.less,
        bound0=bounds[0],
        bound1=bounds[1],
        reduce_cmd=cmd,
        reduce_res=total,
        reduce_op=nl.maximum,
    )


def _select_reduce(data, total, cmd):
    mask = tile(data.shape, nl.uint8)
    nisa.memset(dst=mask, value=1)
    nisa.select_reduce(
        dst=tile(data.shape),
        predicate=mask,
        on_true=data,
        on_false=-1.0,
        reduce_res=total,
        reduce_cmd=cmd,
        reduce_op=nl.maximum,
    )


def _tensor_scalar_reduce(data, total, cmd):
    sums = {"reduce_op": nl.add, "reduce_res": total, "reduce_cmd": cmd}
    nisa.tensor_scalar_reduce(dst=tile(data.shape), data=data, op0=nl.add, operand0=1.0, **sums)


def _tensor_scalar_cumulative(data, total, cmd):
    steps = tile(data.shape)
    nisa.tensor_scalar_cumulative(
        dst=steps, src=data, op0=nl.multiply, op1=nl.add, imm0=1.0, reduce_cmd=cmd
    )
    nisa.tensor_copy(dst=total, src=steps[:, 31:32])


REDUCES = {
    f.__name__[1:]: f
    for f in (
        _activation,
        _activate2,
        _exponential,
        _range_select,
        _select_reduce,
        _tensor_scalar_reduce,
        _tensor_scalar_cumulative,
    )
}


def summed(reduce, *steps, rows=slice(0, 128)):
    """A kernel that returns what the last step gives out; each is (rows, command)."""

    def kernel(x):
        data = loaded(x)
        total = tile((128, 1))
        nisa.memset(dst=total, value=0.0)
        for part, cmd in steps:
            reduce(data[part, :], total[part, :], cmd)
        out = nl.ndarray((128, 1), nl.float32, buffer=nl.shared_hbm)
        nisa.dma_copy(dst=out[rows, :], src=total[rows, :])
        return out

    return nki.jit(kernel)


ALL, LOW, HIGH = slice(0, 128), slice(0, 64), slice(64, 128)


@pytest.mark.parametrize("timed", [False, True], ids=["untimed", "timed"])
@pytest.mark.parametrize("reduce", REDUCES.values(), ids=REDUCES)
def test_a_sum_that_was_never_begun_is_seen(reduce, timed):
    found = findings_of(summed(reduce, (ALL, CMD.reduce)), X, timed=timed)
    (one,) = [one for one in found if one["label"] == "memory.unwritten"]
    name = reduce.__name__[1:]
    assert f"{name} continues from the accumulator of lane 0, which nothing has set" in one["found"]
    reads = one["sides"][0]
    assert (reads["role"], reads["what"]) == ("reads", name) and "test_unset.py" in reads["place"]
    assert one["sides"][-1]["role"] == "stores"


@pytest.mark.parametrize("reduce", REDUCES.values(), ids=REDUCES)
def test_one_that_was_is_in_order(reduce):
    begun = summed(reduce, (ALL, CMD.reset_reduce), (ALL, CMD.reduce), (ALL, CMD.reduce))
    assert not ids(findings_of(begun, X), "error")


@pytest.mark.parametrize("reduce", [_activation, _activate2], ids=["activation", "activate2"])
def test_a_reset_alone_begins_one(reduce):
    begun = summed(reduce, (ALL, CMD.reset), (ALL, CMD.reduce), (ALL, CMD.idle))
    assert not ids(findings_of(begun, X), "error")


def test_every_lane_counts():
    half = summed(_activation, (LOW, CMD.reset_reduce), (ALL, CMD.reduce))
    found = findings_of(half, X)
    assert "the accumulator of lane 64, which" in found[0]["found"]
    both = summed(_activation, (LOW, CMD.reset_reduce), (HIGH, CMD.reset), (ALL, CMD.reduce))
    assert not ids(findings_of(both, X), "error")


def test_rows_that_were_begun_are_determined():
    steps = (LOW, CMD.reset_reduce), (ALL, CMD.reduce)
    assert "memory.unwritten" not in ids(findings_of(summed(_activation, *steps, rows=LOW), X))
    assert "memory.unwritten" in ids(findings_of(summed(_activation, *steps, rows=HIGH), X))


def test_nobody_looks_at_it():
    def kernel(x):
        data, total = loaded(x), tile((128, 1))
        _activation(data, total, CMD.reduce)
        return x

    assert "memory.unwritten" not in ids(findings_of(nki.jit(kernel), X))


def test_scalar_keeps_a_sum_while_it_idles_and_vector_does_not():
    def between(reduce):
        def kernel(x):
            data, total = loaded(x), tile((128, 1))
            reduce(data, total, CMD.reset_reduce)
            if reduce is _activation:
                nisa.activation(dst=tile(data.shape), op=nl.exp, data=data)
            else:
                nisa.exponential(dst=tile(data.shape), src=data)
            reduce(data, total, CMD.reduce)
            out = nl.ndarray((128, 1), nl.float32, buffer=nl.shared_hbm)
            nisa.dma_copy(dst=out, src=total)
            return out

        return ids(findings_of(nki.jit(kernel), X), "error")

    assert not between(_activation)
    assert "memory.unwritten" in between(_exponential)


def test_what_is_reduced_is_followed_as_ever():
    def kernel(x):
        data, total = tile(x.shape), tile((128, 1))
        nisa.dma_copy(dst=data[:, 1:32], src=x[:, 1:32])
        _activation(data, total, CMD.reset_reduce)
        _activation(loaded(x), total, CMD.reduce)
        out = nl.ndarray((128, 1), nl.float32, buffer=nl.shared_hbm)
        nisa.dma_copy(dst=out, src=total)
        return out

    (one,) = [one for one in findings_of(nki.jit(kernel), X) if one["label"] == "memory.unwritten"]
    assert "data of activation reads partition 0, byte 0 of sbuf" in one["found"]


def stored(use):
    """A kernel that uses a register without a value."""

    def kernel(x):
        register = nisa.register_alloc()
        use(register, x)
        return x

    return nki.jit(kernel)


def _store(register, x):
    nisa.register_store(tile((1, 1), nl.int32), register)


def _move(register, x):
    nisa.register_move(nisa.register_alloc(), register)


def _slice(register, x):
    nisa.dma_copy(dst=tile((1, 32)), src=x[nl.ds(register, 1), :])


def _count(register, x):
    nl.fori_loop(0, register, lambda i: None)


def _while(register, x):
    nl.while_loop(register, lambda r: r)


USES = {f.__name__[1:]: f for f in (_store, _move, _slice, _count, _while)}


@pytest.mark.parametrize("use", USES.values(), ids=USES)
def test_a_register_without_a_value_is_refused(use):
    with pytest.raises(InputError, match=r"(?s)register\.unset.*which nothing has set"):
        stored(use)(X)


def test_one_that_is_used_again_has_no_value_either():
    def kernel(x):
        first = nisa.register_alloc(3)
        del first
        _slice(nisa.register_alloc(), x)
        return x

    with pytest.raises(InputError, match=r"register\.unset"):
        nki.jit(kernel)(X)


@pytest.mark.parametrize("use", [_store, _move, _slice, _count])
def test_one_with_a_value_is_read(use):
    def kernel(x):
        where = tile((1, 1), nl.int32)
        nisa.memset(dst=where, value=2)
        loaded_, moved = nisa.register_alloc(), nisa.register_alloc()
        nisa.register_load(loaded_, where)
        nisa.register_move(moved, 2)
        for register in (loaded_, moved, nisa.register_alloc(2)):
            use(register, x)
        nl.fori_loop(0, 2, lambda i: use(i, x))
        return x

    assert not ids(findings_of(nki.jit(kernel), X), "error")
