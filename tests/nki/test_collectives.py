"""Do ranks that meet in nki.collectives get what NumPy makes of everybody's arrays, untimed and
timed, on HBM and SBUF, in groups side by side? test_collective_errors.py has what is refused.
"""

import ml_dtypes
import nki
import nki.collectives as ncc
import nki.isa as nisa
import nki.language as nl
import numpy as np
import pytest
import trainyard
from nki.collectives import ReplicaGroup
from trainyard import InputError, settings

OPERATORS = {
    "add": (nl.add, np.add),
    "min": (nl.minimum, np.minimum),
    "max": (nl.maximum, np.maximum),
}


def copied(x, buffer=nl.shared_hbm, shape=None):
    """A tensor with the content of x, for a collective to work on."""
    made = nl.ndarray(shape or x.shape, dtype=x.dtype, buffer=buffer)
    nisa.dma_copy(dst=made, src=x)
    return made


def collective(call, shape_of, buffer=nl.shared_hbm, **options):
    """A kernel that copies x, runs one collective on it and returns the result."""

    @nki.jit
    def kernel(x, group):
        src = copied(x, buffer)
        dst = nl.ndarray(shape_of(x.shape, len(group.replica_groups[0])), x.dtype, buffer=buffer)
        call(srcs=[src], dsts=[dst], replica_group=group, **options)
        return copied(dst)

    return kernel


def same(shape, ranks):
    return shape


def times(dim, shape, ranks):
    return tuple(n * (ranks if d == dim else 1) for d, n in enumerate(shape))


def part(shape, ranks):
    return (shape[0] // ranks, *shape[1:])


def arrays(ranks, shape, dtype=np.float32):
    rng = np.random.default_rng(ranks)
    return [(rng.standard_normal(shape) * 4).astype(dtype) for _ in range(ranks)]


def run(kernel, xs, groups=None, lnc=1):
    """The results of all ranks, which must not depend on whether time is simulated."""
    group = ReplicaGroup(groups or [list(range(len(xs)))])
    inputs = [(x, group) for x in xs]
    untimed, _ = kernel[lnc].run_ranks(inputs)
    timed, result = kernel[lnc].run_ranks(inputs, timed=True)
    for a, b in zip(untimed, timed, strict=True):
        np.testing.assert_array_equal(a, b)
    assert result.time_ns > 0
    return untimed


@pytest.mark.parametrize("lnc", [1, 2])
@pytest.mark.parametrize("buffer", [nl.shared_hbm, nl.sbuf], ids=["hbm", "sbuf"])
@pytest.mark.parametrize("op", OPERATORS)
def test_all_reduce(op, buffer, lnc):
    ours, numpys = OPERATORS[op]
    xs = arrays(4, (16, 32))
    kernel = collective(ncc.all_reduce, same, buffer, op=ours)
    expected = numpys.reduce(np.stack(xs))
    for result in run(kernel, xs, lnc=lnc):
        np.testing.assert_array_equal(result, expected)


@pytest.mark.parametrize("dtype", [ml_dtypes.bfloat16, np.float16, np.int32, np.uint8])
def test_all_reduce_rounds_once(dtype):
    """In float32 in the order of the group, and one cast; integers as integers."""
    xs = [np.abs(x).astype(dtype) for x in arrays(4, (16, 32))]
    wide = [x.astype(np.float32 if np.dtype(dtype).kind in "fV" else np.int64) for x in xs]
    expected = (((wide[0] + wide[1]) + wide[2]) + wide[3]).astype(dtype)
    for result in run(collective(ncc.all_reduce, same, op=nl.add), xs):
        np.testing.assert_array_equal(result, expected)


@pytest.mark.parametrize("lnc", [1, 2])
def test_all_gather(lnc):
    xs = arrays(3, (8, 16), np.int32)
    kernel = collective(ncc.all_gather, lambda *a: times(0, *a), collective_dim=0)
    for result in run(kernel, xs, lnc=lnc):
        np.testing.assert_array_equal(result, np.concatenate(xs))


@pytest.mark.parametrize("dim", [0, 1])
def test_all_gather_in_sbuf(dim):
    xs = arrays(4, (16, 8), ml_dtypes.bfloat16)
    kernel = collective(ncc.all_gather, lambda *a: times(dim, *a), nl.sbuf, collective_dim=dim)
    for result in run(kernel, xs):
        np.testing.assert_array_equal(result, np.concatenate(xs, axis=dim))


@pytest.mark.parametrize("buffer", [nl.shared_hbm, nl.sbuf], ids=["hbm", "sbuf"])
def test_reduce_scatter(buffer):
    xs = arrays(4, (16, 8))
    kernel = collective(ncc.reduce_scatter, part, buffer, collective_dim=0, op=nl.maximum)
    expected = np.split(np.maximum.reduce(np.stack(xs)), 4)
    for rank, result in enumerate(run(kernel, xs)):
        np.testing.assert_array_equal(result, expected[rank])


@pytest.mark.parametrize("lnc", [1, 2])
def test_all_to_all(lnc):
    xs = arrays(4, (8, 4))
    kernel = collective(ncc.all_to_all, same, collective_dim=0)
    for rank, result in enumerate(run(kernel, xs, lnc=lnc)):
        np.testing.assert_array_equal(result, np.concatenate([np.split(x, 4)[rank] for x in xs]))


def test_groups_side_by_side_and_their_order():
    xs = arrays(4, (8, 4))
    groups = [[2, 0], [1, 3]]
    kernel = collective(ncc.all_gather, lambda *a: times(0, *a), collective_dim=0)
    results = run(kernel, xs, groups)
    for group in groups:
        for rank in group:
            expected = np.concatenate([xs[r] for r in group])
            np.testing.assert_array_equal(results[rank], expected)


def test_several_tensors_in_one_collective():
    @nki.jit
    def kernel(x, y, group):
        srcs = [copied(x), copied(y)]
        dsts = [nl.ndarray(one.shape, one.dtype, buffer=nl.shared_hbm) for one in srcs]
        ncc.all_reduce(srcs, dsts, group, nl.add)
        return [copied(one) for one in dsts]

    xs, ys = arrays(2, (4, 8)), arrays(2, (2, 3), np.int32)
    group = ReplicaGroup([[0, 1]])
    results, together = kernel.run_ranks(list(zip(xs, ys, [group] * 2, strict=True)), timed=True)
    for x, y in results:
        np.testing.assert_array_equal(x, xs[0] + xs[1])
        np.testing.assert_array_equal(y, ys[0] + ys[1])

    @nki.jit
    def apart(x, y, group):
        srcs = [copied(x), copied(y)]
        dsts = [nl.ndarray(one.shape, one.dtype, buffer=nl.shared_hbm) for one in srcs]
        for src, dst in zip(srcs, dsts, strict=True):
            ncc.all_reduce([src], [dst], group, nl.add)
        return [copied(one) for one in dsts]

    _, one_by_one = apart.run_ranks(list(zip(xs, ys, [group] * 2, strict=True)), timed=True)
    assert one_by_one.time_ns > together.time_ns + 4000


@pytest.mark.parametrize("timed", [False, True])
def test_collective_permute(timed):
    @nki.jit
    def kernel(x, y, pairs):
        src, dst = copied(x), copied(y)
        ncc.collective_permute([src], [dst], pairs)
        return copied(dst)

    xs, ys = arrays(4, (4, 4)), arrays(4, (4, 4), np.float32)
    pairs = [(0, 2), (2, 1)]
    inputs = [(x, y, pairs) for x, y in zip(xs, ys, strict=True)]
    results, _ = kernel.run_ranks(inputs, timed=timed)
    # What is nobody's target stays as it is; rank 3 does not take part.
    for result, expected in zip(results, [ys[0], xs[2], xs[0], ys[3]], strict=True):
        np.testing.assert_array_equal(result, expected)


@nki.jit
def ring_gather(x, group, lnc_channels):
    """All-gather around a ring: each step passes on what came, to where its rank says."""
    ranks = len(group.replica_groups[0])
    rows, columns = x.shape
    out = nl.ndarray((ranks, rows, columns), x.dtype, buffer=nl.shared_hbm)
    have, come = copied(x), nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
    for step in range(ranks):
        whose = ncc.collective_permute_implicit_current_processing_rank_id(step, group)
        place = out.ap([[columns, rows], [1, columns]], scalar_offset=whose, indirect_dim=0)
        nisa.dma_copy(dst=place, src=have)
        half = rows // lnc_channels
        cut = [(c * half, (c + 1) * half) for c in range(lnc_channels)]
        ncc.collective_permute_implicit(
            [[have[a:b]] for a, b in cut],
            [[come[a:b]] for a, b in cut],
            group,
            list(range(lnc_channels)),
        )
        have, come = come, have
    return out


@pytest.mark.parametrize("channels", [1, 2])
def test_a_ring_by_implicit_permutes(channels):
    xs = arrays(4, (8, 16))
    group = ReplicaGroup([[0, 2, 1, 3]])
    for timed in (False, True):
        results, _ = ring_gather.run_ranks([(x, group, channels) for x in xs], timed=timed)
        for result in results:
            np.testing.assert_array_equal(result, np.stack(xs))


def test_the_rank_of_a_step_that_a_hardware_loop_counts():
    @nki.jit
    def kernel(x, group):
        out = nl.ndarray((4, 8), x.dtype, buffer=nl.shared_hbm)
        row = nl.ndarray((1, 8), x.dtype, buffer=nl.sbuf)

        def body(step):
            whose = ncc.collective_permute_implicit_current_processing_rank_id(step, group)
            nisa.dma_copy(dst=row, src=x.ap([[8, 1], [1, 8]], scalar_offset=whose, indirect_dim=0))
            place = out.ap([[8, 1], [1, 8]], scalar_offset=step, indirect_dim=0)
            nisa.dma_copy(dst=place, src=row)

        nl.fori_loop(0, 4, body)
        return out

    x = np.arange(32, dtype=np.float32).reshape(4, 8)
    results, _ = kernel.run_ranks([(x, ReplicaGroup([[0, 1, 2, 3]]))] * 4)
    for rank, result in enumerate(results):
        np.testing.assert_array_equal(result, x[[(rank - step) % 4 for step in range(4)]])


def test_implicit_permute_with_reduction():
    @nki.jit
    def kernel(x, y, group):
        dst = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
        ncc.collective_permute_implicit_reduce([[copied(x)]], [[copied(y)]], [[dst]], group, nl.add)
        return copied(dst)

    xs, ys = arrays(3, (4, 4)), arrays(3, (4, 4))
    group = ReplicaGroup([[0, 1, 2]])
    results, _ = kernel.run_ranks([(x, y, group) for x, y in zip(xs, ys, strict=True)])
    for rank, result in enumerate(results):
        np.testing.assert_array_equal(result, xs[rank - 1] + ys[rank - 1])


@pytest.mark.parametrize("place", ["hbm", "sbuf"])
def test_all_gather_v(place):
    @nki.jit
    def kernel(x, counts, group):
        src, dst = copied(x), copied(nl.zeros((4 * 8,), x.dtype, buffer=nl.shared_hbm))
        if place == "hbm":
            metadata = copied(counts)
        else:
            metadata = nl.ndarray((1, 3, 4), nl.uint32, buffer=nl.sbuf)
            nisa.dma_copy(dst=metadata, src=counts.reshape((1, 3, 4)))
        ncc.all_gather_v([src], [dst], group, metadata)
        told = nl.ndarray((3, 4), nl.uint32, buffer=nl.shared_hbm)
        nisa.dma_copy(dst=told, src=metadata)
        return copied(dst), told

    xs = arrays(4, (16,))
    sent = [(3, 0), (0, 5), (8, 8), (1, 15)]  # count and displacement
    counts = [np.array([[c] * 4, [d] * 4, [99] * 4], np.uint32) for c, d in sent]
    group = ReplicaGroup([[0, 1, 2, 3]])
    results, _ = kernel[2].run_ranks([(x, c, group) for x, c in zip(xs, counts, strict=True)])
    expected = np.zeros((4, 8), np.float32)
    for sender, (count, begin) in enumerate(sent):
        expected[sender, :count] = xs[sender][begin : begin + count]
    for result, told in results:
        np.testing.assert_array_equal(result, expected.reshape(-1))
        np.testing.assert_array_equal(told[2], [count for count, _ in sent])


def test_the_part_of_a_buffer_that_is_not_sent_may_be_unwritten():
    @nki.jit
    def kernel(x, counts, group):
        src = nl.ndarray((16,), x.dtype, buffer=nl.shared_hbm)
        nisa.dma_copy(dst=src[0:8], src=x)
        dst = copied(nl.zeros((32,), x.dtype, buffer=nl.shared_hbm))
        ncc.all_gather_v([src], [dst], group, copied(counts), recv_counts_known=True)
        return copied(dst)

    xs = arrays(4, (8,))
    counts = np.array([[8] * 4, [0] * 4, [0] * 4], np.uint32)
    group = ReplicaGroup([[0, 1, 2, 3]])
    for result in kernel[2].run_ranks([(x, counts, group) for x in xs])[0]:
        np.testing.assert_array_equal(result, np.concatenate(xs))


@pytest.mark.parametrize("displaced", [False, True])
def test_all_to_all_v(displaced):
    """Between two chips: the values are computed, time would need their links."""

    @nki.jit
    def kernel(x, table, group):
        src, dst = copied(x), copied(nl.zeros((64,), x.dtype, buffer=nl.shared_hbm))
        metadata = copied(table)
        ncc.all_to_all_v([src], [dst], group, metadata, False, displaced)
        return copied(dst), copied(metadata)

    rng = np.random.default_rng(1)
    xs = arrays(8, (40,))
    counts = rng.integers(0, 6, (8, 8))
    begins = rng.integers(0, 34, (8, 8))
    puts = np.cumsum(counts.T, axis=1) - counts.T
    group = ReplicaGroup([list(range(8))])
    inputs = []
    for rank in range(8):
        rows = [counts[rank], begins[rank], np.zeros(8), puts[rank]]
        inputs.append((xs[rank], np.array(rows[: 4 if displaced else 3], np.uint32), group))
    results, _ = kernel[2].run_ranks(inputs)
    for rank, (result, told) in enumerate(results):
        expected = np.zeros(64, np.float32)
        for sender in range(8):
            count, begin = counts[sender][rank], begins[sender][rank]
            at = puts[rank][sender] if displaced else 8 * sender
            expected[at : at + count] = xs[sender][begin : begin + count]
        np.testing.assert_array_equal(result, expected)
        np.testing.assert_array_equal(told[2], counts[:, rank])
    with pytest.raises(InputError, match=r"system\.cores[\s\S]*16 cores where it has 8"):
        kernel[2].run_ranks(inputs, timed=True)


def test_rank_id_is_a_register():
    @nki.jit
    def kernel(x):
        out = nl.ndarray((1, 8), x.dtype, buffer=nl.shared_hbm)
        mine = x.ap([[8, 1], [1, 8]], scalar_offset=ncc.rank_id(), indirect_dim=0)
        nisa.dma_copy(dst=out, src=mine)
        return out

    x = np.arange(24, dtype=np.float32).reshape(3, 8)
    results, _ = kernel.run_ranks([(x,)] * 3)
    np.testing.assert_array_equal(np.concatenate(results), x)
    np.testing.assert_array_equal(kernel(x), x[:1])  # alone: rank 0


def test_the_cores_of_a_rank_share_a_collective_on_shared_hbm():
    """Each core writes its half; both are in what the other ranks get."""

    @nki.jit
    def kernel(x, group):
        src = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
        dst = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
        out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
        half = x.shape[0] // 2
        mine = nl.program_id(0) * half
        nisa.dma_copy(dst=src[mine : mine + half], src=x[mine : mine + half])
        ncc.all_reduce([src], [dst], group, nl.add)
        nisa.dma_copy(dst=out[mine : mine + half], src=dst[half - mine : 2 * half - mine])
        return out

    xs = arrays(2, (8, 4))
    for timed in (False, True):
        inputs = [(x, ReplicaGroup([[0, 1]])) for x in xs]
        for result in kernel[2].run_ranks(inputs, timed=timed)[0]:
            total = xs[0] + xs[1]
            np.testing.assert_array_equal(result, np.concatenate([total[4:], total[:4]]))


def test_inputs_are_those_of_each_rank_and_what_a_kernel_writes_comes_back():
    @nki.jit
    def kernel(x, group):
        src = copied(x)
        dst = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
        ncc.all_reduce([src], [dst], group, nl.add)
        nisa.dma_copy(dst=x, src=dst)

    xs = arrays(2, (4, 4))
    expected = xs[0] + xs[1]
    kernel.run_ranks([{"x": x, "group": ReplicaGroup([[0, 1]])} for x in xs])
    for x in xs:
        np.testing.assert_array_equal(x, expected)


def test_time_has_its_reasons():
    """The queue of the collectives waits for the rank that comes last, then moves."""

    @nki.jit
    def kernel(x, group, late):
        src = copied(x)
        dst = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
        for _ in range(16 * late):
            nisa.dma_copy(dst=src, src=x)
        ncc.all_reduce([src], [dst], group, nl.add)
        return copied(dst)

    x = np.zeros((128, 32), np.float32)
    inputs = [(x, ReplicaGroup([[0, 1]]), rank) for rank in (0, 1)]
    _, result = kernel.run_ranks(inputs, timed=True, record=True)
    assert len(result.rank_times_ns) == 2
    assert abs(result.rank_times_ns[0] - result.rank_times_ns[1]) < 500
    tracks = {track["name"]: track for track in result.report["tracks"]}
    ticks = tracks["collectives 0"]["ticks"]
    # Start, two steps, and bytes that hardly count.
    assert 7000 <= ticks["working"] / 168 < 7200
    (told,) = result.report["collectives"]
    place = told.pop("place")
    assert place.partition(":")[0].endswith("test_collectives.py")
    assert told == {
        "mnemonic": "all_reduce",
        "algorithm": "mesh",
        "steps": 2,
        "ranks": 2,
        "bytes": x.nbytes,
        "executions": 1,
    }
    assert "all_reduce           2 ranks    16.00 KiB  mesh in 2 steps  x1" in str(result)
    first = result.runs[0].text()  # of the rank that waits
    assert "order: author: it meets other cores" in first
    quick = kernel.run_ranks([(x, ReplicaGroup([[0, 1]]), 0)] * 2, timed=True)[1]
    assert result.time_ns > quick.time_ns + 8000
    slower = kernel.bench_ranks(inputs, what_if=["collective.step=3 us"])
    assert slower.what_ifs[0]["duration_ns"] > slower.time_ns + 2500


def bodies(result):
    """How many compiled programs the ranks of a run have among them."""
    programs = [instance.program for instance in result.instances]
    return len({id(program) for program in programs})


@pytest.mark.parametrize("timed", [False, True])
def test_ranks_of_one_kernel_share_one_compiled_program(timed):
    """Whatever collectives they meet in, side by side or all of them."""

    @nki.jit
    def kernel(x, all_of_them, pairs):
        here, there = copied(x), copied(x)
        ncc.all_reduce([here], [there], pairs, nl.add)
        ncc.all_to_all([there], [here], all_of_them, 0)
        ncc.collective_permute_implicit([[here]], [[there]], pairs)
        return copied(there)

    groups = ReplicaGroup([[0, 1, 2, 3]]), ReplicaGroup([[0, 2], [3, 1]])
    xs = arrays(4, (8, 4), np.int32)
    results, result = kernel.run_ranks([(x, *groups) for x in xs], timed=timed)
    assert bodies(result) == 1
    sums = [xs[0] + xs[2], xs[1] + xs[3]]
    for rank, got in enumerate(results):
        sender = (rank + 2) % 4
        parts = [sums[other % 2][2 * sender : 2 * sender + 2] for other in range(4)]
        np.testing.assert_array_equal(got, np.concatenate(parts))


def test_ranks_that_only_send_or_only_receive_have_programs_of_their_own():
    @nki.jit
    def kernel(x, pairs):
        here, there = copied(x), copied(x)
        ncc.collective_permute([here], [there], pairs)
        return copied(there)

    xs = arrays(6, (4, 4))
    chain = [(rank, rank + 1) for rank in range(5)]
    results, result = kernel.run_ranks([(x, chain) for x in xs])
    assert bodies(result) == 3  # the first, the last, and those between
    for got, expected in zip(results, [xs[0], *xs[:5]], strict=True):
        np.testing.assert_array_equal(got, expected)


def test_the_ranks_run_on_the_machine_of_the_settings():
    kernel = nki.jit(lambda x: x)
    with settings.using(machine=trainyard.load_machine("trn2")):
        result = kernel.bench_ranks([(np.zeros((4, 4), np.float32),)] * 2)
    assert result.machine.name == "trn2"
