"""Are transfers seen that overlap their own source, and rows of a scatter that go to one place?"""

import nki
import nki.isa as nisa
import nki.language as nl
import numpy as np
import pytest
from harness import findings_of, ids, loaded, tile

X = np.random.default_rng(6).standard_normal((128, 128), dtype=np.float32)


def result_of(change, memory):
    """A kernel that changes a copy of x in SBUF or HBM."""

    def kernel(x):
        if memory == "sbuf":
            held = loaded(x)
        else:
            held = nl.ndarray(x.shape, x.dtype, buffer=nl.private_hbm)
            nisa.dma_copy(dst=held, src=x)
        change(held)
        out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
        nisa.dma_copy(dst=out, src=held)
        return out

    return nki.jit(kernel)


def _columns(held):
    nisa.dma_copy(dst=held[:, 1:128], src=held[:, 0:127])


def _rows(held):
    nisa.dma_copy(dst=held[1:128, :], src=held[0:127, :])


def _sum(held):
    nisa.dma_compute(dst=held[:, 1:128], srcs=[held[:, 1:128], held[:, 0:127]], reduce_op=nl.add)


def _apart(held):
    nisa.dma_copy(dst=held[:, 64:128], src=held[:, 0:64])
    nisa.dma_copy(dst=held[64:128, :], src=held[0:64, :])


def _itself(held):
    nisa.dma_copy(dst=held, src=held)
    nisa.dma_compute(dst=held, srcs=[held, held], reduce_op=nl.add)


def _between(held):
    nisa.dma_copy(dst=held[:, 0:128:2], src=held[:, 1:128:2])


@pytest.mark.parametrize("memory", ["sbuf", "hbm"])
@pytest.mark.parametrize("change", [_columns, _rows, _sum])
def test_a_transfer_over_its_shifted_source_is_seen(change, memory):
    found = findings_of(result_of(change, memory), X)
    (one,) = [one for one in found if one["label"] == "memory.alias"]
    assert one["sides"][0]["role"] == "reads and writes"


@pytest.mark.parametrize("memory", ["sbuf", "hbm"])
@pytest.mark.parametrize("change", [_apart, _itself, _between])
def test_one_beside_it_or_onto_itself_is_not(change, memory):
    assert "memory.alias" not in ids(findings_of(result_of(change, memory), X))


def test_a_transpose_in_place_is_seen():
    def turned(held):
        nisa.dma_transpose(dst=held, src=held)

    assert "memory.alias" in ids(findings_of(result_of(turned, "sbuf"), X))


def scattered(data, rows, cast=None, **options):
    """What is found when rows of data go to these rows of a table."""

    def kernel(x, index, table):
        n, columns = x.shape
        out = nl.ndarray(table.shape, cast or x.dtype, buffer=nl.shared_hbm)
        nisa.dma_copy(dst=out, src=table)
        place = out.ap([[columns, n], [1, columns]], vector_offset=loaded(index))
        nisa.dma_copy(dst=place, src=loaded(x), **options)
        return out

    index = np.array(rows, np.int32).reshape(-1, 1)
    return findings_of(nki.jit(kernel), data, index, np.zeros((16, data.shape[1]), np.float32))


FOUR = X[:4, :8]


def test_two_rows_for_one_place_are_seen():
    found = scattered(FOUR, [5, 2, 9, 2])
    (one,) = [one for one in found if one["label"] == "dma.same_row"]
    assert "rows 1 and 3 of dma_copy both go to row 2 of " in one["found"]
    assert [side["role"] for side in one["sides"]] == ["writes", "created"]
    assert one["severity"] == "warning"


def test_rows_for_places_of_their_own_are_not():
    assert "dma.same_row" not in ids(scattered(FOUR, [5, 2, 9, 3]))


def test_rows_that_are_alike_may_go_to_one_place():
    alike = FOUR.copy()
    alike[3] = alike[1]
    assert "dma.same_row" not in ids(scattered(alike, [5, 2, 9, 2]))
    assert "dma.same_row" in ids(scattered(alike, [2, 2, 9, 2]))


def test_what_they_become_counts():
    near = FOUR.copy()
    near[3] = near[1] * np.float32(1 + 2**-20)
    assert "dma.same_row" in ids(scattered(near, [5, 2, 9, 2]))
    assert "dma.same_row" not in ids(scattered(near, [5, 2, 9, 2], cast=nl.bfloat16))


def test_rows_that_are_dropped_go_nowhere():
    dropped = {"oob_mode": nisa.oob_mode.skip}
    assert "dma.same_row" not in ids(scattered(FOUR, [5, 99, 9, 99], **dropped))
    assert "dma.same_row" in ids(scattered(FOUR, [5, 99, 5, 99], **dropped))


def test_a_sum_drops_them_too():
    def kernel(x, index):
        out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
        nisa.dma_copy(dst=out, src=x)
        place = out.ap([[8, 4], [1, 8]], vector_offset=loaded(index))
        nisa.dma_compute(
            dst=place,
            srcs=[place, loaded(x)],
            reduce_op=nl.add,
            unique_indices=True,
            oob_mode=nisa.oob_mode.skip,
        )
        return out

    index = np.array([[3], [99], [1], [99]], np.int32)
    result = nki.jit(kernel)(FOUR, index)
    wanted = FOUR.copy()
    wanted[3] += FOUR[0]
    wanted[1] += FOUR[2]
    np.testing.assert_array_equal(result, wanted)


def test_a_gather_may_take_a_row_twice():
    def kernel(x, index):
        picked = tile((4, 8))
        nisa.dma_copy(dst=picked, src=x.ap([[8, 4], [1, 8]], vector_offset=loaded(index)))
        out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
        nisa.dma_copy(dst=out, src=picked)
        return out

    twice = np.array([[1], [1], [0], [2]], np.int32)
    assert "dma.same_row" not in ids(findings_of(nki.jit(kernel), FOUR, twice))
