"""Is it seen what two cores do to the HBM tensors that they share, where only the run knows the
addresses and the values, and is nothing said of what is in order?"""

import nki
import nki.isa as nisa
import nki.language as nl
import numpy as np
import pytest
from harness import findings_of, ids, loaded, tile

ROWS, COLUMNS = 8, 32
X = np.arange(ROWS * COLUMNS, dtype=np.float32).reshape(ROWS, COLUMNS) + 1
TIMED = pytest.mark.parametrize("timed", [False, True], ids=["untimed", "timed"])


def of_two(kernel, *inputs, **options):
    """All findings of a kernel on a grid of two."""
    return findings_of(nki.jit(kernel)[2], *inputs, **options)


def chosen(number):
    """A register that holds a number which only the run knows."""
    where = tile((1, 1), nl.int32)
    nisa.memset(dst=where, value=number)
    register = nisa.register_alloc()
    nisa.register_load(register, where)
    return register


def shared(x, name="out"):
    return nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm, name=name)


def row_of(tensor, number):
    """A row whose number only the run knows."""
    return tensor[nl.ds(chosen(number), 1), :]


def exchanged(read, barrier):
    """Core c writes row c, then reads a row and writes it to row c + 2."""

    def kernel(x):
        me = nl.program_id(0)
        out = shared(x)
        nisa.dma_copy(dst=out[4 * me : 4 * me + 4], src=x[4 * me : 4 * me + 4])
        nisa.core_barrier(out, (0, 1))
        tmp = loaded(x[0:1, :])
        nisa.dma_copy(dst=row_of(out, me), src=tmp)
        if barrier == "all":
            nisa.core_barrier(out, (0, 1))
        elif barrier == "part":
            nisa.core_barrier(out[0:2], (0, 1))
        elif barrier == "elsewhere":
            nisa.core_barrier(out[6:8], (0, 1))
        got = tile((1, COLUMNS))
        nisa.dma_copy(dst=got, src=read(out, me))
        nisa.dma_copy(dst=row_of(out, 2 + me), src=got)
        return out

    return kernel


OTHERS = {
    "by a register": lambda out, me: row_of(out, 1 - me),
    "by its number": lambda out, me: out[1 - me : 2 - me, :],
}


@TIMED
@pytest.mark.parametrize("read", OTHERS.values(), ids=OTHERS)
@pytest.mark.parametrize("barrier", ["none", "elsewhere"])
def test_what_the_other_core_writes_is_not_read_without_a_barrier(read, barrier, timed):
    found = of_two(exchanged(read, barrier), X, timed=timed)
    one = next(one for one in found if one["label"] == "grid.conflict")
    reads, writes = one["sides"]
    assert (reads["role"], writes["role"]) == ("reads", "writes")
    assert {reads["actor"][:10], writes["actor"][:10]} == {"instance 0", "instance 1"}
    assert "test_sharing.py" in reads["place"] and reads["place"] != writes["place"]
    assert "element [" in one["found"] and "'out'" in one["found"]


@TIMED
@pytest.mark.parametrize("read", OTHERS.values(), ids=OTHERS)
@pytest.mark.parametrize("barrier", ["all", "part"])
def test_behind_a_barrier_it_is(read, barrier, timed):
    assert not ids(of_two(exchanged(read, barrier), X, timed=timed), "warning")


@TIMED
def test_rows_of_its_own_a_core_may_read(timed):
    own = exchanged(lambda out, me: row_of(out, me), "none")
    assert not ids(of_two(own, X, timed=timed), "warning")


def test_a_conflict_stops_the_run():
    found = of_two(exchanged(OTHERS["by a register"], "none"), X, timed=False, stop_at="error")
    assert ids(found) == {"grid.conflict"}


@TIMED
@pytest.mark.parametrize("conflicts", [False, True])
def test_addresses_of_a_hardware_loop_are_seen(conflicts, timed):
    def kernel(x):
        me = nl.program_id(0)
        out = shared(x)

        def body(i):
            row = tile((1, COLUMNS))
            nisa.dma_copy(dst=row, src=x[nl.ds(i, 1), :])
            nisa.tensor_scalar(dst=row, data=row, op0=nl.add, operand0=float(me))
            nisa.dma_copy(dst=out[nl.ds(i, 1), :], src=row)

        nl.fori_loop(me * 4, me * 4 + 4 + (conflicts and 1 - me), body)
        return out

    found = of_two(kernel, X, timed=timed)
    assert ids(found, "warning") == ({"grid.overwrite"} if conflicts else set())
    if conflicts:
        (one,) = [one for one in found if one["label"] == "grid.overwrite"]
        assert "element [4, 0] of 'out'" in one["found"]
        assert [side["run"] for side in one["sides"]] == [5, None]


@TIMED
def test_rows_of_an_index_list_are_seen(timed):
    def kernel(x, rows, conflicts):
        me = nl.program_id(0)
        out = shared(x)
        list_ = loaded(rows[4 * me : 4 * me + 4, :])
        data = loaded(x[4 * me : 4 * me + 4, :])
        nisa.dma_copy(dst=out.ap([[COLUMNS, 4], [1, COLUMNS]], vector_offset=list_), src=data)
        if not conflicts:
            nisa.core_barrier(out, (0, 1))
        got = tile((1, COLUMNS))
        nisa.dma_copy(dst=got, src=out[4 * me : 4 * me + 1, :])
        nisa.dma_copy(dst=row_of(shared(x, "first"), me), src=got)
        return out

    rows = np.array([[0], [4], [1], [5], [2], [6], [3], [7]], np.int32)
    assert "grid.conflict" in ids(of_two(kernel, X, rows, True, timed=timed))
    assert not ids(of_two(kernel, X, rows, False, timed=timed), "warning")


def both_write(values):
    """Both cores write the same bytes on the same line."""

    def kernel(x):
        out = shared(x)
        data = loaded(x)
        values(data, nl.program_id(0))
        nisa.dma_copy(dst=out, src=data)
        nisa.core_barrier(out, (0, 1))
        return out

    return kernel


def _alike(data, me):
    nisa.tensor_scalar(dst=data, data=data, op0=nl.add, operand0=1.0)


def _by_core(data, me):
    nisa.tensor_scalar(dst=data, data=data, op0=nl.add, operand0=float(me))


def _one_element(data, me):
    nisa.memset(dst=data[0:1, 5:6], value=float(me))


@TIMED
def test_the_same_values_on_the_same_line_are_in_order(timed):
    assert not ids(of_two(both_write(_alike), X, timed=timed), "warning")


@TIMED
@pytest.mark.parametrize(("values", "element"), [(_by_core, "[0, 0]"), (_one_element, "[0, 5]")])
def test_other_values_on_the_same_line_are_not(values, element, timed):
    found = of_two(both_write(values), X, timed=timed)
    (one,) = [one for one in found if one["label"] == "grid.overwrite"]
    first, second = one["sides"]
    assert first["place"] == second["place"]
    assert (first["actor"][:10], second["actor"][:10]) == ("instance 0", "instance 1")
    assert f"element {element} of 'out'" in one["found"]


def test_and_what_the_other_core_may_have_changed_is_not_read():
    def kernel(x):
        me = nl.program_id(0)
        both, out = shared(x, "both"), shared(x)
        data = loaded(x)
        _by_core(data, me)
        nisa.dma_copy(dst=both, src=data)
        again = loaded(both)
        nisa.dma_copy(dst=out[4 * me : 4 * me + 4], src=again[4 * me : 4 * me + 4])
        return out

    assert "grid.conflict" in ids(of_two(kernel, X))


def test_the_last_value_counts():
    def kernel(x):
        both = shared(x)
        data, zeros = loaded(x), tile(x.shape)
        nisa.memset(dst=zeros, value=0.0)
        if nl.program_id(0) == 0:
            nisa.dma_copy(dst=both, src=zeros)
        nisa.dma_copy(dst=both, src=data)
        return both

    assert "grid.overwrite" not in ids(of_two(kernel, X))


def test_values_that_are_added_by_both_are_seen():
    def kernel(x):
        out = shared(x)
        data = loaded(x)
        if nl.program_id(0) == 0:
            nisa.dma_copy(dst=out, src=data)
        nisa.core_barrier(out, (0, 1))
        nisa.dma_compute(dst=out, srcs=[out, data], reduce_op=nl.add)
        return out

    assert "grid.conflict" in ids(of_two(kernel, X))


def test_nothing_is_watched_without_checks():
    with_conflict = exchanged(OTHERS["by a register"], "none")
    assert not of_two(with_conflict, X, checks=False)
