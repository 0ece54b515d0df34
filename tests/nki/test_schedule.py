"""Does a timed run reorder what is independent, with the same results, and nothing else?"""

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


@pytest.mark.parametrize("timed", [True, False])
def test_a_timed_run_reorders_independent_instructions(timed):
    x = np.ones((128, 512), np.float32)
    kept, before = nki.jit(filling).run(x, timed=timed, schedule="author")
    made, result = nki.jit(filling).run(x, timed=timed)
    np.testing.assert_array_equal(kept, made)
    if timed:
        assert result.time_ns < before.time_ns
    else:
        assert mnemonics(result) == mnemonics(before)


def test_no_reorder_holds_in_a_timed_run():
    @nki.jit
    def kernel(x):
        with nl.no_reorder():
            return filling(x)

    x = np.ones((128, 512), np.float32)
    assert kernel.bench(x).time_ns == kernel.bench(x, schedule="author").time_ns


def test_what_one_core_alone_cannot_be_timed_on_keeps_the_authors_order():
    @nki.jit
    def kernel(x):
        out = filling(x)
        nl.fori_loop(0, 2, lambda _: nisa.memset(dst=nl.ndarray((4, 4), x.dtype), value=1.0))
        return out

    x = np.ones((128, 512), np.float32)
    assert kernel.bench(x).time_ns == kernel.bench(x, schedule="author").time_ns
