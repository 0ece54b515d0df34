"""Do @nki.jit kernels run inside of jax.jit? Do custom calls mean what AWS calls them?"""

from functools import partial

import jax
import jax.numpy as jnp
import nki
import nki.isa as nisa
import nki.language as nl
import numpy as np
import pytest

A = np.linspace(-3, 3, 128 * 64, dtype=np.float32).reshape(128, 64)
CPU = jax.devices("cpu")[0]


@nki.jit
def scaled(x, factor):
    tile = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.sbuf)
    out = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    nisa.dma_copy(dst=tile, src=x)
    nisa.tensor_scalar(dst=tile, data=tile, op0=nl.multiply, operand0=factor)
    nisa.dma_copy(dst=out, src=tile)
    return out


@nki.jit
def in_place(x):
    tile = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.sbuf)
    nisa.dma_copy(dst=tile, src=x)
    nisa.dma_copy(dst=x, src=tile)
    return x


@pytest.mark.parametrize("mode", ["reference", "machine"])
def test_a_kernel_is_an_operation_among_others(on_neuron, mode):
    @jax.jit
    def layer(x):
        return jnp.tanh(scaled(x + 1, 3.0)).sum(1)

    options = {"mode": mode}
    found = jax.jit(layer, compiler_options=options)(A)
    np.testing.assert_allclose(found, np.tanh((A + 1) * 3).sum(1), rtol=1e-4, atol=1e-4)


def test_the_same_kernel_twice_and_in_a_loop(on_neuron):
    def steps(x):
        return jax.lax.fori_loop(0, 3, lambda i, y: scaled(scaled(y, 2.0), 0.25), x)

    found = jax.jit(steps, compiler_options={"mode": "machine"})(A)
    np.testing.assert_allclose(found, A / 8, rtol=1e-6)


def test_its_time_is_part_of_the_program(on_neuron):
    def cost(function):
        compiled = jax.jit(function, compiler_options={"mode": "machine"}).lower(A).compile()
        return compiled.cost_analysis()["seconds"]

    assert cost(lambda x: scaled(x, 2.0)) > 1e-6
    assert cost(lambda x: scaled(scaled(x, 2.0), 2.0)) > 1.5 * cost(lambda x: scaled(x, 2.0))


def test_what_a_custom_call_cannot_do_is_refused_with_a_reason(on_neuron):
    with pytest.raises(ValueError, match="in_place writes its argument 0"):
        jax.jit(in_place)(A)
    with pytest.raises(ValueError, match="without a grid"):
        jax.jit(lambda x: scaled[2](x, 2.0))(A)


def test_another_platform_does_not_have_it():
    with jax.default_device(CPU), pytest.raises(Exception, match="AwsNeuronCustomNativeKernel"):
        jax.jit(lambda x: scaled(x, 2.0))(A)


def named(target, *operands, config="", results=None, mode="reference"):
    shapes = jax.ShapeDtypeStruct(operands[0].shape, operands[0].dtype)
    call = jax.ffi.ffi_call(
        target, results or shapes, custom_call_api_version=2, legacy_backend_config=config
    )
    return jax.jit(call, compiler_options={"mode": mode})(*operands)


def check(target, meaning, *operands, rtol=2e-6, **options):
    with jax.default_device(CPU):
        wanted = meaning(*operands)
    for mode in ("reference", "machine"):
        found = named(target, *map(jnp.asarray, operands), mode=mode, **options)
        for one, other in zip(*map(jax.tree.leaves, (found, wanted)), strict=True):
            assert one.dtype == other.dtype
            np.testing.assert_allclose(one, other, rtol=rtol, atol=2e-6)


@pytest.mark.parametrize(
    ("target", "meaning"),
    [
        ("AwsNeuronErf", jax.lax.erf),
        ("AwsNeuronGelu", lambda x: jax.nn.gelu(x, approximate=False)),
        ("AwsNeuronGeluApprxTanh", lambda x: jax.nn.gelu(x, approximate=True)),
        ("AwsNeuronGeluBackward", jnp.vectorize(jax.grad(lambda x: jax.nn.gelu(x, False)))),
        ("AwsNeuronSilu", jax.nn.silu),
        ("AwsNeuronSiluBackward", jnp.vectorize(jax.grad(jax.nn.silu))),
        ("NeuronBoundaryMarker-Start", lambda x: x),
    ],
)
def test_custom_calls_of_aws_mean_what_they_are_called(on_neuron, target, meaning):
    check(target, meaning, A)


@pytest.mark.parametrize("axis", [0, 1])
def test_custom_calls_along_a_dimension(on_neuron, axis):
    config = str(axis)
    softmax = jax.nn.softmax(A, axis)
    check("AwsNeuronSoftmax", lambda x: jax.nn.softmax(x, axis), A, config=config)
    check(
        "AwsNeuronSoftmaxBackward",
        lambda gradient, _: jax.vjp(lambda x: jax.nn.softmax(x, axis), A)[1](gradient)[0],
        np.flip(A, 0).copy(),
        np.asarray(softmax),
        config=config,
    )
    weights = np.linspace(0.5, 2, A.shape[axis], dtype=np.float32)

    def rms_norm(x, weights, epsilon):
        mean = jnp.mean(jnp.square(x), axis, keepdims=True)
        return x * jax.lax.rsqrt(mean + epsilon) * jnp.expand_dims(weights, 1 - axis)

    check("AwsNeuronRmsNorm", rms_norm, A, weights, np.float32(1e-5), config=config, rtol=1e-5)


@pytest.mark.parametrize("dtype", [np.uint32, np.int32])
def test_places_of_the_largest_and_smallest(on_neuron, dtype):
    places = jax.ShapeDtypeStruct((A.shape[0],), dtype)
    largest = partial(jax.lax.argmax, axis=1, index_dtype=dtype)
    smallest = partial(jax.lax.argmin, axis=1, index_dtype=dtype)
    check("AwsNeuronArgMax", largest, A, config="1", results=places)
    check("AwsNeuronArgMin", smallest, A, config="1", results=places)

    def top(x):
        values, indices = jax.lax.top_k(x, 3)
        return values, indices.astype(dtype)

    shape = (A.shape[0], 3)
    results = [jax.ShapeDtypeStruct(shape, A.dtype), jax.ShapeDtypeStruct(shape, dtype)]
    check("AwsNeuronTopK", lambda x: list(top(x)), A, config="3", results=results)


def test_pictures_in_another_size(on_neuron):
    picture = np.random.default_rng(1).standard_normal((2, 3, 4, 5), dtype=np.float32)
    large = jax.ShapeDtypeStruct((2, 6, 12, 5), np.float32)

    def nearest(x):
        return jnp.repeat(jnp.repeat(x, 2, 1), 3, 2)

    check("ResizeNearest", nearest, picture, config='"00"', results=large)
    gradient = np.asarray(nearest(picture)) + 1
    check(
        "ResizeNearestGrad",
        lambda g: jax.vjp(nearest, picture)[1](g)[0],
        gradient,
        config='"00"',
        results=jax.ShapeDtypeStruct(picture.shape, np.float32),
    )
    other = jax.ShapeDtypeStruct((2, 7, 9, 5), np.float32)
    check(
        "ResizeBilinear",
        lambda x: jax.image.resize(x, other.shape, "bilinear", antialias=False),
        picture,
        config='"01"',
        results=other,
    )


def test_corners_stay_where_they_are(on_neuron):
    picture = np.arange(12, dtype=np.float32).reshape(1, 3, 4, 1)
    shape = jax.ShapeDtypeStruct((1, 5, 7, 1), np.float32)
    found = named("ResizeBilinear", jnp.asarray(picture), config='"10"', results=shape)
    wanted = 4 * np.linspace(0, 2, 5)[:, None] + np.linspace(0, 3, 7)[None, :]
    np.testing.assert_allclose(np.asarray(found)[0, :, :, 0], wanted, rtol=1e-6)


def test_custom_calls_that_do_not_fit_are_refused(on_neuron):
    x = jnp.asarray(A)
    with pytest.raises(jax.errors.JaxRuntimeError, match="AwsNeuronSoftmax: not one floating"):
        named("AwsNeuronSoftmax", x, config="2")
    with pytest.raises(jax.errors.JaxRuntimeError, match="AwsNeuronRmsNorm: not a floating"):
        named("AwsNeuronRmsNorm", x, config="1")
    with pytest.raises(jax.errors.JaxRuntimeError, match="AwsNeuronTopK: results that are not"):
        shapes = [jax.ShapeDtypeStruct((A.shape[0], 2), dtype) for dtype in (A.dtype, np.uint32)]
        named("AwsNeuronTopK", x, config="3", results=shapes)


def test_the_others_are_refused_by_name(on_neuron):
    with pytest.raises(jax.errors.JaxRuntimeError, match="AwsNeuronIntMatmult: AWS publishes its"):
        named("AwsNeuronIntMatmult", jnp.asarray(A))
    with pytest.raises(jax.errors.JaxRuntimeError, match="of_nobody"):
        named("of_nobody", jnp.asarray(A))
