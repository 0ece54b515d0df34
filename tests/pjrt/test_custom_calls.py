"""Do custom calls of AWS's compiler mean what its frameworks use them for, in both modes?"""

import json
from functools import partial

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest

A = np.linspace(-3, 3, 128 * 64, dtype=np.float32).reshape(128, 64)
CPU = jax.devices("cpu")[0]


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
        ("mhlo.copy", lambda x: x),
        ("mhlo.erf", jax.lax.erf),
        ("mhlo.asinh", jnp.arcsinh),
        ("mhlo.cosh", jnp.cosh),
        ("mhlo.sinh", jnp.sinh),
        ("mhlo.tan", jnp.tan),
    ],
)
def test_custom_calls_of_aws_and_xla_mean_what_they_are_called(on_neuron, target, meaning):
    check(target, meaning, A)


@pytest.mark.parametrize(
    ("target", "meaning", "low"),
    [
        ("mhlo.acos", jnp.arccos, -1),
        ("mhlo.asin", jnp.arcsin, -1),
        ("mhlo.atanh", jnp.arctanh, -0.99),
        ("mhlo.acosh", jnp.arccosh, 1.01),
    ],
)
def test_operations_of_xla_that_are_defined_on_a_part(on_neuron, target, meaning, low):
    x = np.linspace(low, max(0.99, 3 * low), 256, dtype=np.float32)
    check(target, meaning, x, rtol=1e-5)


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


def in_blocks(x, axis, dtype, largest_exponent):
    """OCP Microscaling Formats 1.0, 6.3: elements [.., d / 32, 32, ..] and exponents of scales."""
    blocks = np.stack(np.split(x.astype(np.float32), x.shape[axis] // 32, axis), axis)
    exponents = np.floor(np.log2(np.abs(blocks).max(axis + 1))) - largest_exponent
    limit = float(ml_dtypes.finfo(dtype).max)
    scaled = blocks / np.exp2(np.expand_dims(exponents, axis + 1))
    return np.clip(scaled, -limit, limit).astype(dtype), exponents


@pytest.mark.parametrize("mode", ["reference", "machine"])
@pytest.mark.parametrize("name", ["float8_e4m3fn", "float8_e5m2"])
def test_quantised_operands_and_their_product(on_neuron, mode, name):
    dtype = getattr(ml_dtypes, name)
    random = np.random.default_rng(0)
    left = random.normal(size=(64, 256)).astype(ml_dtypes.bfloat16)
    right = random.normal(size=(256, 96)).astype(ml_dtypes.bfloat16)
    sides, wide = [], []
    for x, axis in ((left, 1), (right, 0)):
        elements, exponents = in_blocks(x, axis, dtype, 8 if name == "float8_e4m3fn" else 15)
        shape = tuple(size // 4 if i == axis else size for i, size in enumerate(x.shape))
        packed, scale = named(
            "QuantizeMX",
            jnp.asarray(x),
            config=json.dumps({"dtype": name, "dim": axis - 2}),
            results=[
                jax.ShapeDtypeStruct(shape, np.uint32),
                jax.ShapeDtypeStruct(exponents.shape, np.uint8),
            ],
            mode=mode,
        )
        np.testing.assert_array_equal(scale, exponents + 127)
        words = np.moveaxis(elements.reshape(x.shape), axis, -1).copy().view(np.uint32)
        np.testing.assert_array_equal(packed, np.moveaxis(words, -1, axis))
        sides.append((packed, scale))
        factors = np.exp2(np.expand_dims(exponents, axis + 1))
        wide.append((elements.astype(np.float32) * factors).reshape(x.shape))
    (a, a_scale), (b, b_scale) = sides
    config = {
        "lhs_contracting_dimensions": [1],
        "rhs_contracting_dimensions": [0],
        "element_dtype": name,
    }
    product = named(
        "__op$block_scaled_dot",
        *(a, b, a_scale, b_scale),
        config=json.dumps({"scaled_dot_backend_config": config}),
        results=jax.ShapeDtypeStruct((64, 96), np.float32),
        mode=mode,
    )
    np.testing.assert_allclose(product, wide[0] @ wide[1], rtol=1e-5, atol=2e-5)


@pytest.mark.parametrize("batches", [1, 2])
def test_scaled_matmul_of_jax(on_neuron, batches):
    random = np.random.default_rng(0)

    def operand(rows):
        elements = random.normal(size=(batches, rows, 128)).astype(ml_dtypes.float8_e4m3fn)
        scales = np.exp2(random.integers(-4, 5, (batches, rows, 4)))
        wide = elements.astype(np.float32) * np.repeat(scales, 32, 2)
        return elements, scales.astype(ml_dtypes.float8_e8m0fnu), wide

    (a, a_scale, left), (b, b_scale, right) = operand(64), operand(96)
    expected = left @ right.swapaxes(1, 2)
    for mode in ("reference", "machine"):
        product = jax.jit(
            partial(jax.nn.scaled_matmul, preferred_element_type=np.float32),
            compiler_options={"mode": mode},
        )(a, b, a_scale, b_scale)
        np.testing.assert_allclose(product, expected, rtol=1e-2, atol=1e-2 * expected.max())


@pytest.mark.parametrize(
    ("config", "found"),
    [
        ("{", "not a JSON object"),
        ('{"dtype": "float8_e4m3fn", "dim": "x"}', "a dim that is neither the last"),
        ('{"dtype": "float8_e4m3fn"}', "a dim that is neither the last"),
        ('{"dtype": "float8_e4m3fn", "dim": -1, "block_size": 16}', "block_size other than 32"),
        ('{"dim": -1}', "a dtype that is neither"),
        ('{"dtype": "float8_e4m3fn", "dim": -1}', "an input that is neither"),
    ],
)
def test_quantize_mx_names_what_is_wrong(on_neuron, config, found):
    x = jnp.zeros((2, 3, 64), np.float32)
    results = [
        jax.ShapeDtypeStruct((2, 3, 16), np.uint32),
        jax.ShapeDtypeStruct((2, 3, 2), np.uint8),
    ]
    with pytest.raises(jax.errors.JaxRuntimeError, match=f"QuantizeMX: .*{found}"):
        named("QuantizeMX", x, config=config, results=results)


@pytest.mark.parametrize("mode", ["reference", "machine"])
@pytest.mark.parametrize("dtype", [np.float32, ml_dtypes.bfloat16])
@pytest.mark.parametrize(
    "function",
    [
        lambda x: jax.lax.approx_max_k(x, 5),
        lambda x: jax.lax.approx_min_k(x, 3, reduction_dimension=0, recall_target=0.5),
        lambda x: jax.lax.approx_max_k(x, 4, aggregate_to_topk=False),
        jax.vmap(lambda x: jax.lax.approx_min_k(x, 2)),
        jax.grad(lambda x: (jax.lax.approx_max_k(x, 5)[0] * jnp.arange(5)).sum().astype(x.dtype)),
    ],
    ids=["max", "min along another dimension", "all", "vmap", "gradient"],
)
def test_approximate_selections_are_exact(on_neuron, function, dtype, mode):
    x = np.random.default_rng(0).permuted(np.tile(np.arange(-100, 100), (9, 1)), axis=1)
    x = x.astype(dtype)
    with jax.default_device(CPU):
        wanted = jax.tree.leaves(jax.jit(function)(x))
    found = jax.tree.leaves(jax.jit(function, compiler_options={"mode": mode})(x))
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(np.asarray(one, np.float32), np.asarray(other, np.float32))
