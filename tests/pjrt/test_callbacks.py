"""Python functions out of programs on `neuron`: jax.debug, pure_callback, io_callback."""

from __future__ import annotations

import os
import subprocess
import sys

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.experimental import io_callback

MODES = ["reference", "machine"]
X = jnp.arange(6, dtype=jnp.float32).reshape(2, 3)
LIKE_X = jax.ShapeDtypeStruct(X.shape, X.dtype)


def jit(function, mode):
    return jax.jit(function, compiler_options={"mode": mode})


@pytest.mark.parametrize("mode", MODES)
def test_values_are_printed_where_they_arise(on_neuron, capfd, mode):
    def function(x):
        y = x * 2
        jax.debug.print("twice {} and {name}", y, name="a word")
        return y + 1

    result = jit(function, mode)(X)
    jax.effects_barrier()
    np.testing.assert_array_equal(result, 2 * X + 1)
    assert "twice [[ 0.  2.  4.]" in capfd.readouterr().out


@pytest.mark.parametrize("mode", MODES)
def test_ordered_prints_of_a_loop_come_in_order(on_neuron, capfd, mode):
    def function(x):
        def turn(i, x):
            jax.debug.print("turn {}", i, ordered=True)
            return x + i

        return jax.lax.fori_loop(0, 4, turn, x)

    np.testing.assert_array_equal(jit(function, mode)(X), X + 6)
    jax.effects_barrier()
    assert [line for line in capfd.readouterr().out.splitlines() if line.startswith("turn")] == [
        f"turn {i}" for i in range(4)
    ]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("dtype", [jnp.float32, jnp.bfloat16, jnp.int8, jnp.bool_, jnp.complex64])
def test_a_pure_callback_computes_with_any_type(on_neuron, mode, dtype):
    if mode == "machine" and dtype == jnp.complex64:
        pytest.skip("complex numbers run on the host")
    x = X.astype(dtype)

    def function(x):
        like = jax.ShapeDtypeStruct((x.shape[0],), x.dtype)
        return jax.pure_callback(lambda v: np.asarray(v)[:, 1], like, x)

    result = jit(function, mode)(x)
    assert result.dtype == dtype
    np.testing.assert_array_equal(result, x[:, 1])


@pytest.mark.parametrize("mode", MODES)
def test_io_callbacks_run_in_order_and_return(on_neuron, mode):
    seen = []

    def remember(value):
        seen.append(float(value.sum()))
        return np.asarray(value) + len(seen)

    def function(x):
        once = io_callback(remember, LIKE_X, x, ordered=True)
        return io_callback(remember, LIKE_X, once, ordered=True)

    compiled = jit(function, mode)
    np.testing.assert_array_equal(compiled(X), X + 3)
    np.testing.assert_array_equal(compiled(X), X + 7)
    assert seen == [15.0, 21.0, 15.0, 33.0]


def test_an_error_of_the_function_ends_the_run(on_neuron):
    def fail(value):
        raise ValueError("no such thing")

    with pytest.raises(jax.errors.JaxRuntimeError, match="ValueError: no such thing"):
        jax.block_until_ready(jax.jit(lambda x: jax.pure_callback(fail, LIKE_X, x))(X))


def test_the_time_of_the_host_is_not_the_machines(on_neuron):
    def times(function):
        return jit(function, "machine").lower(X).compile().cost_analysis()["seconds"]

    plain = times(lambda x: x + 1)
    called = times(lambda x: jax.pure_callback(lambda v: v, LIKE_X, x) + 1)
    assert called == plain


def test_functions_of_programs_that_are_gone_are_forgotten(on_neuron):
    from jax_plugins.neuron import callbacks

    def program():
        return jax.jit(lambda x: jax.pure_callback(lambda v: v, LIKE_X, x))

    before = len(callbacks.functions.alive())
    compiled = program().lower(X).compile()
    assert len(callbacks.functions.alive()) == before + 1
    np.testing.assert_array_equal(compiled(X), X)
    del compiled
    jax.clear_caches()
    assert len(callbacks.functions.alive()) <= before


def test_a_callback_without_a_cpu_says_what_is_missing():
    script = (
        "import jax, jax.numpy as jnp\n"
        "f = lambda x: jax.pure_callback(lambda v: v, jax.ShapeDtypeStruct((), x.dtype), x)\n"
        "print(jax.jit(f)(jnp.float32(1)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "JAX_PLATFORMS": "neuron"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "local CPU device" in done.stderr
