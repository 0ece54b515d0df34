"""Are gelu's gradients, as JAX writes them out, computed as one derivative?"""

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
from trainyard import _core, graph, model

BF16 = np.dtype(ml_dtypes.bfloat16)
CPU = jax.devices("cpu")[0]
X = np.concatenate([np.linspace(-12, 12, 8000), [0, 1e-20, -1e10, 1e10, 3e18, -3e18]])
X = np.resize(X, 128 * 64).astype(np.float32).reshape(128, 64)
G = np.random.default_rng(0).uniform(-2, 2, X.shape).astype(np.float32)


def gelu(x):
    return jax.nn.gelu(x, approximate=False)


def like_gelu(x):
    """With another curve."""
    return 0.5 * x * (1 + jnp.tanh(0.7978845608 * (x + 0.05 * x**3)))


FUNCTIONS = {"gelu": gelu, "gelu by tanh": jax.nn.gelu, "another curve": like_gelu}


def gradient(function):
    return lambda g, x: jax.vjp(function, x)[1](g)[0]


def with_value(function):
    def both(g, x):
        value, back = jax.vjp(function, x)
        return value, back(g)[0]

    return both


def wanted(function, *arguments):
    with jax.enable_x64(True), jax.default_device(CPU):
        wide = [each.astype(np.float64) for each in arguments]
        return [np.asarray(each) for each in jax.tree.leaves(function(*wide))]


@pytest.mark.parametrize("dtype", [np.dtype(np.float32), BF16])
@pytest.mark.parametrize("made", [gradient, with_value])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_values(name, made, dtype):
    function = made(FUNCTIONS[name])
    most = 100 if name == "another curve" else np.inf  # whose cubes end as infinities
    g, x = G.astype(dtype), np.clip(X, -most, most).astype(dtype)
    compiled = model.compile(function, g, x)
    assert not compiled.routines
    results = compiled.run(g, x, timed=False).results
    for got, want in zip(jax.tree.leaves(results), wanted(function, g, x), strict=True):
        scale = np.maximum(1, np.abs(want))
        error = np.abs(np.asarray(got, np.float64) - want) / scale
        assert error.max() < (2e-5 if dtype == np.float32 else 6e-2)


@pytest.mark.parametrize("machine", ["trn1", "trn2", "trn3"])
@pytest.mark.parametrize("name", ["gelu", "gelu by tanh"])
def test_every_machine_has_it(name, machine):
    function = gradient(FUNCTIONS[name])
    got = model.compile(function, G, X, machine=machine).run(G, X, timed=False).results
    [want] = wanted(function, G, X)
    assert np.abs(np.asarray(jax.tree.leaves(got)[0]) - want).max() < 2e-5


@pytest.mark.parametrize(("name", "most"), [("gelu", 2.2), ("gelu by tanh", 3)])
def test_it_takes_about_as_long_as_its_bytes(name, most):
    """Of 1024 x 4096 in float32: `most` times what its transfers take at least."""
    shape = jax.ShapeDtypeStruct((1024, 4096), np.float32)
    [report] = model.compile(gradient(FUNCTIONS[name]), shape, shape).time().reports
    assert 1 / report["speed_of_light"]["share"] < most


@pytest.mark.parametrize("dtype", [np.dtype(np.float32), BF16])
def test_text_has_erfc_as_one_operation_and_artifacts_spell_it_out(dtype):
    g, x = G.astype(dtype), X.astype(dtype)
    text = jax.jit(with_value(gelu)).lower(g, x).as_text()
    assert "chlo.erfc" in text
    read = _core.compile_model(graph.read(text.encode()), _core.load_machine("trn3"))
    spelled = model.compile(with_value(gelu), g, x)
    assert not read.routines
    assert read.instructions == spelled.instructions
    assert "chlo" not in read.lowered_module.text()
