"""Does a mask keep instructions inside its box, and do later ones stay in what was written?"""

import neuronxcc.nki as nki
import neuronxcc.nki.isa as nisa
import neuronxcc.nki.language as nl
import numpy as np
import pytest
from trainyard import InputError

X = np.random.default_rng(1).standard_normal((100, 70)).astype(np.float32)


def test_a_masked_load_beyond_the_end_is_computed_with_and_stored():
    @nki.jit
    def kernel(x):
        out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
        for p in nl.affine_range(2):
            i_p, i_f = nl.mgrid[0:64, 0:96]
            i_p = p * 64 + i_p
            inside = (i_p < 100) & (i_f < 70)
            tile = nl.load(x[i_p, i_f], mask=inside)
            nl.store(out[i_p, i_f], nl.exp(tile * 0.5) + 1.0, mask=inside)
        return out

    np.testing.assert_allclose(kernel(X), np.exp(X * 0.5) + 1, rtol=1e-6)


@pytest.mark.found("memory.output")
def test_reductions_and_products_leave_out_what_a_mask_left_unwritten():
    @nki.jit
    def kernel(x):
        sums = nl.ndarray((128, 1), x.dtype, buffer=nl.shared_hbm)
        products = nl.ndarray((70, 70), x.dtype, buffer=nl.shared_hbm)
        i_p, i_f = nl.mgrid[0:128, 0:128]
        tile = nl.load(x[i_p, i_f], mask=(i_p < 100) & (i_f < 70))
        nl.store(sums, nl.sum(tile, axis=1))
        product = nl.matmul(tile, tile, transpose_x=True)
        nl.store(products, product[0:70, 0:70])
        return sums, products

    sums, products = kernel(X)
    np.testing.assert_allclose(sums[:100, 0], X.sum(1), rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(products, X.T @ X, rtol=1e-5, atol=1e-4)


def test_a_masked_instruction_writes_only_its_box():
    @nki.jit
    def kernel(x):
        out = nl.ndarray((100, 70), x.dtype, buffer=nl.shared_hbm)
        tile = nl.zeros((100, 70), x.dtype)
        i_p, i_f = nl.mgrid[0:100, 0:70]
        tile[i_p, i_f] = nisa.tensor_scalar(nl.load(x), nl.add, 1.0, mask=i_f < 20)
        nl.store(out, tile)
        return out

    np.testing.assert_array_equal(kernel(X), np.where(np.arange(70) < 20, X + 1, 0))


def test_masked_pieces_of_one_tile_join():
    @nki.jit
    def kernel(x):
        out = nl.ndarray((100, 70), x.dtype, buffer=nl.shared_hbm)
        tile = nl.ndarray((nl.par_dim(128), 70), x.dtype)
        i_p, i_f = nl.mgrid[0:128, 0:35]
        for j in nl.affine_range(2):
            tile[i_p, j * 35 + i_f] = nl.load(x[i_p, j * 35 + i_f], mask=i_p < 100)
        nl.store(out, nl.negative(tile)[0:100])
        return out

    np.testing.assert_array_equal(kernel(X), -X)


def test_a_mask_that_never_holds_emits_nothing():
    @nki.jit
    def kernel(x):
        out = nl.zeros((100, 70), x.dtype, buffer=nl.shared_hbm)
        i_p, i_f = nl.mgrid[0:100, 0:70]
        nl.store(out[i_p, i_f], nl.load(x[i_p, i_f], mask=i_p < 0), mask=i_p < 0)
        return out

    np.testing.assert_array_equal(kernel(X), np.zeros_like(X))


def test_a_tile_that_a_mask_left_empty_is_not_read():
    @nki.jit
    def kernel(x):
        out = nl.zeros((100, 70), x.dtype, buffer=nl.shared_hbm)
        tile = nl.ndarray((100, 70), x.dtype)
        tile[...] = nl.load(x, mask=False)
        nl.store(out, nl.exp(tile[:, 0:70]))
        return out

    np.testing.assert_array_equal(kernel(X), np.zeros_like(X))


def test_a_mask_that_is_not_a_box_is_refused():
    @nki.jit
    def kernel(x):
        i_p, i_f = nl.mgrid[0:64, 0:64]
        return nl.load(x[i_p, i_f], mask=i_p < i_f)

    with pytest.raises(InputError, match=r"mask.rectangle.*(\n.*)*affine_select"):
        kernel(X)


def test_a_tile_indexed_by_a_mask_takes_part_where_it_holds():
    @nki.jit
    def kernel(x):
        i_p, i_f = nl.mgrid[0:100, 0:70]
        tile = nl.load(x)
        product = nl.zeros((70, 70), nl.float32, buffer=nl.psum)
        product += nisa.nc_matmul(tile[i_p < 64], tile[i_p < 90][i_f < 1000][True])
        return product

    np.testing.assert_allclose(kernel(X), X[:64].T @ X[:64], rtol=1e-5, atol=1e-4)


def test_affine_select_takes_comparisons_joined_by_and():
    @nki.jit
    def kernel(x):
        i_p, i_f = nl.mgrid[0:64, 0:64]
        tile = nl.load(x[i_p, i_f])
        return nisa.affine_select((i_p >= i_f) & (i_f > 5), tile, -1.0)

    p, f = np.mgrid[0:64, 0:64]
    np.testing.assert_array_equal(kernel(X), np.where((p >= f) & (f > 5), X[:64, :64], -1))
