"""Do prepare and trigger of NKI 0.7 do what the plain collective does, one pair at a time?"""

import nki
import nki.isa as nisa
import nki.language as nl
import numpy as np
import pytest
import trainyard
from nki import collectives as ncc
from nki.collectives import ReplicaGroup
from trainyard import InputError

RANKS = 4
GROUP = ReplicaGroup([list(range(RANKS))])
TRN2 = trainyard.load_machine("trn2")
XS = [np.arange(32, dtype=np.float32) + 100 * rank for rank in range(RANKS)]


def copied(x):
    made = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
    nisa.dma_copy(dst=made, src=x)
    return made


def table(rank):
    counts = np.array([[(rank + to) % 3 + 1 for to in range(RANKS)]] * 3, np.uint32)
    counts[1] = 8 * np.arange(RANKS)
    counts[2] = 99
    return counts


def expected(rank):
    made = np.zeros(32, np.float32)
    for sender in range(RANKS):
        count = int(table(sender)[0, rank])
        made[8 * sender : 8 * sender + count] = XS[sender][8 * rank : 8 * rank + count]
    return made


@pytest.mark.parametrize("place", ["hbm", "sbuf"])
def test_metadata_is_read_when_prepared_and_data_when_triggered(place: str):
    """A NeuronSwitch is missing on Trn2, where NKI 0.7 allows groups within a chip."""

    @nki.jit
    def kernel(x, counts, group):
        src = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
        dst = copied(nl.zeros((32,), x.dtype, buffer=nl.shared_hbm))
        metadata = copied(counts)
        if place == "sbuf":
            metadata = nl.ndarray((1, 3, RANKS), nl.uint32, buffer=nl.sbuf)
            nisa.dma_copy(dst=metadata, src=counts.reshape((1, 3, RANKS)))
        prepared = ncc.all_to_all_v_prepare([src], [dst], group, metadata)
        assert isinstance(prepared, nisa.NkiInstruction)
        if place == "sbuf":
            nisa.memset(dst=metadata[0:1, 0:2, :], value=0)
        nisa.dma_copy(dst=src, src=x)
        assert isinstance(ncc.all_to_all_v_trigger(prepared), nisa.NkiInstruction)
        told = nl.ndarray((3, RANKS), nl.uint32, buffer=nl.shared_hbm)
        nisa.dma_copy(dst=told, src=metadata)
        return copied(dst), told

    inputs = [(x, table(rank), GROUP) for rank, x in enumerate(XS)]
    results, _ = kernel[2].run_ranks(inputs, machine=TRN2)
    for rank, (result, told) in enumerate(results):
        np.testing.assert_array_equal(result, expected(rank))
        np.testing.assert_array_equal(told[2], [table(sender)[0, rank] for sender in range(RANKS)])


def all_gather(x, counts, group, begin=ncc.all_gather_v_trigger):
    src, dst = copied(x), copied(nl.zeros((32,), x.dtype, buffer=nl.shared_hbm))
    begin(ncc.all_gather_v_prepare([src], [dst], group, copied(counts)))
    return copied(dst)


def test_all_gather_v_is_prepared_too():
    counts = np.array([[8] * RANKS, [16] * RANKS, [0] * RANKS], np.uint32)
    results, _ = nki.jit(all_gather)[2].run_ranks([(x, counts, GROUP) for x in XS])
    for result in results:
        np.testing.assert_array_equal(result, np.concatenate([x[16:24] for x in XS]))


def twice(prepared):
    ncc.all_gather_v_trigger(prepared)
    ncc.all_gather_v_trigger(prepared)


MISTAKES = {
    "no trigger": lambda prepared: None,
    "two triggers": twice,
    "another kind": ncc.all_to_all_v_trigger,
    "nothing prepared": lambda prepared: ncc.all_gather_v_trigger(None),
}


@pytest.mark.parametrize("begin", MISTAKES.values(), ids=MISTAKES)
def test_each_prepare_has_one_trigger(begin):
    counts = np.ones((3, RANKS), np.uint32)
    kernel = nki.jit(lambda x, counts, group: all_gather(x, counts, group, begin))
    with pytest.raises(InputError, match=r"collective\.slot"):
        kernel[2].run_ranks([(x, counts, GROUP) for x in XS])


def test_there_is_one_slot():
    @nki.jit
    def kernel(x, counts, group):
        src, dst, metadata = copied(x), copied(x), copied(counts)
        ncc.all_gather_v_prepare([src], [dst], group, metadata)
        ncc.all_gather_v_prepare([src], [dst], group, metadata)

    with pytest.raises(InputError, match=r"collective\.slot"):
        kernel[2].run_ranks([(x, np.ones((3, RANKS), np.uint32), GROUP) for x in XS])


def test_nothing_is_prepared_behind_a_switch():
    @nki.jit
    def kernel(x, counts, group):
        src, dst = copied(x), copied(x)
        ncc.all_to_all_v_prepare([src], [dst], group, copied(counts))

    group = ReplicaGroup([list(range(8))])
    with pytest.raises(InputError, match="NeuronSwitch"):
        kernel[2].run_ranks([(XS[0], np.ones((3, 8), np.uint32), group)] * 8)


@pytest.mark.parametrize(("level", "refused"), [("0.6", True), ("0.7", False)])
def test_groups_within_a_chip_without_a_switch(level: str, refused: bool):
    @nki.jit(compatibility=level)
    def kernel(x, counts, group):
        dst = copied(nl.zeros((32,), x.dtype, buffer=nl.shared_hbm))
        ncc.all_to_all_v([copied(x)], [dst], group, copied(counts))
        return copied(dst)

    inputs = [(x, table(rank), GROUP) for rank, x in enumerate(XS)]
    if refused:
        with pytest.raises(InputError, match=r"collective\.supported"):
            kernel[2].run_ranks(inputs, machine=TRN2)
        return
    for rank, result in enumerate(kernel[2].run_ranks(inputs, machine=TRN2)[0]):
        np.testing.assert_array_equal(result, expected(rank))
