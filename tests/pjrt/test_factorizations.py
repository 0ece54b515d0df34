"""jnp.linalg of real matrices on platform neuron: is what JAX has libraries for elsewhere right?"""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

pytestmark = pytest.mark.usefixtures("on_neuron")
rng = np.random.default_rng(5)


def numbers(*shape):
    return rng.standard_normal(shape).astype(np.float32)


def symmetric(*shape):
    a = numbers(*shape, shape[-1])
    return a + np.swapaxes(a, -1, -2)


def identity_error(q):
    return np.abs(np.swapaxes(q, -1, -2) @ q - np.eye(q.shape[-1])).max()


@pytest.mark.parametrize("mode", ["reduced", "complete"])
@pytest.mark.parametrize("shape", [(1, 1), (7, 3), (3, 7), (2, 5, 5), (40, 9)])
def test_qr(shape, mode):
    a = numbers(*shape)
    q, r = (np.asarray(each) for each in jax.jit(lambda a: jnp.linalg.qr(a, mode=mode))(a))
    np.testing.assert_allclose(q @ r, a, atol=4e-6)
    assert identity_error(q) < 4e-6
    assert not np.tril(r, -1).any()
    assert q.shape == np.linalg.qr(a, mode=mode)[0].shape


def test_reflections_are_those_of_lapack():
    a = numbers(6, 4)
    h, taus = (np.asarray(each) for each in jax.jit(lambda a: jnp.linalg.qr(a, mode="raw"))(a))
    expected, factors = np.linalg.qr(a, mode="raw")
    np.testing.assert_allclose(h, expected, atol=2e-6)
    np.testing.assert_allclose(taus, factors, atol=2e-6)


@pytest.mark.parametrize("column", [0, 1e-30, 1e30])
def test_columns_of_any_size_are_reflected(column):
    a = numbers(4, 3) * np.float32([1, column, 1])
    q, r = (np.asarray(each) for each in jnp.linalg.qr(a))
    np.testing.assert_allclose(q @ r, a, rtol=4e-6, atol=4e-6 * np.abs(a).max())
    assert identity_error(q) < 4e-6


@pytest.mark.parametrize("shape", [(1,), (2,), (3,), (12,), (21,), (3, 4)])
def test_eigh(shape):
    a = symmetric(*shape)
    values, vectors = (np.asarray(each) for each in jax.jit(jnp.linalg.eigh)(a))
    scale = np.abs(a).max() * shape[-1]
    exact = np.linalg.eigvalsh(a.astype(np.float64))
    np.testing.assert_allclose(values, exact, atol=2e-6 * scale)
    np.testing.assert_allclose(a @ vectors, vectors * values[..., None, :], atol=2e-6 * scale)
    assert identity_error(vectors) < 4e-6


def test_eigh_reads_one_triangle():
    a = symmetric(5)
    for triangle, uplo in ((np.tril(a), "L"), (np.triu(a), "U")):
        values = jnp.linalg.eigh(triangle, UPLO=uplo, symmetrize_input=False)[0]
        np.testing.assert_allclose(values, np.linalg.eigvalsh(a), atol=2e-5)


def test_eigenvalues_that_are_equal_or_none():
    np.testing.assert_array_equal(jnp.linalg.eigvalsh(jnp.zeros((4, 4))), np.zeros(4))
    np.testing.assert_allclose(jnp.linalg.eigvalsh(jnp.eye(5) * 3), np.full(5, 3), rtol=1e-6)
    assert np.isnan(jnp.linalg.eigvalsh(jnp.full((3, 3), jnp.nan))).all()


@pytest.mark.parametrize("shape", [(6, 4), (4, 6)])
def test_what_stands_on_them(shape):
    a = numbers(*shape)
    u, s, v = (np.asarray(each) for each in jnp.linalg.svd(a, full_matrices=False))
    np.testing.assert_allclose((u * s) @ v, a, atol=1e-5)
    np.testing.assert_allclose(s, np.linalg.svd(a, compute_uv=False), atol=1e-5)
    np.testing.assert_allclose(jnp.linalg.pinv(a), np.linalg.pinv(a), atol=2e-5)
    np.testing.assert_allclose(jnp.linalg.norm(a, ord=2), np.linalg.norm(a, ord=2), rtol=1e-5)


def test_an_orthogonal_initializer():
    assert (
        identity_error(np.asarray(jax.nn.initializers.orthogonal()(jax.random.key(0), (8, 5))))
        < 4e-6
    )


def test_a_gradient_goes_through_eigh():
    a = symmetric(4)

    def largest(a):
        return jnp.linalg.eigh(a)[0][-1]

    vector = np.linalg.eigh(a)[1][:, -1]
    np.testing.assert_allclose(jax.grad(largest)(a), np.outer(vector, vector), atol=1e-5)


def test_complex_matrices():
    a = numbers(6, 4) + 1j * numbers(6, 4)
    q, r = (np.asarray(each) for each in jax.jit(jnp.linalg.qr)(a))
    np.testing.assert_allclose(q @ r, a, atol=4e-6)
    np.testing.assert_allclose(np.conj(q.T) @ q, np.eye(4), atol=4e-6)
    hermitian = np.conj(a.T) @ a
    values, vectors = (np.asarray(each) for each in jax.jit(jnp.linalg.eigh)(hermitian))
    np.testing.assert_allclose(values, np.linalg.eigvalsh(hermitian), rtol=1e-4)
    np.testing.assert_allclose(hermitian @ vectors, vectors * values, atol=1e-4)
    np.testing.assert_allclose(np.conj(vectors.T) @ vectors, np.eye(4), atol=4e-6)


def test_settings_of_the_program_do_not_matter():
    with jax.numpy_rank_promotion("raise"), jax.numpy_dtype_promotion("strict"):
        r = jax.jit(lambda a: jnp.linalg.qr(a, mode="r"))(numbers(4, 3))
        values = jax.jit(jnp.linalg.eigvalsh)(symmetric(4))
    assert (r.shape, values.shape) == ((3, 3), (4,))
