"""Do the two cores of a grid meet: barriers order what they share, exchanges swap tiles, and what
cannot meet is refused with both sides named?"""

from collections.abc import Callable

import nki
import nki.isa as nisa
import nki.language as nl
import numpy as np
import pytest
from trainyard import Fault, InputError, load_machine

HALF = 64
X = np.arange(2 * HALF * 32, dtype=np.float32).reshape(2 * HALF, 32)


@pytest.fixture(params=[False, True], ids=["untimed", "timed"])
def run(request) -> Callable[..., np.ndarray]:
    """Calls a kernel on a grid of two."""
    return lambda kernel, *args: kernel[2].run(*args, timed=request.param)[0]


def doubled_by_the_other(barrier_on):
    """Core c writes 2 x into its half of a shared tensor; the other one reads it and adds 1."""

    @nki.jit
    def kernel(x):
        me, rows = nl.program_id(0), x.shape[0] // 2
        middle = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
        other = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
        out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
        mine, theirs = nl.ds(me * rows, rows), nl.ds((1 - me) * rows, rows)
        nl.store(middle[mine], nl.multiply(nl.load(x[mine]), 2))
        nl.store(other[mine], nl.load(x[mine]))
        for name in barrier_on:
            nisa.core_barrier({"middle": middle, "other": other}[name], (0, 1))
        nl.store(out[theirs], nl.add(nl.load(middle[theirs]), 1))
        return out

    return kernel


class TestBarrier:
    def test_orders_what_the_cores_share(self, run):
        np.testing.assert_array_equal(run(doubled_by_the_other(["middle"]), X), 2 * X + 1)

    @pytest.mark.parametrize("barriers", [[], ["other"]])
    def test_nothing_else_is_ordered(self, run, barriers):
        with pytest.raises(InputError, match=r"(?s)grid\.conflict.*instance 0"):
            run(doubled_by_the_other(barriers), X)

    @pytest.mark.parametrize("ahead", [0, 1], ids=["in step", "one core has more to do before"])
    @pytest.mark.found("memory.unused")
    def test_what_both_cores_write_alike_each_may_read(self, run, ahead):
        @nki.jit
        def kernel(x):
            me, rows = nl.program_id(0), x.shape[0] // 2
            both = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
            out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
            for _ in range(me * ahead):
                nl.load(x)
            nl.store(both, nl.multiply(nl.load(x), 2))
            mine = nl.ds(me * rows, rows)
            nl.store(out[mine], nl.add(nl.load(both[mine]), 1))
            nisa.dma_copy(dst=both, src=both)  # a fence, as nki-library writes it
            return out

        np.testing.assert_array_equal(run(kernel, X), 2 * X + 1)

    def test_so_they_may_where_one_of_them_did_more_before(self, run):
        @nki.jit
        def kernel(x):
            me, rows = nl.program_id(0), x.shape[0] // 2
            both = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
            out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
            tile = nl.load(x)
            if me == 1:
                tile = nl.multiply(tile, 1)
            nl.store(both, tile)
            mine = nl.ds(me * rows, rows)
            nl.store(out[mine], nl.load(both[mine]))
            return out

        np.testing.assert_array_equal(run(kernel, X), X)

    @pytest.mark.found("grid.overwrite")
    def test_what_both_write_without_one_is_what_cores_that_start_together_leave(self, run):
        @nki.jit
        def kernel(x):
            me, rows = nl.program_id(0), x.shape[0] // 2
            out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
            doubled = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
            nl.store(out, nl.zeros(x.shape, x.dtype))
            mine, theirs = nl.ds(me * rows, rows), nl.ds((1 - me) * rows, rows)
            nl.store(out[mine], nl.load(x[mine]))
            nisa.core_barrier(out, (0, 1))
            nl.store(doubled[theirs], nl.multiply(nl.load(out[theirs]), 2))
            return doubled

        for _ in range(8):
            np.testing.assert_array_equal(run(kernel, X), 2 * X)

    @pytest.mark.filterwarnings("ignore:.*removed in NKI 0.7:DeprecationWarning")
    def test_works_in_a_hardware_loop(self, run):
        @nki.jit
        def kernel(x):
            me = nl.program_id(0)
            shared = nl.ndarray((2, x.shape[1]), x.dtype, buffer=nl.shared_hbm)
            out = nl.ndarray((2, x.shape[1]), x.dtype, buffer=nl.shared_hbm)
            mine = nl.load(x[nl.ds(me, 1)])
            theirs = nl.ndarray(mine.shape, x.dtype)
            for _ in nl.dynamic_range(3):  # mine = mine + theirs, on both
                nisa.dma_copy(dst=shared[nl.ds(me, 1)], src=mine)
                nisa.core_barrier(shared, (0, 1))
                nisa.dma_copy(dst=theirs, src=shared[nl.ds(1 - me, 1)])
                nisa.tensor_tensor(dst=mine, data1=mine, data2=theirs, op=nl.add)
                nisa.core_barrier(shared, (0, 1))
            nisa.dma_copy(dst=out[nl.ds(me, 1)], src=mine)
            return out

        x = X[:2]
        np.testing.assert_array_equal(run(kernel, x), np.stack([4 * (x[0] + x[1])] * 2))

    @pytest.mark.filterwarnings("ignore:.*removed in NKI 0.7:DeprecationWarning")
    def test_the_next_iteration_is_not_ordered_by_this_one(self, run):
        @nki.jit
        def kernel(x):
            me = nl.program_id(0)
            shared = nl.ndarray((2, x.shape[1]), x.dtype, buffer=nl.shared_hbm)
            tile = nl.load(x[nl.ds(me, 1)])
            for _ in nl.dynamic_range(3):
                nisa.dma_copy(dst=shared[nl.ds(me, 1)], src=tile)
                nisa.core_barrier(shared, (0, 1))
                nisa.dma_copy(dst=tile, src=shared[nl.ds(1 - me, 1)])
            return shared

        with pytest.raises(InputError, match=r"grid\.conflict"):
            run(kernel, X[:2])

    def test_of_one_core_only_orders(self):
        @nki.jit
        def kernel(x, cores):
            out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
            nl.store(out, nl.load(x))
            nisa.core_barrier(out, cores)
            return out

        np.testing.assert_array_equal(kernel(X, (0,)), X)
        np.testing.assert_array_equal(kernel.run(X, 0, timed=True)[0], X)

    def test_of_two_needs_two(self, run):
        @nki.jit
        def kernel(x):
            out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
            if nl.program_id(0) == 0:
                nisa.core_barrier(out, (0, 1))
            nl.store(out, nl.load(x))
            return out

        here = r"core 0 waits at core_barrier at .*test_grid\.py:\d+ in .*core 1 has ended"
        with pytest.raises(Fault, match=r"(?s)run\.deadlock.*" + here):
            run(kernel, X)

    def test_names_the_same_data_on_both(self, run):
        @nki.jit
        def kernel(x):
            a = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
            b = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
            nisa.core_barrier(b if nl.program_id(0) else a, (0, 1))
            return a

        with pytest.raises(Fault, match=r"(?s)meeting\.match.*different data.*core 1 stands at"):
            run(kernel, X)


def swapped(path, pipe=0):
    @nki.jit
    def kernel(x):
        me, rows = nl.program_id(0), x.shape[0] // 2
        out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
        mine = nl.ds(me * rows, rows)
        tile = nl.load(x[mine])
        got = nl.ndarray(tile.shape, x.dtype)
        nisa.sendrecv(tile, got, 1 - me, 1 - me, pipe, dma_engine=path)
        nl.store(out[mine], nl.add(got, me))
        return out

    return kernel


class TestSendrecv:
    @pytest.mark.parametrize("path", list(nisa.dma_engine))
    def test_swaps_tiles(self, run, path):
        wanted = np.concatenate([X[HALF:], X[:HALF] + 1])
        np.testing.assert_array_equal(run(swapped(path), X), wanted)

    def test_sends_what_src_held_and_may_receive_into_it(self, run):
        @nki.jit
        def kernel(x):
            me = nl.program_id(0)
            out = nl.ndarray((2, x.shape[1]), x.dtype, buffer=nl.shared_hbm)
            tile = nl.load(x[nl.ds(me, 1)])
            for _ in range(3):
                nisa.sendrecv(tile, tile, 1 - me, 1 - me, 0)
            nl.store(out[nl.ds(me, 1)], tile)
            return out

        np.testing.assert_array_equal(run(kernel, X[:2]), X[1::-1])

    def test_what_is_sent_and_received_fits(self, run):
        @nki.jit
        def kernel(x):
            me = nl.program_id(0)
            out = nl.ndarray((2, 32), x.dtype, buffer=nl.shared_hbm)
            tile = nl.zeros((1, 16 + 16 * me), x.dtype)
            nisa.sendrecv(tile, tile, 1 - me, 1 - me, 0)
            return out

        found = r"(?s)meeting\.match.*core 0 receives 1 x 16 float32 and is sent 1 x 32"
        with pytest.raises(Fault, match=found):
            run(kernel, X)

    def test_a_receiver_without_sender_is_refused(self, run):
        @nki.jit
        def kernel(x):
            tile = nl.load(x[0:1])
            nisa.sendrecv(tile, tile, 0, 1 - nl.program_id(0), 0)
            return x

        with pytest.raises(Fault, match=r"(?s)meeting\.match.*core 1 receives from 0, which sends"):
            run(kernel, X)

    def test_pipes_do_not_wait_for_each_other(self, run):
        @nki.jit
        def kernel(x):
            me = nl.program_id(0)
            out = nl.ndarray((4, x.shape[1]), x.dtype, buffer=nl.shared_hbm)
            a, b = nl.load(x[0:1]), nl.load(x[1:2])
            got_a, got_b = nl.ndarray(a.shape, x.dtype), nl.ndarray(b.shape, x.dtype)
            exchanges = [(a, got_a, 1 - me, 1 - me, 0), (b, got_b, 1 - me, 1 - me, 1)]
            for exchange in reversed(exchanges) if me else exchanges:
                nisa.sendrecv(*exchange)
            nl.store(out[nl.ds(2 * me, 1)], got_a)
            nl.store(out[nl.ds(2 * me + 1, 1)], got_b)
            return out

        np.testing.assert_array_equal(run(kernel, X), np.concatenate([X[:2], X[:2]]))

    @pytest.mark.filterwarnings("ignore:.*removed in NKI 0.7:DeprecationWarning")
    def test_nor_in_a_hardware_loop(self, run):
        @nki.jit
        def kernel(x):
            me = nl.program_id(0)
            out = nl.ndarray((4, x.shape[1]), x.dtype, buffer=nl.shared_hbm)
            a, b = nl.load(x[nl.ds(me, 1)]), nl.load(x[nl.ds(2 + me, 1)])
            got_a, got_b = nl.ndarray(a.shape, x.dtype), nl.ndarray(b.shape, x.dtype)
            exchanges = [(a, got_a, 1 - me, 1 - me, 0), (b, got_b, 1 - me, 1 - me, 1)]
            for _ in nl.dynamic_range(3):  # each adds what came to what it has
                for exchange in reversed(exchanges) if me else exchanges:
                    nisa.sendrecv(*exchange)
                    mine, came = exchange[:2]
                    nisa.tensor_tensor(dst=mine, data1=mine, data2=came, op=nl.add)
            nl.store(out[nl.ds(me, 1)], a)
            nl.store(out[nl.ds(2 + me, 1)], b)
            return out

        pairs = [4 * (X[0] + X[1])] * 2 + [4 * (X[2] + X[3])] * 2
        np.testing.assert_array_equal(run(kernel, X), np.stack(pairs))

    def test_a_circle_is_named_with_both_sides(self, run):
        @nki.jit
        def kernel(x):
            me = nl.program_id(0)
            a = nl.load(x[0:1])
            b, c = nl.ndarray(a.shape, x.dtype), nl.ndarray(a.shape, x.dtype)
            nisa.sendrecv(a, b, 1 - me, 1 - me, me)
            nisa.sendrecv(b, c, 1 - me, 1 - me, 1 - me)  # what it sends comes by the other pipe
            return x

        both = "core 0 waits at sendrecv on pipe 0 at .*core 1 waits at sendrecv on pipe 1 at "
        with pytest.raises(Fault, match=r"(?s)run\.deadlock.*" + both):
            run(kernel, X)

    def test_gpsimd_is_faster_for_small_tiles(self):
        dma, own = (
            swapped(path)[2].run(X, timed=True)[1].time_ns
            for path in (nisa.dma_engine.dma, nisa.dma_engine.gpsimd_dma)
        )
        assert own < dma


def test_the_report_counts_what_both_cores_do_to_the_stack_they_share():
    @nki.jit
    def loads(x):
        core = nl.program_id(0)
        out = nl.ndarray((2, *x.shape), x.dtype, buffer=nl.shared_hbm)
        for _ in range(4):
            tile = nl.ndarray(x.shape, x.dtype)
            nisa.dma_copy(dst=tile, src=x)
        nisa.dma_copy(dst=out[core], src=tile)
        return out

    x = np.ones((128, 2048), np.float32)
    one, two = (
        loads[cores].run(x, machine=load_machine("trn3"), timed=True, checks=False)[1].report
        for cores in (1, 2)
    )
    assert "core" not in one["run"]["more"]
    assert two["run"]["more"]["core"] in ("0 of 2", "1 of 2")

    def busy(report):
        return next(t for t in report["tracks"] if t["name"] == "hbm0")["ticks"]["working"]

    def least(report):
        limits = report["units"]
        return next(limit for limit in limits if limit["unit"] == "hbm")["ticks_min"]

    for of in (busy, least):
        assert of(two) == pytest.approx(2 * of(one), rel=0.01)
    assert two["energy"]["joules"]["value"] > 1.9 * one["energy"]["joules"]["value"]
