"""Do collectives on different streams move at once, beside what engines compute, with the values of
one stream, and are streams that a rank does not have refused?
"""

import re

import nki
import nki.collectives as ncc
import nki.isa as nisa
import nki.language as nl
import numpy as np
import pytest
from nki.collectives import ReplicaGroup
from trainyard import Fault, InputError, collective_stream, settings

RANKS = 16  # two chips of trn3-gen2
SHAPE = (128, 256)


@nki.jit
def sums(xs, group, streams, work):
    """A sum over the group of each row of xs, on these streams, and a product beside them."""
    outs = [nl.ndarray(SHAPE, xs.dtype, buffer=nl.shared_hbm) for _ in streams]
    heres = []
    for i in range(len(streams)):
        here = nl.ndarray(SHAPE, xs.dtype, buffer=nl.shared_hbm)
        nisa.dma_copy(dst=here, src=xs[i])
        heres.append(here)
    for here, out, stream in zip(heres, outs, streams, strict=True):
        with collective_stream(stream):
            ncc.all_reduce(srcs=[here], dsts=[out], replica_group=group, op=nl.add)
    tile = nl.ndarray(SHAPE, xs.dtype)
    nisa.memset(dst=tile, value=1.0)
    for _ in range(work):
        nisa.tensor_scalar(dst=tile, data=tile, op0=nl.multiply, operand0=1.0)
    kept = nl.ndarray(SHAPE, xs.dtype, buffer=nl.shared_hbm)
    nisa.dma_copy(dst=kept, src=tile)
    return (*outs, kept)


def run(streams, work=0, cores=1, machine="trn3-gen2", values=False, folds=True, ranks=RANKS):
    xs = np.random.default_rng(5).integers(-9, 9, (ranks, max(1, len(streams)), *SHAPE))
    group = ReplicaGroup([list(range(ranks))])
    given = [(x.astype(np.float32), group, streams, work) for x in xs]
    kernel = sums if cores == 1 else sums[cores]
    with settings.using(folds=folds):
        results, result = kernel.run_ranks(given, machine=machine, timed=True, values=values)
    if values:
        for one in results:
            for i in range(len(streams)):
                np.testing.assert_array_equal(one[i], xs[:, i].sum(axis=0))
    return result


@pytest.mark.parametrize(("machine", "ranks"), [("trn3-gen2", RANKS), ("trn3", 4)])
def test_two_streams_move_at_once(machine, ranks):
    one = run((0, 0), machine=machine, ranks=ranks, values=True)
    two = run((0, 1), machine=machine, ranks=ranks, values=True)
    alone = run((0,), machine=machine, ranks=ranks)
    # The waits of both pass at once, so that the second takes less than it would after the first.
    assert two.time_ns < alone.time_ns + 0.7 * (one.time_ns - alone.time_ns)


def test_a_core_computes_meanwhile():
    together = run((0, 1), work=40).time_ns
    collectives, work = run((0, 1)).time_ns, run((), work=40).time_ns
    assert together < collectives + 0.3 * work


def test_two_cores_have_four_streams():
    four = run((0, 1, 2, 3), cores=2, ranks=8, values=True)
    one = run((0, 0, 0, 0), cores=2, ranks=8)
    assert four.time_ns < 0.7 * one.time_ns


def test_streams_fold_like_the_rest():
    folded, whole = run((0, 1)), run((0, 1), folds=False)
    np.testing.assert_allclose(folded.rank_times_ns, whole.rank_times_ns, rtol=0, atol=1)
    assert folded.links["chips_run"] < whole.links["chips_run"]


def test_the_report_has_a_row_for_each_stream():
    text = str(run((0, 1)))
    assert "collectives 0" in text
    assert "collectives 1" in text


@pytest.mark.parametrize("stream", [2, -1])
def test_a_rank_of_one_core_has_two(stream):
    with pytest.raises(InputError, match=r"all_reduce\.c10[\s\S]*LNC 1[\s\S]*kernel\[2\]"):
        run((stream,))


@pytest.mark.parametrize("stream", [True, 1.0])
def test_a_stream_is_an_int(stream):
    with pytest.raises(TypeError, match="a stream is an int"):
        run((stream,))


def test_two_cores_have_no_fifth():
    with pytest.raises(InputError, match=r"all_reduce\.c10[\s\S]*LNC 2[\s\S]*0 to 3"):
        run((4,), cores=2, ranks=8)


@nki.jit
def passed_on(x, group, pairs):
    out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
    here = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
    nisa.dma_copy(dst=here, src=x)
    with collective_stream(1):
        if pairs:
            ncc.collective_permute([here], [out], pairs)
        else:
            ncc.collective_permute_implicit([[here]], [[out]], group)
    return out


@pytest.mark.parametrize("pairs", [None, [(0, 1), (1, 0)]])
def test_permutes_have_channels_instead(pairs):
    given = [(np.zeros(SHAPE, np.float32), ReplicaGroup([[0, 1]]), pairs)] * 2
    with pytest.raises(InputError, match=r"collective\.stream[\s\S]*channel_ids"):
        passed_on.run_ranks(given, machine="trn3", timed=True)


@nki.jit
def summed_on(x, group, stream):
    out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
    here = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
    nisa.dma_copy(dst=here, src=x)
    with collective_stream(stream):
        ncc.all_reduce([here], [out], replica_group=group, op=nl.add)
    return out


@pytest.mark.parametrize("timed", [False, True])
@pytest.mark.parametrize(("machine", "ranks"), [("trn3", 4), ("trn3-gen2", RANKS)])
def test_ranks_that_name_different_streams_are_told_both(machine, ranks, timed):
    group = ReplicaGroup([list(range(ranks))])
    given = [(np.zeros(SHAPE, np.float32), group, int(rank == 3)) for rank in range(ranks)]
    with pytest.raises(Fault, match=r"meeting\.match[\s\S]*different streams, 0 and 1") as caught:
        summed_on.run_ranks(given, machine=machine, timed=timed)
    sides = re.findall(
        r"(rank \d+) stands at (.*?) of ranks .*? at (\S+):\d+ in", str(caught.value)
    )
    assert [side[:2] for side in sides] == [
        ("rank 0", "all_reduce"),
        ("rank 3", "all_reduce on stream 1"),
    ]
    assert all("test_streams.py" in side[2] for side in sides)


def test_outside_of_a_kernel_there_is_none():
    with pytest.raises(RuntimeError), collective_stream(0):
        pass
