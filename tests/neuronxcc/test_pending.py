"""Which instructions do returned tiles, assignments and accumulation become?"""

from collections import Counter

import neuronxcc.nki as nki
import neuronxcc.nki.isa as nisa
import neuronxcc.nki.language as nl
import numpy as np
import pytest

X = np.random.default_rng(2).standard_normal((128, 128)).astype(np.float32)


def instructions(kernel, *arrays) -> Counter:
    program = kernel.traceable().trace(*arrays).program
    return Counter(program.mnemonic(i) for i in range(len(program)))


def test_an_assigned_result_is_written_where_it_belongs():
    @nki.jit
    def kernel(x):
        out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
        tile = nl.ndarray((nl.par_dim(128), 128), x.dtype)
        tile[...] = nl.load(x)
        tile[:, 0:64] = nisa.activation(nl.exp, tile[:, 0:64])
        nl.store(out, tile)
        return out

    assert instructions(kernel, X) == {"dma_copy": 2, "activation": 1}
    np.testing.assert_allclose(kernel(X)[:, :64], np.exp(X[:, :64]), rtol=1e-6)


def test_accumulation_in_psum_needs_no_zeros():
    @nki.jit
    def kernel(x):
        tile = nl.load(x)
        total = nl.zeros((128, 128), nl.float32, buffer=nl.psum)
        for _ in nl.affine_range(3):
            total += nisa.nc_matmul(tile, tile)
        return total

    assert instructions(kernel, X) == {"dma_copy": 2, "nc_matmul": 3, "tensor_copy": 1}
    np.testing.assert_allclose(kernel(X), 3 * X.T @ X, rtol=1e-5, atol=1e-4)


def test_zeros_that_are_read_are_written():
    @nki.jit
    def kernel(x):
        total = nl.zeros((128, 128), nl.float32, buffer=nl.psum)
        return nl.load(x) + total

    assert instructions(kernel, X)["memset"] == 1
    np.testing.assert_array_equal(kernel(X), X)


def test_the_rest_of_a_partly_accumulated_tile_is_zero():
    @nki.jit
    def kernel(x):
        tile = nl.load(x)
        total = nl.zeros((128, 256), nl.float32, buffer=nl.psum)
        total[:, 0:128] += nisa.nc_matmul(tile, tile)
        return total

    result = kernel(X)
    np.testing.assert_allclose(result[:, :128], X.T @ X, rtol=1e-5, atol=1e-4)
    assert not result[:, 128:].any()


@pytest.mark.found("psum.lost_sum")
def test_a_later_assignment_overwrites_what_was_accumulated():
    @nki.jit
    def kernel(x):
        tile = nl.load(x)
        total = nl.zeros((128, 128), nl.float32, buffer=nl.psum)
        total += nisa.nc_matmul(tile, tile)
        total[...] = nisa.nc_matmul(tile, tile)
        return total

    np.testing.assert_allclose(kernel(X), X.T @ X, rtol=1e-5, atol=1e-4)


def test_a_result_used_twice_is_computed_once():
    @nki.jit
    def kernel(x):
        power = nl.exp(nl.load(x))
        return power * power

    assert instructions(kernel, X) == {"dma_copy": 2, "activation": 1, "tensor_tensor": 1}


def test_a_result_of_another_dtype_than_its_target_rounds_once_at_most():
    @nki.jit
    def kernel(x):
        tile = nl.ndarray((128, 128), nl.bfloat16)
        tile[...] = nisa.tensor_copy(nl.load(x))
        return tile

    assert kernel(X).dtype == np.dtype("bfloat16")
    np.testing.assert_array_equal(kernel(X), X.astype("bfloat16"))


def test_augmented_assignment_in_sbuf_changes_the_tile():
    @nki.jit
    def kernel(x):
        tile = nl.zeros((2, nl.par_dim(128), 128), nl.float32)
        for i in nl.affine_range(2):
            tile[i, :, 0:64] += nl.load(x[:, 0:64])
            tile[i] *= i + 2.0
        return tile[0] + tile[1]

    np.testing.assert_allclose(kernel(X)[:, :64], 5 * X[:, :64], rtol=1e-6)
    assert not kernel(X)[:, 64:].any()


@pytest.mark.found("memory.dead_store")
def test_tensors_that_do_not_fit_are_kept_in_hbm_between_uses():
    wide = np.random.default_rng(5).standard_normal((40, 128, 2048)).astype(np.float32)

    @nki.jit
    def kernel(x):
        out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
        tiles = nl.ndarray((40, nl.par_dim(128), 2048), x.dtype)
        products = nl.ndarray((40, nl.par_dim(128), 512), nl.float32, buffer=nl.psum)
        for i in nl.affine_range(40):
            tiles[i] = nl.load(x[i])
            products[i] = nisa.nc_matmul(tiles[i, :, 0:128], tiles[i, :, 0:512])
            tiles[i, :, 0:1024] += 1.0
        for i in nl.affine_range(40):
            tiles[i, :, 0:512] = nl.copy(products[i])
            nl.store(out[i], tiles[i])
        return out

    wanted = wide.copy()
    wanted[:, :, 512:1024] += 1
    wanted[:, :, :512] = np.einsum("bki,bkj->bij", wide[:, :, :128], wide[:, :, :512])
    np.testing.assert_allclose(kernel(wide), wanted, rtol=1e-4, atol=1e-3)
