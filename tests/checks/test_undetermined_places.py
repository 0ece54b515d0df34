"""Which bytes are read and written where only the run knows it: .indirect() views, whose indices
pick elements, transfers that skip rows, and the chunks of all_gather_v and all_to_all_v. What was
never picked, moved or sent may hold anything.

Element [21, 9] of a [64, 40] tile is never written. As in test_undetermined.py, storing what does
not depend on it finds nothing, and storing what does finds memory.unwritten.
"""

import functools

import nki
import nki.collectives as ncc
import nki.isa as nisa
import nki.language as nl
import numpy as np
import pytest
from harness import all_but, findings_of, ids, loaded, tile
from nki.collectives import ReplicaGroup
from trainyard import settings

P, N, PICKED = 64, 40, 20
ROW, COLUMN = 21, 9
X = np.random.default_rng(5).standard_normal((P, N), dtype=np.float32)


def index_of(*lists, group=16):
    """The tile that holds a list of positions for each group of partitions; entries to spare are
    out of bounds."""
    n = len(lists[0])
    columns = -(-n // group)
    padded = np.full((P // group, group * columns), 0xFFFF, np.uint16)
    padded[:, :n] = lists
    return padded.reshape(-1, columns, group).transpose(0, 2, 1).reshape(P, columns)


def picks(at=None, group=16):
    """Positions beside the unwritten column; of the hole's row, position number `at` is it."""
    beside = [c for c in range(N) if c != COLUMN][:PICKED]
    lists = [list(beside) for _ in range(P // group)]
    if at is not None:
        lists[ROW // group][at] = COLUMN
    return index_of(*lists, group=group)


with_a_hole = functools.partial(all_but, row=ROW, column=COLUMN)


def gathered(x, index):
    out = tile((P, PICKED))
    nisa.tensor_copy(dst=out, src=with_a_hole(x).indirect(loaded(index), PICKED))
    return out


def computed(x, index):
    out = tile((P, PICKED))
    picked = with_a_hole(x).indirect(loaded(index), PICKED)
    nisa.activation(dst=out, op=nl.exp, data=picked)
    return out


def total(x, index):
    out = tile((P, 1))
    picked = with_a_hole(x).indirect(loaded(index), PICKED)
    nisa.tensor_reduce(dst=out, op=nl.add, data=picked, axis=1)
    return out


def product(x, index):
    out, result = tile((PICKED, N), buffer=nl.psum), tile((PICKED, N))
    picked = with_a_hole(x, dtype=nl.bfloat16).indirect(loaded(index), PICKED)
    moving = tile((P, N), nl.bfloat16)
    nisa.dma_copy(dst=moving, src=x)
    nisa.nc_matmul(dst=out, stationary=picked, moving=moving)
    nisa.tensor_copy(dst=result, src=out)
    return result


def chosen(x, index):
    out = loaded(x[:, 0:PICKED])
    mask = with_a_hole(x).view(nl.uint32).indirect(loaded(index), PICKED)
    nisa.tensor_copy_predicated(dst=out, src=loaded(x[:, PICKED : 2 * PICKED]), predicate=mask)
    return out


def scattered(op):
    """The first columns, the hole's among them, go to places that the index says: all of `out`."""

    def scatter(x, index):
        out, source = tile((P, PICKED)), with_a_hole(x)[:, 0:PICKED]
        target = out.indirect(loaded(index), PICKED)
        if op is None:
            nisa.tensor_copy(dst=target, src=source)
        else:
            nisa.tensor_scalar(dst=target, data=source, op0=op, operand0=2.0)
        return out

    return scatter


def filled(x, index):
    """Scattered zeros take the place of what nothing wrote."""
    source = with_a_hole(x)
    nisa.tensor_copy(
        dst=source.indirect(loaded(index), PICKED), src=nl.zeros((P, PICKED), nl.float32)
    )
    return source


def in_part(x, index):
    """A new tile of which nothing but some columns is written."""
    out = tile((P, N))
    nisa.tensor_copy(dst=out.indirect(loaded(index), PICKED), src=loaded(x[:, 0:PICKED]))
    return out


ORDER = np.roll(np.arange(PICKED), 5)
TWICE = np.where(np.arange(PICKED) == 15, ORDER[COLUMN], ORDER)
HOLE = (ROW, ROW + 1)
CASES = {
    "gather": (gathered, picks(3), (*HOLE, 3, 4)),
    "gather beside it": (gathered, picks(), None),
    "activation": (computed, picks(3), (*HOLE, 3, 4)),
    "activation beside it": (computed, picks(), None),
    "reduction": (total, picks(3), (*HOLE, 0, 1)),
    "reduction beside it": (total, picks(), None),
    "matmul": (product, picks(3, group=32), (3, 4, 0, N)),
    "matmul beside it": (product, picks(group=32), None),
    "predicate": (chosen, picks(3), (*HOLE, 3, 4)),
    "predicate beside it": (chosen, picks(), None),
    "scatter": (scattered(None), index_of(ORDER), (*HOLE, ORDER[COLUMN], ORDER[COLUMN] + 1)),
    "scatter with arithmetic": (
        scattered(nl.multiply),
        index_of(ORDER),
        (*HOLE, ORDER[COLUMN], ORDER[COLUMN] + 1),
    ),
    "scatter onto the hole": (filled, picks(3), None),
    "scatter beside the hole": (filled, picks(), (*HOLE, COLUMN, COLUMN + 1)),
    "scatter of even columns": (in_part, index_of(range(0, N, 2)), (0, P, 1, 2)),
}


def around(box, shape):
    """What is left of a result, as boxes."""
    a, b, c, d = box or (0, 0, 0, 0)
    parts = [(0, a, 0, shape[1]), (b, shape[0], 0, shape[1]), (a, b, 0, c), (a, b, d, shape[1])]
    return [one for one in parts if one[0] < one[1] and one[2] < one[3]]


def found(body, index, boxes, timed=False):
    """The ids of what is found when these boxes of the result are stored."""

    @nki.jit
    def kernel(x, index):
        result = body(x, index)
        outs = []
        for a, b, c, d in boxes(result.shape):
            out = nl.ndarray((b - a, d - c), result.dtype, buffer=nl.shared_hbm)
            nisa.dma_copy(dst=out, src=result[a:b, c:d])
            outs.append(out)
        return tuple(outs)

    return ids(findings_of(kernel, X, index, timed=timed), "error")


def assert_clean_around(case):
    body, index, box = case
    assert found(body, index, lambda shape: around(box, shape)) == set()


def assert_found_in_corners(case, timed):
    body, index, (a, b, c, d) = case
    for corner in ((a, a + 1, c, c + 1), (b - 1, b, d - 1, d)):
        wanted = {"memory.unwritten"}
        assert found(body, index, lambda _, corner=corner: [corner], timed) == wanted


@pytest.mark.parametrize("name", [name for name in CASES if name != "scatter of even columns"])
def test_what_does_not_depend_on_it_is_clean(name):
    assert_clean_around(CASES[name])


@pytest.mark.parametrize("timed", [False, True])
@pytest.mark.parametrize("name", [name for name, (_, _, box) in CASES.items() if box])
def test_what_depends_on_it_is_found(name, timed):
    assert_found_in_corners(CASES[name], timed)


def test_of_a_scatter_what_it_wrote_is_clean():
    even = index_of(range(0, N, 2))
    assert found(in_part, even, lambda _: [(0, P, 2 * k, 2 * k + 1) for k in range(5)]) == set()


def test_of_two_that_go_to_one_place_the_last_counts():
    """Place 15 of the list is that of the hole's column too, and writes behind it."""
    assert found(scattered(None), index_of(TWICE), lambda _: [(*HOLE, 0, ORDER[15])]) == set()


@pytest.mark.parametrize("entries", [PICKED, PICKED - 1])
def test_of_a_list_only_the_entries_that_are_used_need_be_written(entries):
    @nki.jit
    def kernel(x, index):
        lists, out = tile(index.shape, nl.uint16), tile((P, PICKED))
        nisa.dma_copy(dst=lists[:, 0:1], src=index[:, 0:1])
        for first in range(0, P, 16):  # the second column of each group holds entries 16 and on
            rows = slice(first, first + entries - 16)
            nisa.dma_copy(dst=lists[rows, 1:2], src=index[rows, 1:2])
        nisa.tensor_copy(dst=out, src=loaded(x).indirect(lists, PICKED))
        result = nl.ndarray((P, PICKED), x.dtype, buffer=nl.shared_hbm)
        nisa.dma_copy(dst=result, src=out)
        return result

    found = findings_of(kernel, X, picks(), timed=False)
    assert ids(found, "error") == (set() if entries == PICKED else {"memory.unwritten"})


# --- Rows that a transfer skips ---

ROWS, SKIPPED = 128, 5


def rows_to_skip(*skipped):
    """An index list for ROWS rows of x, some of them out of bounds."""
    index = np.arange(ROWS, dtype=np.uint32) % P
    index[list(skipped)] = 1000
    return index.reshape(ROWS, 1)


def rows_of_index(x, index):
    columns = x.shape[1]
    return x.ap([[columns, ROWS], [1, columns]], vector_offset=loaded(index))


def moved(shape, transposes=False, first=None):
    """Rows of x that an index list names, in a tile that holds `first` or was never written."""

    def move(x, index):
        source = x.view(nl.uint16) if transposes else x
        out = tile(shape, source.dtype)
        if first is not None:
            nisa.memset(dst=out, value=first)
        how = nisa.dma_transpose if transposes else nisa.dma_copy
        how(dst=out, src=rows_of_index(source, index), oob_mode=nisa.oob_mode.skip)
        return out

    return move


def moved_from(first):
    """Four rows of x from a row on that the run computes."""

    def move(x, index):
        out, at = tile((4, N)), tile((1, 1), nl.int32)
        nisa.memset(dst=at, value=first)
        rows = x.ap([[N, 4], [1, N]], scalar_offset=at)
        nisa.dma_copy(dst=out, src=rows, oob_mode=nisa.oob_mode.skip)
        return out

    return move


ONE = rows_to_skip(SKIPPED)
SKIPS = {
    "rows": (moved((ROWS, N)), ONE, (SKIPPED, SKIPPED + 1, 0, N)),
    "two rows to a partition": (moved((ROWS // 2, 2 * N)), ONE, (2, 3, N, 2 * N)),
    "columns": (moved((2 * N, ROWS), True), ONE, (0, 2 * N, SKIPPED, SKIPPED + 1)),
    "all": (moved_from(P - 3), ONE, (0, 4, 0, N)),
    "none": (moved((ROWS, N)), rows_to_skip(), None),
    "no column": (moved((2 * N, ROWS), True), rows_to_skip(), None),
    "none of four": (moved_from(P - 4), ONE, None),
    "rows of what was written": (moved((ROWS, N), first=0), ONE, None),
    "columns of what was written": (moved((2 * N, ROWS), True, first=0), ONE, None),
}


@pytest.mark.parametrize("name", SKIPS)
def test_what_a_transfer_moves_is_clean(name):
    assert_clean_around(SKIPS[name])


@pytest.mark.parametrize("timed", [False, True])
@pytest.mark.parametrize("name", [name for name, (_, _, box) in SKIPS.items() if box])
def test_what_a_transfer_skips_stays_unwritten(name, timed):
    assert_found_in_corners(SKIPS[name], timed)


@pytest.mark.parametrize("scatters", [False, True])
def test_what_is_skipped_on_the_way_to_hbm_stays_unwritten(scatters):
    @nki.jit
    def kernel(x, index):
        out = in_hbm((ROWS, N))
        if scatters:
            target = out.ap([[N, ROWS], [1, N]], vector_offset=loaded(index))
            nisa.dma_copy(dst=target, src=loaded(x[0:ROWS]), oob_mode=nisa.oob_mode.skip)
        else:
            nisa.dma_copy(dst=out, src=rows_of_index(x, index), oob_mode=nisa.oob_mode.skip)
        return out

    x, index = np.concatenate([X, X]), np.arange(ROWS, dtype=np.uint32).reshape(ROWS, 1)
    for skipped, wanted in (((), set()), ((SKIPPED,), {"memory.output"})):
        index[list(skipped)] = 1000
        assert ids(findings_of(kernel, x, index, timed=False), "warning") == wanted


def test_what_a_skipped_row_keeps_is_no_dead_store():
    @nki.jit
    def kernel(x, index):
        out, result = loaded(x), in_hbm((ROWS, N))
        nisa.dma_copy(dst=out, src=rows_of_index(x, index), oob_mode=nisa.oob_mode.skip)
        nisa.dma_copy(dst=result, src=out)
        return result

    assert ids(findings_of(kernel, np.concatenate([X, X]), ONE), "warning") == set()


# --- Chunks ---


def findings_of_ranks(kernel, inputs, timed=False):
    with settings.using(timed=timed, stop_at=None, checks=True):
        return kernel[2].run_ranks(inputs)[1].findings


def in_hbm(shape, dtype=nl.float32):
    return nl.ndarray(shape, dtype, buffer=nl.shared_hbm)


def copied(x):
    result = in_hbm(x.shape, x.dtype)
    nisa.dma_copy(dst=result, src=x)
    return result


RANKS, CHUNK = 4, 8
GROUP = ReplicaGroup([list(range(RANKS))])
X16 = np.random.default_rng(6).standard_normal(16, dtype=np.float32)


def gather_v(parts, sent=(3, 2), written=8, begin=0):
    """Findings when each rank sends `sent` (count, displacement) of a tensor whose elements from
    `begin` to `written` are written, and returns these parts of what it gets."""

    @nki.jit
    def kernel(x, counts):
        src, dst = in_hbm((16,)), in_hbm((RANKS * CHUNK,))
        nisa.dma_copy(dst=src[begin:written], src=x[begin:written])
        ncc.all_gather_v([src], [dst], GROUP, copied(counts), recv_counts_known=True)
        return tuple(copied(dst[first:end]) for first, end in parts)

    counts = np.array([[sent[0]] * RANKS, [sent[1]] * RANKS, [0] * RANKS], np.uint32)
    return findings_of_ranks(kernel, [(X16, counts)] * RANKS)


def test_of_a_gather_the_chunks_that_came_are_clean():
    slots = [(CHUNK * rank, CHUNK * rank + 3) for rank in range(RANKS)]
    assert ids(gather_v(slots), "error") == set()


@pytest.mark.parametrize("element", [3, CHUNK - 1, 3 * CHUNK + 3])
def test_of_a_gather_what_lies_behind_a_chunk_is_unwritten(element):
    assert ids(gather_v([(element, element + 1)]), "error") == {"memory.unwritten"}


@pytest.mark.parametrize(("element", "bad"), [(0, False), (1, True), (9, True), (8, False)])
def test_a_chunk_is_as_determined_where_it_arrives(element, bad):
    found = gather_v([(element, element + 1)], sent=(3, 7))  # of elements 7, 8, 9 one is written
    assert ids(found, "error") == ({"memory.unwritten"} if bad else set())
    if bad:
        texts = [one["found"] for one in found if one["label"] == "memory.unwritten"]
        assert all("from another core, where src of all_gather_v reads" in text for text in texts)


@pytest.mark.parametrize(("sent", "element"), [((3, 7), 8), ((3, 2), 2), ((5, 1), 1)])
def test_the_first_unwritten_element_that_was_sent_is_named(sent, element):
    found = gather_v([(0, sent[0])], sent=sent, begin=4)  # elements 4 to 7 are written
    texts = {one["found"] for one in found if one["label"] == "memory.unwritten"}
    assert texts and all(f"src of all_gather_v reads byte {4 * element} of " in t for t in texts)


@pytest.mark.parametrize("timed", [False, True])
def test_what_a_gather_leaves_of_an_output_may_be_written_behind_it(timed):
    @nki.jit
    def kernel(x, counts):
        dst = in_hbm((RANKS * CHUNK,))
        ncc.all_gather_v([copied(x)], [dst], GROUP, copied(counts), recv_counts_known=True)
        for begin in range(3, RANKS * CHUNK, CHUNK):
            nisa.dma_copy(dst=dst[begin : begin + CHUNK - 3], src=x[3:CHUNK])
        return dst

    counts = np.array([[3] * RANKS, [2] * RANKS, [0] * RANKS], np.uint32)
    assert ids(findings_of_ranks(kernel, [(X16, counts)] * RANKS, timed), "error") == set()


@pytest.mark.parametrize("columns", [1, 0])
def test_of_the_metadata_of_a_gather_the_first_column_counts(columns):
    @nki.jit
    def kernel(x, counts):
        metadata = tile((1, 3, RANKS), nl.uint32)
        if columns:
            nisa.dma_copy(dst=metadata[0:1, 0:2, 0:1], src=counts[0:2, 0:1].reshape((1, 2, 1)))
        dst = copied(nl.zeros((RANKS * CHUNK,), nl.float32, buffer=nl.shared_hbm))
        ncc.all_gather_v([copied(x)], [dst], GROUP, metadata, recv_counts_known=True)
        return copied(dst)

    counts = np.array([[3] * RANKS, [2] * RANKS, [0] * RANKS], np.uint32)
    found = ids(findings_of_ranks(kernel, [(X16, counts)] * RANKS), "error")
    assert found == (set() if columns else {"memory.unwritten"})


def all_to_all_v(parts, written=16, displacements=8):
    """Findings when rank r of two chips sends element r + k to rank k, puts what rank s sent at
    2 s, and returns these parts of it. So many elements, and displacements, are written."""

    @nki.jit
    def kernel(x, table):
        src, metadata, dst = in_hbm((16,)), in_hbm((4, 8), nl.uint32), in_hbm((16,))
        nisa.dma_copy(dst=src[0:written], src=x[0:written])
        nisa.dma_copy(dst=metadata[0:3], src=table[0:3])
        nisa.dma_copy(dst=metadata[3:4, 0:displacements], src=table[3:4, 0:displacements])
        ncc.all_to_all_v([src], [dst], ReplicaGroup([list(range(8))]), metadata, True, True)
        return tuple(copied(dst[begin:end]) for begin, end in parts)

    ranks = range(8)
    tables = [[[1] * 8, [r + k for k in ranks], [0] * 8, [2 * s for s in ranks]] for r in ranks]
    inputs = [(X16, np.array(table, np.uint32)) for table in tables]
    return ids(findings_of_ranks(kernel, inputs), "error")


@pytest.mark.parametrize(
    ("parts", "written", "bad"),
    [
        ([(2 * s, 2 * s + 1) for s in range(8)], 15, False),
        ([(14, 15)], 14, True),  # of rank 7's, the last element of its tensor
        ([(2 * s, 2 * s + 1) for s in range(7)], 14, False),
        ([(1, 2)], 15, True),
    ],
)
def test_of_an_exchange_what_came_is_as_determined_as_it_was(parts, written, bad):
    assert all_to_all_v(parts, written) == ({"memory.unwritten"} if bad else set())


def test_where_an_exchange_puts_its_chunks_must_be_written():
    assert all_to_all_v([(0, 1)], displacements=7) == {"memory.unwritten"}
