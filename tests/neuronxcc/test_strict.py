"""Does TRAINYARD_STRICT refuse what AWS's compiler refused, and nothing that it took?"""

import neuronxcc.nki as nki
import neuronxcc.nki.isa as nisa
import neuronxcc.nki.language as nl
import neuronxcc.nki.typing as nt
import numpy as np
import pytest
from trainyard import InputError

X = np.arange(4 * 128 * 8, dtype=np.float32).reshape(4, 128, 8)


def total(x, loop, add):
    out = nl.ndarray(x.shape[1:], x.dtype, buffer=nl.shared_hbm)
    acc = nl.zeros(x.shape[1:], x.dtype)
    for i in loop(x.shape[0]):
        acc = add(acc, nl.load(x[i]))
    nl.store(out, acc)
    return out


def assigned(acc, tile):  # aws-neuron-sdk issue 1052
    acc[...] = acc + tile
    return acc


def rebound(acc, tile):
    return nl.add(acc, tile)


def by_instruction(acc, tile):
    acc[...] = nisa.tensor_tensor(acc, tile, np.add)
    return acc


def added(acc, tile):
    acc += tile
    return acc


def added_to_a_part(acc, tile):
    acc[0:128, 0:8] += tile
    return acc


READS = (assigned, rebound, by_instruction)
ADDS = (added, added_to_a_part)
LOOPS = (nl.affine_range, nl.sequential_range, nl.static_range)


@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("add", READS + ADDS)
@pytest.mark.parametrize("strict", ["0", "1"])
def test_iterations_that_read_what_others_wrote_are_refused(monkeypatch, strict, add, loop):
    monkeypatch.setenv("TRAINYARD_STRICT", strict)
    if strict == "1" and loop is nl.affine_range and add in READS:
        with pytest.raises(InputError, match=r"neuronxcc\.affine_range"):
            nki.jit(total)(X, loop, add)
        return
    np.testing.assert_array_equal(nki.jit(total)(X, loop, add), X.sum(axis=0))


def test_what_an_iteration_wrote_itself_it_may_read(monkeypatch):
    @nki.jit
    def kernel(x):
        out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
        kept = nl.ndarray((4, nl.par_dim(128), 8), x.dtype)
        once = nl.ndarray((nl.par_dim(128), 8), x.dtype)
        for i in nl.affine_range(4):
            kept[i] = nl.load(x[i])
            once[...] = nl.multiply(kept[i], 2.0)
            for half in nl.affine_range(2):
                columns = nl.ds(half * 4, 4)
                kept[i, :, columns] = nl.add(once[:, columns], kept[i, :, columns])
        for i in nl.affine_range(4):
            nl.store(out[i], kept[i])
        return out

    monkeypatch.setenv("TRAINYARD_STRICT", "1")
    np.testing.assert_array_equal(kernel(X), 3 * X)


def test_matmuls_of_several_iterations_add_up(monkeypatch):
    @nki.jit
    def kernel(x):
        out = nl.ndarray((8, 8), nl.float32, buffer=nl.shared_hbm)
        acc = nl.zeros((8, 8), nl.float32, buffer=nl.psum)
        for i in nl.affine_range(4):
            tile = nl.load(x[i])
            acc += nl.matmul(tile, tile, transpose_x=True)
        nl.store(out, acc)
        return out

    monkeypatch.setenv("TRAINYARD_STRICT", "1")
    wanted = np.einsum("ipa,ipb->ab", X.astype(np.float64), X)
    np.testing.assert_allclose(kernel(X), wanted, rtol=1e-5)


def doubled(x):
    nl.store(x, nl.multiply(nl.load(x), 2.0))
    return x


def doubled_mutable(x: nt.mutable_tensor):
    return doubled(x)


@pytest.mark.parametrize("strict", ["0", "1"])
@pytest.mark.parametrize("function", [doubled, doubled_mutable])
def test_a_write_to_an_argument_that_is_not_mutable_is_refused(monkeypatch, strict, function):
    monkeypatch.setenv("TRAINYARD_STRICT", strict)
    x = X[0].copy()
    if strict == "1" and function is doubled:  # nki-samples issue 44
        with pytest.raises(InputError, match=r"neuronxcc\.argument: a write to the argument 'x'"):
            nki.jit(function)(x)
        return
    np.testing.assert_array_equal(nki.jit(function)(x), 2 * X[0])


def test_another_value_of_the_variable_is_refused(monkeypatch):
    monkeypatch.setenv("TRAINYARD_STRICT", "yes")
    with pytest.raises(ValueError, match="TRAINYARD_STRICT is 0 or 1, not 'yes'"):
        nki.jit(doubled)(X[0].copy())
