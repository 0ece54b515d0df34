"""Values that the core cannot take are refused in words, at the author's line."""

import nki
import nki.isa as nisa
import nki.language as nl
import numpy as np
import pytest
import trainyard

X = np.ones((128, 64), np.float32)
kept = []


def traced(body):
    @nki.jit
    def kernel(x):
        tile = nl.load(x)
        body(tile)
        out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
        nl.store(out, tile)
        return out

    return kernel(X)


@pytest.mark.parametrize(
    ("body", "label"),
    [
        (lambda t: t[:, nl.ds(0, nisa.register_alloc(4))], "view.index"),
        (lambda t: t[:, nl.ds(0, 2.0)], "view.index"),
        (lambda t: t[:, nl.ds(0, 2**70)], "view.index"),
        (lambda t: t.ap([[64, 128], [1, 64 / 2]]), "view.ap"),
        (lambda t: t.ap([[nisa.register_alloc(4), 4]]), "view.ap"),
        (lambda t: t.ap(4), "view.ap"),
        (lambda t: nisa.memset(nl.ndarray((128, 4), "int64"), 0), "memset.c1"),
    ],
)
def test_a_value_of_another_kind(body, label):
    with pytest.raises(trainyard.InputError, match=label) as refused:
        traced(body)
    assert "test_refused_at_the_binding.py" in str(refused.value)


def test_a_result_of_another_kernel():
    @nki.jit
    def first(x):
        out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
        kept.append(out)
        nl.store(out, nl.load(x))
        return out

    @nki.jit
    def second(x):
        nl.store(nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm), nl.load(x))
        return kept[0]

    first(X)
    with pytest.raises(trainyard.InputError, match=r"tensor\.ended"):
        second(X)


def test_an_update_in_place_waits_for_a_transfer_that_reads_it_on_the_same_queue():
    @nki.jit
    def kernel(x):
        tile = nl.load(x)
        before = nl.ndarray(x.shape, x.dtype)
        nisa.dma_copy(dst=before, src=tile)
        nisa.dma_compute(dst=tile, srcs=[tile, x], reduce_op=nl.add)
        out = nl.ndarray((2, *x.shape), x.dtype, buffer=nl.shared_hbm)
        nl.store(out[0], before)
        nl.store(out[1], tile)
        return out

    found, _ = kernel.run(X, timed=True, checks=True)
    np.testing.assert_array_equal(found, np.stack([X, 2 * X]))
