"""Is what does not fit in a collective refused with its rule, at the author's line, and a rank that
never comes one error, never a hang?
"""

import nki
import nki.collectives as ncc
import nki.isa as nisa
import nki.language as nl
import numpy as np
import pytest
from nki.collectives import ReplicaGroup
from trainyard import Fault, InputError


def copied(x):
    """A tensor with the content of x, for a collective to work on."""
    made = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    nisa.dma_copy(dst=made, src=x)
    return made


def test_a_chunk_that_does_not_fit():
    @nki.jit
    def kernel(x, table, group):
        src, dst, metadata = copied(x), copied(x), copied(table)
        ncc.all_gather_v([src], [dst], group, metadata)
        return copied(dst)

    table = np.array([[3] * 4, [0] * 4, [0] * 4], np.uint32)
    inputs = [(np.zeros(8, np.float32), table, ReplicaGroup([[0, 1, 2, 3]]))] * 4
    with pytest.raises(Fault, match=r"collective\.bounds[\s\S]*3 elements arrive for 2"):
        kernel[2].run_ranks(inputs)


def refused(label, call, ranks=2, groups=None):
    """`call(x, group)` in a kernel on ranks is refused with the label, at this file's line."""

    @nki.jit
    def kernel(x):
        call(copied(x), ReplicaGroup(groups or [list(range(ranks))]))

    with pytest.raises((InputError, Fault), match=label.replace(".", r"\.")) as caught:
        kernel.run_ranks([(np.zeros((4, 4), np.float32),)] * ranks)
    assert "test_collective_errors.py" in str(caught.value)


def made(shape, buffer=nl.shared_hbm, dtype=nl.float32):
    return nl.ndarray(shape, dtype, buffer=buffer)


REFUSED = {
    "overlap": (
        "all_reduce.c6",
        lambda x, g: ncc.all_reduce([x], [made((4, 4))], ReplicaGroup([[0, 1], [1]]), nl.add),
    ),
    "not in it": (
        "all_reduce.c6",
        lambda x, g: ncc.all_reduce([x], [made((4, 4))], ReplicaGroup([[0]]), nl.add),
    ),
    "no such rank": (
        "all_reduce.c6",
        lambda x, g: ncc.all_reduce([x], [made((4, 4))], ReplicaGroup([[0, 1, 2]]), nl.add),
    ),
    "counts": ("collective.tensors", lambda x, g: ncc.all_reduce([x], [], g, nl.add)),
    "several in sbuf": (
        "all_reduce.c11",
        lambda x, g: ncc.all_reduce(
            [made((4, 4), nl.sbuf)] * 2, [made((4, 4), nl.sbuf)] * 2, g, nl.add
        ),
    ),
    "shape": (
        "all_reduce.c3",
        lambda x, g: ncc.all_reduce([x], [made((4, 8))], g, nl.add),
    ),
    "gathered shape": (
        "all_gather.c3",
        lambda x, g: ncc.all_gather([x], [made((4, 8))], g, 0),
    ),
    "dim": ("all_gather.c4", lambda x, g: ncc.all_gather([x], [made((4, 8))], g, 1)),
    "scatter dim": (
        "reduce_scatter.c4",
        lambda x, g: ncc.reduce_scatter([x], [made((4, 2))], g, 1, nl.add),
    ),
    "parts": (
        "all_to_all.c3",
        lambda x, g: ncc.all_to_all([x[0:3]], [made((3, 4))], g, 0),
    ),
    "operator": (
        "all_reduce.c4",
        lambda x, g: ncc.all_reduce([x], [made((4, 4))], g, nl.multiply),
    ),
    "dtype": (
        "all_reduce.c2",
        lambda x, g: ncc.all_reduce([x], [made((4, 4), dtype=nl.int32)], g, nl.add),
    ),
    "memories": (
        "all_reduce.c1",
        lambda x, g: ncc.all_reduce([x], [made((4, 4), nl.sbuf)], g, nl.add),
    ),
    "sbuf all_to_all": (
        "all_to_all.c1",
        lambda x, g: ncc.all_to_all([made((4, 4), nl.sbuf)], [made((4, 4), nl.sbuf)], g, 0),
    ),
    "priority": (
        "all_reduce.c9",
        lambda x, g: ncc.all_reduce([x], [made((4, 4))], g, nl.add, priority=4),
    ),
    "twice a source": (
        "collective_permute.c7",
        lambda x, g: ncc.collective_permute([x], [made((4, 4))], [(0, 1), (0, 0)]),
    ),
    "permute in sbuf": (
        "collective_permute.c13",
        lambda x, g: ncc.collective_permute(
            [made((4, 4), nl.sbuf)], [made((4, 4), nl.sbuf)], [(0, 1)]
        ),
    ),
    "reshaped": (
        "all_reduce.c3",
        lambda x, g: ncc.all_reduce([x], [made((2, 8))], g, nl.add),
    ),
    "channels of some": (
        "collective_permute.c8",
        lambda x, g: ncc.collective_permute_implicit([[x]] * 3, [[x]] * 3, g, [0, 1, 2]),
        4,
        [[0, 1], [2, 3]],
    ),
    "nobody runs": (
        "collective_permute.c6",
        lambda x, g: ncc.collective_permute([x], [made((4, 4))], [(5, 6)]),
    ),
    "rows": (
        "collective.metadata",
        lambda x, g: ncc.all_gather_v([x], [made((4, 4))], g, made((2, 2), dtype=nl.uint32)),
    ),
    "channels": (
        "collective.channels",
        lambda x, g: ncc.collective_permute_implicit([[x]], [[made((4, 4))]], g, [1]),
    ),
    "gather_v of two": (
        "all_gather_v.c9",
        lambda x, g: ncc.all_gather_v([x], [made((4, 4))], g, made((3, 2), dtype=nl.uint32)),
    ),
    "to_all_v on one chip": (
        "all_to_all_v.c9",
        lambda x, g: ncc.all_to_all_v([x], [made((4, 4))], g, made((3, 2), dtype=nl.uint32)),
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_does_not_fit_is_refused(case):
    refused(*REFUSED[case])


def test_a_collective_needs_its_ranks():
    @nki.jit
    def kernel(x, group):
        ncc.all_reduce([copied(x)], [made(x.shape)], group, nl.add)

    with pytest.raises(InputError, match=r"all_reduce\.c6[\s\S]*run by rank 0 of 1"):
        kernel(np.zeros((4, 4), np.float32), ReplicaGroup([[0, 1]]))


@pytest.mark.parametrize("timed", [False, True])
def test_a_rank_that_never_comes_is_one_error(timed):
    @nki.jit
    def kernel(x, group, comes):
        src = copied(x)
        dst = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
        if comes:
            ncc.all_reduce([src], [dst], group, nl.add)
        return copied(src)

    inputs = [(np.zeros((4, 4), np.float32), ReplicaGroup([[0, 1]]), rank == 0) for rank in (0, 1)]
    here = r"rank 0 waits at all_reduce of ranks \(0, 1\) at .*test_collective_errors\.py:\d+.*"
    with pytest.raises(Fault, match=r"run\.deadlock[\s\S]*" + here + "rank 1 has ended"):
        kernel.run_ranks(inputs, timed=timed)


@pytest.mark.parametrize("timed", [False, True])
@pytest.mark.parametrize("what", ["kind", "operator", "size", "dtype"])
def test_ranks_that_do_different_things_are_one_error(what, timed):
    @nki.jit
    def kernel(x, group, odd):
        src = copied(x)
        dst = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
        if odd and what == "kind":
            ncc.all_to_all([src], [dst], group, 0)
        else:
            op = nl.maximum if odd and what == "operator" else nl.add
            ncc.all_reduce([src], [dst], group, op)

    xs = [np.zeros((4, 4), np.float32), np.zeros((4, 4), np.float32)]
    if what == "size":
        xs[1] = np.zeros((4, 6), np.float32)
    if what == "dtype":
        xs[1] = np.zeros((4, 4), np.int32)
    inputs = [(x, ReplicaGroup([[0, 1]]), rank == 1) for rank, x in enumerate(xs)]
    with pytest.raises(Fault, match=r"meeting\.match[\s\S]*rank 0 stands at all_reduce"):
        kernel.run_ranks(inputs, timed=timed)
