"""Do kernels whose ranks fill several chips give the values of NumPy and a time that holds: that of
the links where nothing else happens, the same with chips folded and not, and does a fault say what
failed and who waits?
"""

import functools

import nki
import nki.collectives as ncc
import nki.isa as nisa
import nki.language as nl
import numpy as np
import pytest
import trainyard
from nki.collectives import ReplicaGroup
from perfetto.protos.perfetto.trace import perfetto_trace_pb2 as pb
from trainyard import Fault, InputError, collectives, settings

CHIP = 8  # ranks of one core
SLACK_NS = 1  # sums of rates in another order


@nki.jit
def summed(x, groups, times):
    """The sum over each group, `times` times over, with some work of its own in between."""
    here = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
    nisa.dma_copy(dst=here, src=x)
    for _ in range(times):
        for group in groups:
            there = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
            ncc.all_reduce(srcs=[here], dsts=[there], replica_group=group, op=nl.add)
            here = there
    out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
    tile = nl.ndarray(x.shape, x.dtype, buffer=nl.sbuf)
    nisa.dma_copy(dst=tile, src=here)
    nisa.tensor_scalar(dst=tile, data=tile, op0=nl.multiply, operand0=2.0)
    nisa.dma_copy(dst=out, src=tile)
    return out


def inputs(ranks, groups=None, shape=(128, 64), times=1):
    xs = np.random.default_rng(3).integers(-9, 9, (ranks, *shape)).astype(np.float32)
    groups = groups or [[list(range(ranks))]]
    return xs, [(x, [ReplicaGroup(g) for g in groups], times) for x in xs]


def times_of(*arguments, machine, folds=True, faults=(), **options):
    with settings.using(folds=folds, faults=faults):
        return summed.run_ranks(*arguments, machine=machine, timed=True, **options)


@pytest.mark.parametrize(("machine", "chips"), [("trn3-gen2", 2), ("trn2-server", 4)])
def test_values_are_those_of_numpy_and_every_rank_takes_as_long(machine, chips):
    xs, given = inputs(chips * CHIP)
    results, result = times_of(given, machine=machine)
    for one in results:
        np.testing.assert_array_equal(one, 2 * xs.sum(axis=0))
    assert result.links["chips"] == chips
    times = result.rank_times_ns
    assert max(times) - min(times) < 0.05 * max(times)


def test_alone_it_takes_what_the_links_take():
    """Sixteen chips of a torus: beside its launch and two copies, a kernel is its collective."""
    xs, given = inputs(16 * CHIP, shape=(128, 4096))
    _, result = times_of(given, machine="trn2-server", values=False)
    priced = collectives.price(
        collectives.Setting("trn2-server"),
        collectives.Request("all_reduce", xs[0].nbytes, [list(range(16 * CHIP))]),
        interval=False,
    )
    nothing = times_of(inputs(1, shape=(128, 4096))[1], machine="trn2", values=False)[1].time_ns
    assert result.links["collectives"][0]["algorithm"] == priced["algorithm"]
    taken = (result.time_ns - nothing) / 1e3
    assert priced["time_us"] * 0.9 < taken < priced["time_us"] * 1.3


GROUPS = {
    "all": None,
    "pairs of chips": [[[r + c * 2 * CHIP for r in range(2 * CHIP)] for c in range(2)]],
    "across, then within": [
        [[r + c * CHIP for c in range(4)] for r in range(CHIP)],
        [[r + c * CHIP for r in range(CHIP)] for c in range(4)],
    ],
}


@pytest.mark.parametrize("machine", ["trn3-gen2", "trn2-server"])
@pytest.mark.parametrize("groups", GROUPS)
def test_folding_chips_changes_no_time(machine, groups):
    given = inputs(4 * CHIP, GROUPS[groups], times=2)[1]
    folded = times_of(given, machine=machine, values=False)[1]
    whole = times_of(given, machine=machine, values=False, folds=False)[1]
    np.testing.assert_allclose(folded.rank_times_ns, whole.rank_times_ns, rtol=0, atol=SLACK_NS)
    assert whole.links["chips_run"] == 4
    assert folded.links["chips_run"] < 4
    assert folded.links["transfers"] == whole.links["transfers"]


def test_a_kernel_runs_on_all_cores_of_an_ultraserver():
    """1,152 ranks: among those of a chip, then of a rack, then of both; one chip runs in time."""
    chips, racks = 144, 2
    each = chips // racks
    steps = [
        [[c * CHIP + r for r in range(CHIP)] for c in range(chips)],
        [[(k * each + c) * CHIP + r for c in range(each)] for k in range(racks) for r in range(8)],
        [[(k * each + c) * CHIP + r for k in range(racks)] for c in range(each) for r in range(8)],
    ]
    xs, given = inputs(chips * CHIP, steps, shape=(128, 2))
    results, result = times_of(given, machine="trn3-gen2")
    expected = 2 * xs.sum(axis=0)
    assert all(np.array_equal(one, expected) for one in results)
    assert (result.links["chips"], result.links["chips_run"]) == (144, 1)
    assert len(result.rank_times_ns) == 1152
    # Those on the links do not take less than they do alone.
    alone = sum(
        collectives.price(
            collectives.Setting("trn3-gen2"),
            collectives.Request("all_reduce", xs[0].nbytes, [groups[0]]),
            interval=False,
        )["time_us"]
        for groups in steps
    )
    assert result.time_ns / 1e3 > alone


def test_all_cores_of_an_ultraserver_are_one_group():
    """1,152 ranks in one collective, which takes what its links take."""
    ranks = list(range(144 * CHIP))
    xs, given = inputs(len(ranks), shape=(128, 2))
    results, result = times_of(given, machine="trn3-gen2")
    expected = 2 * xs.sum(axis=0)
    assert all(np.array_equal(one, expected) for one in results)
    assert (result.links["chips"], result.links["chips_run"]) == (144, 1)
    (made,) = result.links["collectives"]
    assert made["ranks"] == len(ranks)
    alone = collectives.price(
        collectives.Setting("trn3-gen2"),
        collectives.Request("all_reduce", xs[0].nbytes, [ranks]),
        interval=False,
    )
    assert made["algorithm"] == alone["algorithm"]
    assert alone["time_us"] < result.time_ns / 1e3 < 1.5 * alone["time_us"]


@nki.jit
def exchanged(x, group):
    here, there = (nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm) for _ in range(2))
    nisa.dma_copy(dst=here, src=x)
    ncc.all_to_all(srcs=[here], dsts=[there], replica_group=group, collective_dim=0)
    return there


@pytest.mark.parametrize("apart", [False, True])
def test_everybody_sends_to_everybody_as_if_every_transfer_were_listed(apart):
    """Of chips that change places, the transfers of one are laid on the network."""
    ranks = 4 * CHIP
    groups = [[r + c * CHIP for c in range(4)] for r in range(CHIP)] if apart else [range(ranks)]
    group = ReplicaGroup([list(one) for one in groups])
    xs = np.arange(ranks * ranks * 2, dtype=np.float32).reshape(ranks, ranks, 2)
    with settings.using(folds=True):
        results, folded = exchanged.run_ranks(
            [(x, group) for x in xs], machine="trn3-gen2", timed=True
        )
    with settings.using(folds=False):
        _, whole = exchanged.run_ranks(
            [(x, group) for x in xs], machine="trn3-gen2", timed=True, values=False
        )
    np.testing.assert_allclose(folded.rank_times_ns, whole.rank_times_ns, rtol=0, atol=SLACK_NS)
    assert (folded.links["chips_run"], whole.links["chips_run"]) == (1, 4)
    assert folded.links["transfers"] == whole.links["transfers"]
    for one in groups:
        part = ranks // len(one)
        for k, rank in enumerate(one):
            expected = np.concatenate([xs[other][k * part : (k + 1) * part] for other in one])
            np.testing.assert_array_equal(results[rank], expected)


def test_a_chip_that_does_something_else_is_not_folded():
    given = inputs(4 * CHIP)[1]
    given[9] = (given[9][0], given[9][1] + [ReplicaGroup([[9]])], 1)
    folded = times_of(given, machine="trn3-gen2", values=False)[1]
    whole = times_of(given, machine="trn3-gen2", values=False, folds=False)[1]
    np.testing.assert_allclose(folded.rank_times_ns, whole.rank_times_ns, rtol=0, atol=SLACK_NS)
    assert 2 <= folded.links["chips_run"] <= 3


def test_a_slow_link_makes_it_longer_and_a_cut_one_is_named():
    given = inputs(2 * CHIP, shape=(128, 4096))[1]
    run = functools.partial(times_of, given, machine="trn3-gen2", values=False)
    healthy = run()[1].time_ns
    assert run(faults=("link:0.sled@0us=x0.1",))[1].time_ns > 2 * healthy
    late = run(faults=("rank:3@100us=late",))[1].time_ns
    assert late == pytest.approx(healthy + 100_000, rel=0.02)
    with pytest.raises(Fault) as caught:
        run(faults=("link:0.sled@20us=down",))
    text = str(caught.value)
    assert "run.deadlock" in text
    assert "chip 0, sled link out is down" in text
    assert "cannot reach rank" in text
    assert "waits at all_reduce" in text
    assert "test_chips.py" in text


def test_memory_faults():
    xs, given = inputs(2 * CHIP)
    run = functools.partial(times_of, given, machine="trn3-gen2")
    results, result = run(faults=("ecc:3@1us=corrected",))
    np.testing.assert_array_equal(results[0], 2 * xs.sum(axis=0))
    assert result.links["faults"] == ["ecc:3@1us=corrected: corrected, nothing changes"]
    with pytest.raises(Fault, match=r"fault\.ecc: .* of rank 3 "):
        run(faults=("ecc:3@1us=uncorrected",))
    # The sign of the first element of rank 5, before it is read.
    results, _ = run(faults=("flip:5.x@0us=31",))
    expected = xs.sum(axis=0)
    expected[0, 0] -= 2 * xs[5, 0, 0]
    np.testing.assert_array_equal(results[0], 2 * expected)


@nki.jit
def summed_on_chip(x, group, on_chip):
    """The sum over the group of what lies in SBUF, or is copied to HBM first."""
    out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
    tile = nl.ndarray(x.shape, x.dtype)
    total = nl.ndarray(x.shape, x.dtype)
    nisa.dma_copy(dst=tile, src=x)
    if on_chip:
        ncc.all_reduce(srcs=[tile], dsts=[total], replica_group=group, op=nl.add)
    else:
        here = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
        there = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
        nisa.dma_copy(dst=here, src=tile)
        ncc.all_reduce(srcs=[here], dsts=[there], replica_group=group, op=nl.add)
        nisa.dma_copy(dst=total, src=there)
    nisa.dma_copy(dst=out, src=total)
    return out


def test_a_collective_in_sbuf_takes_what_the_links_take_without_hbm():
    xs = np.random.default_rng(3).integers(-9, 9, (2 * CHIP, 128, 4096)).astype(np.float32)
    group = ReplicaGroup([list(range(2 * CHIP))])
    given = [[(x, group, on_chip) for x in xs] for on_chip in (True, False)]
    results, chip = summed_on_chip.run_ranks(given[0], machine="trn3-gen2", timed=True)
    for one in results:
        np.testing.assert_array_equal(one, xs.sum(axis=0))
    memory = summed_on_chip.run_ranks(given[1], machine="trn3-gen2", timed=True, values=False)[1]
    assert chip.time_ns < memory.time_ns
    (on_chip,), (in_memory,) = chip.links["collectives"], memory.links["collectives"]
    fastest = [min(c["time_us"] for c in one["candidates"]) for one in (on_chip, in_memory)]
    assert fastest[0] < fastest[1]


@pytest.mark.parametrize(
    ("faults", "label"),
    [
        (("link:999.sled@1us=down",), "fabric.fault"),
        (("ecc:9999@1us=corrected",), "fabric.fault"),
        (("flip:1@1us=0",), "fabric.fault"),
        (("flip:1.nobody@1us=0",), "fabric.fault"),
        (("flip:1.x@1us=99999999",), "fabric.fault"),
    ],
)
def test_what_cannot_fail_is_refused(faults, label):
    with pytest.raises(InputError, match=label):
        times_of(inputs(2 * CHIP)[1], machine="trn3-gen2", faults=faults)


def test_several_chips_need_a_system_that_has_them():
    given = inputs(2 * CHIP)[1]
    with pytest.raises(InputError, match=r"system\.cores[\s\S]*trn3-gen2"):
        times_of(given, machine="trn3")
    small = trainyard.load_system("trn3-gen2").with_overrides(
        ["sled.size=1", "rack.size=1", "twin.size=1"]
    )
    with pytest.raises(InputError, match=r"system\.ranks"):
        times_of(given, machine=small)
    with (
        pytest.raises(ValueError, match="faults need a timed run"),
        settings.using(faults=("chip:0@0us=down",)),
    ):
        summed.run_ranks(given, machine="trn3-gen2")


@nki.jit
def differing(x, rank, group, other):
    out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
    here = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
    nisa.dma_copy(dst=here, src=x)
    if rank != 9:
        ncc.all_reduce(srcs=[here], dsts=[out], replica_group=group, op=nl.add)
    elif other == "operation":
        ncc.all_reduce(srcs=[here], dsts=[out], replica_group=group, op=nl.maximum)
    elif other == "kind":
        ncc.all_to_all(srcs=[here], dsts=[out], replica_group=group, collective_dim=0)
    elif other == "size":
        ncc.all_reduce(srcs=[here[0:64]], dsts=[out[0:64]], replica_group=group, op=nl.add)
    elif other == "order":
        ranks = group.replica_groups[0][::-1]
        turned = ReplicaGroup([ranks])
        ncc.all_reduce(srcs=[here], dsts=[out], replica_group=turned, op=nl.add)
    elif other == "group":
        part = ReplicaGroup([group.replica_groups[0][:12]])
        ncc.all_reduce(srcs=[here], dsts=[out], replica_group=part, op=nl.add)
    return out


@pytest.mark.parametrize("other", ["operation", "kind", "size", "order", "group"])
def test_collectives_that_do_not_fit_are_found_when_they_meet(other):
    """Both sides and their lines, not a deadlock at the end."""
    group = ReplicaGroup([list(range(16))])
    given = [(np.zeros((128, 8), np.float32), rank, group, other) for rank in range(16)]
    with pytest.raises(Fault) as caught:
        differing.run_ranks(given, machine="trn3-gen2", timed=True, checks=False)
    text = str(caught.value)
    assert "meeting.match" in text
    assert "rank 9 stands at" in text
    assert text.count("test_chips.py") >= 2


def test_a_rank_that_never_comes_is_a_deadlock_with_a_place():
    group = ReplicaGroup([list(range(16))])
    given = [(np.zeros((128, 8), np.float32), rank, group, "nothing") for rank in range(16)]
    with pytest.raises(Fault, match=r"run\.deadlock[\s\S]*rank 9 has ended"):
        differing.run_ranks(given, machine="trn3-gen2", timed=True, values=False)


def test_the_profile_has_ranks_links_and_arrows_between_them(tmp_path):
    _, result = times_of(
        inputs(6 * CHIP)[1], machine="trn3-gen2", values=False, record=True, folds=False
    )
    paths = result.save(tmp_path / "summed")
    assert [path.name for path in paths] == [
        "summed.json",
        "summed.links.json",
        "summed.tytrace",
        "summed.pftrace",
        "summed.details.json",
    ]
    trace = pb.Trace()
    trace.ParseFromString((tmp_path / "summed.pftrace").read_bytes())
    names = [
        packet.track_descriptor.name
        for packet in trace.packet
        if packet.HasField("track_descriptor")
    ]
    shown = {name for name in names if name.startswith("rank ")}
    assert len(shown) == 24  # every second of 48: at most 32 are kept
    assert "recorded in full: 24 of 48 cores" in str(result)
    assert any("sled link" in name for name in names)
    uuids = [
        packet.track_descriptor.uuid
        for packet in trace.packet
        if packet.HasField("track_descriptor")
    ]
    assert len(uuids) == len(set(uuids))
    arrows = {}
    for packet in trace.packet:
        for flow in packet.track_event.flow_ids:
            arrows.setdefault(flow, set()).add(packet.track_event.track_uuid >> 32)
    assert max(len(ranks) for ranks in arrows.values()) == 24


def test_what_if_and_pickling_work_on_a_system():
    import pickle

    _, result = times_of(inputs(2 * CHIP)[1], machine="trn3-gen2", values=False)
    result.ask(what_if=["collective.start=x2"])
    assert result.what_ifs[0]["duration_ns"] > result.time_ns
    again = pickle.loads(pickle.dumps(result))
    assert again.links == result.links
