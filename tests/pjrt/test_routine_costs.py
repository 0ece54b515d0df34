"""What no instruction computes: its time grows with its work, and all of it draws power."""

import itertools

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

ROUTINES = {
    "fft": (lambda x: jnp.abs(jnp.fft.fft(x)), lambda n: (64, n)),
    "cholesky": (lambda x: lax.linalg.cholesky(x), lambda n: (n, n)),
    "triangular solve": (
        lambda x: lax.linalg.triangular_solve(x, x, left_side=True, lower=True),
        lambda n: (n, n),
    ),
    "sort": (lambda x: jnp.sort(x, 0), lambda n: (n, 8)),
    "cube root": (jnp.cbrt, lambda n: (n, n)),
    "gradient of a pool": (
        jax.grad(lambda x: lax.reduce_window(x, -jnp.inf, lax.max, (2, 2), (2, 2), "VALID").sum()),
        lambda n: (n, n),
    ),
}
STATIC_WATTS_LEAST = 1.0  # of a core, whatever it does: far below machines/trn3.toml


def taken(function, shape):
    x = jax.device_put(np.zeros(shape, np.float32), jax.devices("neuron")[0])
    compiled = jax.jit(function, compiler_options={"mode": "machine"}).lower(x).compile()
    return compiled.cost_analysis()


@pytest.mark.parametrize("name", ROUTINES)
def test_time_and_energy_grow_with_the_work(name):
    function, shape_of = ROUTINES[name]
    each = [taken(function, shape_of(n)) for n in (64, 256, 1024)]
    for small, large in itertools.pairwise(each):
        assert small["seconds"] <= large["seconds"] and small["joules"] <= large["joules"]
    for costs in each:
        assert costs["joules"] > STATIC_WATTS_LEAST * costs["seconds"]


def test_a_factorization_is_no_faster_than_the_array():
    n = 2048
    peak = 2 * 19.7e12  # operations a second in float32 of two cores
    assert taken(ROUTINES["cholesky"][0], (n, n))["seconds"] > n**3 / 3 / peak
    assert taken(ROUTINES["triangular solve"][0], (n, n))["seconds"] > n**3 / peak
