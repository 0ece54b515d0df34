"""Does the list scheduler reorder what is independent, with the same results, and nothing else?"""

import nki
import nki.isa as nisa
import nki.language as nl
import numpy as np
import pytest


def mnemonics(result):
    program = result.instances[0].program
    return [program.mnemonic(i) for i in range(len(program))]


def filling(x):
    """Its second copy needs no load, and stands behind one that does."""
    loaded, given = nl.load(x), nl.ndarray(x.shape, x.dtype)
    nisa.memset(dst=given, value=1.0, engine=nisa.engine.gpsimd)
    first, second = nl.ndarray(x.shape, x.dtype), nl.ndarray(x.shape, x.dtype)
    nisa.tensor_copy(dst=first, src=loaded, engine=nisa.engine.vector)
    nisa.tensor_copy(dst=second, src=given, engine=nisa.engine.vector)
    out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
    nisa.tensor_tensor(dst=first, data1=first, data2=second, op=nl.add)
    nl.store(out, first)
    return out


def test_independent_instructions_are_reordered():
    x = np.ones((128, 512), np.float32)
    kept, before = nki.jit(filling).run(x, timed=True, schedule="author")
    made, result = nki.jit(filling).run(x, timed=True, schedule="list")
    np.testing.assert_array_equal(kept, made)
    assert result.time_ns < before.time_ns


@pytest.mark.parametrize(("timed", "order"), [(True, "list"), (False, "author")])
def test_the_order_nearest_to_silicon_is_the_default_of_timed_runs(timed, order):
    x = np.ones((128, 512), np.float32)
    _, chosen = nki.jit(filling).run(x, timed=timed, schedule=order)
    _, result = nki.jit(filling).run(x, timed=timed)
    assert mnemonics(result) == mnemonics(chosen)


def test_a_report_names_the_order_and_the_time_of_the_authors_own():
    x = np.ones((128, 512), np.float32)
    listed, written = (nki.jit(filling).bench(x, schedule=one) for one in ("list", "author"))
    assert listed.as_written_ns == written.time_ns > listed.time_ns
    assert written.as_written_ns is None
    first, order = str(listed).splitlines()[:2]
    assert f", list-scheduled (as written: {written.time_ns:.1f} ns), " in first
    assert order == "  order: list, within 90 % of SBUF"
    assert ", as written, " in str(written).splitlines()[0]


def test_the_cores_of_a_grid_are_compared_together():
    @nki.jit
    def halves(x):
        half = x.shape[0] // 2
        rows = slice(nl.program_id(0) * half, (nl.program_id(0) + 1) * half)
        loaded, given = nl.load(x[rows]), nl.ndarray((half, x.shape[1]), x.dtype)
        nisa.memset(dst=given, value=1.0, engine=nisa.engine.gpsimd)
        first, second = (nl.ndarray((half, x.shape[1]), x.dtype) for _ in range(2))
        nisa.tensor_copy(dst=first, src=loaded, engine=nisa.engine.vector)
        nisa.tensor_copy(dst=second, src=given, engine=nisa.engine.vector)
        out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
        nisa.tensor_tensor(dst=first, data1=first, data2=second, op=nl.add)
        nl.store(out[rows], first)
        return out

    x = np.ones((256, 512), np.float32)
    listed = halves[2].bench(x)
    assert listed.as_written_ns == halves[2].bench(x, schedule="author").time_ns > listed.time_ns


def test_no_reorder_holds():
    @nki.jit
    def kernel(x):
        with nl.no_reorder():
            return filling(x)

    x = np.ones((128, 512), np.float32)
    assert kernel.bench(x, schedule="list").time_ns == kernel.bench(x, schedule="author").time_ns


def test_a_hardware_loop_is_no_reason_to_keep_the_authors_order():
    @nki.jit
    def kernel(x):
        out = filling(x)
        nl.fori_loop(0, 2, lambda _: nisa.memset(dst=nl.ndarray((4, 4), x.dtype), value=1.0))
        return out

    x = np.ones((128, 512), np.float32)
    assert kernel.bench(x, schedule="list").time_ns < kernel.bench(x, schedule="author").time_ns


def test_a_body_is_reordered_as_the_same_lines_outside():
    def body(x, out):
        loaded, given = nl.load(x), nl.ndarray(x.shape, x.dtype)
        nisa.memset(dst=given, value=1.0, engine=nisa.engine.gpsimd)
        first, second = nl.ndarray(x.shape, x.dtype), nl.ndarray(x.shape, x.dtype)
        nisa.tensor_copy(dst=first, src=loaded, engine=nisa.engine.vector)
        nisa.tensor_copy(dst=second, src=given, engine=nisa.engine.vector)
        nisa.tensor_tensor(dst=first, data1=first, data2=second, op=nl.add)
        nl.store(out, first)

    @nki.jit
    def kernel(x):
        out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
        nl.fori_loop(0, 4, lambda _: body(x, out))
        return out

    x = np.ones((128, 512), np.float32)
    kept, before = kernel.run(x, timed=True, schedule="author")
    made, result = kernel.run(x, timed=True, schedule="list")
    np.testing.assert_array_equal(kept, made)
    assert result.time_ns < before.time_ns


@pytest.mark.found("memory.unused")
def test_a_loop_whose_bound_is_loaded_keeps_the_authors_order():
    @nki.jit
    def kernel(x, count):
        tile, register = nl.ndarray((1, 1), nl.int32), nisa.register_alloc()
        nisa.dma_copy(dst=tile, src=count)
        nisa.register_load(register, tile)
        out = filling(x)
        nl.fori_loop(0, register, lambda _: nisa.memset(dst=nl.ndarray((4, 4), x.dtype), value=1.0))
        return out

    inputs = np.ones((128, 512), np.float32), np.array([[2]], np.int32)
    _, listed = kernel.run(*inputs, timed=True, schedule="list")
    _, kept = kernel.run(*inputs, timed=True, schedule="author")
    assert mnemonics(listed) == mnemonics(kept)


@pytest.mark.parametrize("waits", [False, True])
def test_a_very_large_kernel_whose_engine_is_always_busy_is_not_ordered_again(waits):
    """An engine copies again and again, and each copy may wait for one of another engine."""

    @nki.jit
    def copies(x):
        tile, made = nl.load(x), nl.ndarray(x.shape, x.dtype)
        for i in range(501_000):
            engine = nisa.engine.scalar if waits and i % 2 else nisa.engine.vector
            nisa.tensor_copy(dst=tile if waits else made, src=tile, engine=engine)
        out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
        nl.store(out, tile if waits else made)
        return out

    report = copies.bench(np.ones((128, 512), np.float32), schedule="list")
    assert (report.as_written_ns is None) == (not waits)
    taken = "author: no faster order was found" if waits else "list, within 90 % of SBUF"
    assert str(report).splitlines()[1] == f"  order: {taken}"
