"""Programs divided between the two cores of a logical core: the bits of one core, in less time."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
import trainyard
from trainyard import _core, model

jax = pytest.importorskip("jax")
jnp = jax.numpy
RANDOM = np.random.default_rng(3)
BF16 = ml_dtypes.bfloat16


def normal(*shape, dtype=np.float32):
    return RANDOM.normal(size=shape).astype(dtype)


def both_of(function, *arguments):
    return [model.compile(function, *arguments, cores=cores) for cores in (1, 2)]


def by_operations(function, *arguments):
    """Each operation divided, also where each core could have half of the batch."""
    exported = jax.export.export(jax.jit(function), platforms=["cpu"])(*arguments)
    module = _core.graph_read(exported.mlir_module_serialized)
    choice = "each operation between both cores", "program"
    number = _core.compiler_variations().index(choice)
    return _core.compile_model(module, _core.load_machine("trn3"), cores=2, variation=number)


def programs(compiled):
    """Of all cores."""
    return len(compiled._core.programs)


def perceptron(x, w, b, u):
    """Products that read what both cores wrote, with a bias, an activation and a residual."""
    return x + jax.nn.gelu(x @ w + b) @ u


def norm_between(x, w, u):
    y = x @ w
    y = y * jax.lax.rsqrt((y**2).mean(-1, keepdims=True) + 1e-6)
    return (y @ u).sum(0), y


def kept_on_chip(x, w):
    """An operand that core 0 keeps on chip, and a value that is read before and after."""
    y = jnp.tanh(x)
    return (y @ w) * 2 + y[:, :1], y


def turned(x, w):
    return (x.T @ w).T


def elementwise(x, y):
    return jnp.tanh(x) * y + x


def rows_between_products(x, w):
    y = jax.nn.softmax(x @ w)
    return jax.nn.gelu(y @ w) - y


LARGE = 1100, 1000

PROGRAMS = {
    "elements": (elementwise, normal(*LARGE), normal(*LARGE)),
    "elements with a row for all": (elementwise, normal(*LARGE), normal(1000)),
    "elements in no order": (elementwise, normal(7, 401, 401), normal(401, 1)),
    "rows": (jax.nn.softmax, normal(*LARGE)),
    "rows between products": (rows_between_products, normal(1200, 1000), normal(1000, 1000)),
    "a product's rows": (jnp.matmul, normal(512, 256), normal(256, 256)),
    "a product's columns": (jnp.matmul, normal(96, 256, dtype=BF16), normal(256, 1536, dtype=BF16)),
    "few rows": (jnp.matmul, normal(8, 512, dtype=BF16), normal(512, 8192, dtype=BF16)),
    "one row": (jnp.matmul, normal(1, 4096, dtype=BF16), normal(4096, 5000, dtype=BF16)),
    "odd sizes": (jnp.matmul, normal(333, 301), normal(301, 517)),
    "a deep sum": (jnp.matmul, normal(400, 8500), normal(8500, 700)),
    "a deep sum of turned operands": (turned, normal(8500, 200), normal(8500, 300)),
    "batches": (jnp.matmul, normal(3, 200, 300), normal(3, 300, 400)),
    "an epilogue": (perceptron, normal(256, 384), normal(384, 512), normal(512), normal(512, 384)),
    "a norm between": (norm_between, normal(300, 256), normal(256, 640), normal(640, 320)),
    "an operand on chip": (kept_on_chip, normal(384, 256), normal(256, 512)),
    "turned operands": (turned, normal(384, 256), normal(384, 512)),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_two_cores_give_the_bits_of_one(name):
    function, *arguments = PROGRAMS[name]
    one = model.compile(function, *arguments)
    two = by_operations(function, *arguments)
    assert len(two.programs) > programs(one), "nothing was divided"
    inputs = [one._input(k, value) for k, value in enumerate(arguments)]
    run = two.run(inputs, values=True, checks=True)
    outputs = run.take_outputs()
    for got, wanted in zip(outputs, jax.tree.leaves(one(*arguments)), strict=True):
        np.testing.assert_array_equal(
            np.frombuffer(got, wanted.dtype).reshape(wanted.shape), wanted
        )


@pytest.mark.parametrize("name", PROGRAMS)
def test_two_cores_as_they_are_fastest_compute_the_same(name):
    """Each with half of the batch, too, where sums over it are added up once more."""
    function, *arguments = PROGRAMS[name]
    one, two = both_of(function, *arguments)
    assert programs(two) > programs(one), "nothing was divided"
    found = jax.tree.leaves(two.run(*arguments, checks=True).results)
    for got, wanted in zip(found, jax.tree.leaves(one(*arguments)), strict=True):
        atol = 0 if wanted.dtype == BF16 else 1e-6 * np.abs(wanted).max()
        np.testing.assert_allclose(got, wanted, rtol=0, atol=atol)


def gated(x, scale, gate, up, down):
    """An MLP of a transformer: weights may be loaded while the cores wait for each other."""
    y = x * jax.lax.rsqrt((x**2).mean(-1, keepdims=True) + 1e-6) * scale
    return x + (jax.nn.silu(y @ gate) * (y @ up)) @ down


def gated_arguments(tokens, hidden, inner, make):
    shapes = (tokens, hidden), (hidden,), (hidden, inner), (hidden, inner), (inner, hidden)
    return [make(shape) for shape in shapes]


def test_cores_that_meet_are_reordered_without_races():
    arguments = gated_arguments(256, 512, 1024, lambda shape: normal(*shape, dtype=BF16))
    one, two = both_of(gated, *arguments)
    inputs = [two._input(k, value) for k, value in enumerate(arguments)]
    run = two._core.run(inputs, timed=True, values=True, checks=True)
    [program] = run.programs
    assert [each for each in program.run.findings if each["severity"] != "note"] == []
    wanted = one(*arguments)
    np.testing.assert_array_equal(
        np.frombuffer(run.take_outputs()[0], BF16).reshape(wanted.shape), wanted
    )


def test_reordering_cores_that_meet_pays():
    arguments = gated_arguments(2048, 2048, 4096, lambda shape: np.zeros(shape, BF16))
    one, two = (
        each.run(*arguments, timed=True, values=False) for each in both_of(gated, *arguments)
    )
    assert two.seconds < 0.56 * one.seconds
    [report] = two.reports
    assert report["run"]["more"]["order"].startswith("list")
    assert report["duration_ns"] < 0.98 * report["as_written_ns"]


def test_deep_sums_are_those_of_numpy():
    x, w = normal(200, 8500), normal(8500, 300)
    got = model.compile(lambda x, w: x @ w.T, x, w.T)(x, w.T)
    np.testing.assert_allclose(got, x.astype(np.float64) @ w, rtol=1e-4, atol=2e-3)


def test_a_small_program_stays_on_one_core():
    x = normal(32, 32)
    one, two = both_of(jnp.matmul, x, x)
    assert programs(two) == programs(one) == 1


def test_another_run_has_other_inputs():
    _, two = both_of(jnp.matmul, normal(512, 256), normal(256, 256))
    for _ in range(2):
        x, w = normal(512, 256), normal(256, 256)
        np.testing.assert_allclose(two(x, w), x @ w, rtol=1e-4, atol=1e-3)


def test_a_large_product_takes_about_half_the_time():
    x = np.zeros((4096, 4096), BF16)
    one, two = (each.run(x, x, timed=True, values=False) for each in both_of(jnp.matmul, x, x))
    assert two.seconds < 0.53 * one.seconds
    assert two.joules[1] > 0.9 * one.joules[1]


def test_a_large_softmax_takes_about_half_the_time():
    x = np.zeros((8192, 4096), np.float32)
    one, two = (each.run(x, timed=True, values=False) for each in both_of(jax.nn.softmax, x))
    assert two.seconds < 0.56 * one.seconds


def test_chains_of_products_gain_too():
    x, w = np.zeros((1024, 2048), BF16), np.zeros((2048, 2048), BF16)

    def chain(x, w):
        return jax.nn.relu(jax.nn.relu(x @ w) @ w) @ w

    one, two = (each.run(x, w, timed=True, values=False) for each in both_of(chain, x, w))
    assert two.seconds < 0.65 * one.seconds


def test_a_machine_without_pairs_is_refused():
    x = normal(8, 8)
    for machine, cores in (("trn1", 2), ("trn3", 3)):
        with pytest.raises(trainyard.InputError, match=r"model\.cores"):
            model.compile(jnp.matmul, x, x, machine=machine, cores=cores)


def test_sums_down_columns_are_divided_and_added():
    """The gradients of a norm: each core sums the columns of its rows."""

    def norm(x, w):
        return x * jax.lax.rsqrt((x**2).mean(-1, keepdims=True) + 1e-6) * w

    def gradients(x, w, given):
        return jax.vjp(norm, x, w)[1](given)

    arguments = normal(1100, 1000), normal(1000), normal(1100, 1000)
    one, two = both_of(gradients, *arguments)
    assert programs(two) == 2
    assert two.time().seconds < one.time().seconds * 0.85
    wanted = jax.jit(gradients)(*arguments)
    for found, want in zip(two(*arguments), wanted, strict=True):
        np.testing.assert_allclose(found, want, rtol=2e-4, atol=2e-4)
