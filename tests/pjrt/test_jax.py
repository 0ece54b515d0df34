"""Do JAX programs run on the platform `neuron` as they are, with the CPU's results?"""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest
from jax import lax
from trainyard import precision

A = np.linspace(-2, 2, 24, dtype=np.float32).reshape(4, 6)
B = np.linspace(3, -1, 24, dtype=np.float32).reshape(6, 4)
COUNTS = np.arange(12, dtype=np.int32).reshape(3, 4)


def scan(x):
    return lax.scan(lambda carry, row: (carry + row, carry * row), jnp.zeros(x.shape[1]), x)


def newton(x):
    return lax.while_loop(
        lambda state: jnp.abs(state[0] ** 2 - x) > 1e-4,
        lambda state: ((state[0] + x / state[0]) / 2, state[1] + 1),
        (x, 0),
    )


def branches(x):
    return lax.cond(x.sum() > 0, jnp.sin, jnp.cos, x), lax.switch(2, [jnp.sin, jnp.cos, jnp.exp], x)


def loss(weights, x):
    hidden = jnp.tanh(x @ weights["first"])
    return jnp.mean((hidden @ weights["second"] - 1.0) ** 2)


def convolution(x):
    image = x.reshape(1, 4, 6, 1)
    kernel = jnp.ones((3, 3, 1, 2)) / 9
    return lax.conv_general_dilated(
        image, kernel, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")
    )


def attention(x):
    scores = jax.nn.softmax(x @ x.T / np.sqrt(x.shape[1]), axis=-1)
    return jax.nn.gelu(scores @ x)


PROGRAMS = {
    "matmul": (lambda a, b: a @ b, A, B),
    "broadcast": (lambda a: a + jnp.arange(6.0) * a.mean(axis=0), A),
    "reductions": (lambda a: (a.sum(0), a.max(), a.argmin(1), jnp.sort(a, axis=1)), A),
    "integers": (lambda c: (c // 3, c % 3, c << 2, c.sum(), jnp.cumsum(c, 1)), COUNTS),
    "index": (lambda a: (a[1:3, ::2], a[np.array([2, 0])], a.at[1, 2].add(5.0)), A),
    "scan": (scan, A),
    "while": (newton, np.float32(7)),
    "branches": (branches, A),
    "vmap": (jax.vmap(lambda row: jnp.outer(row, row).trace()), A),
    "gradient": (
        jax.value_and_grad(loss),
        {"first": B, "second": np.ones((4, 2), np.float32)},
        A,
    ),
    "hessian": (jax.hessian(lambda v: jnp.sum(jnp.sin(v) * v[::-1])), A[0]),
    "convolution": (convolution, A),
    "attention": (attention, A),
    # Whole numbers: XLA's CPU keeps more bits between operations than bfloat16 has.
    "bfloat16": (lambda c: (c.astype(jnp.bfloat16) * 3).astype(jnp.float32), COUNTS),
    "einsum": (lambda a, b: jnp.einsum("ij,jk,il->kl", a, b, a), A, B),
    "booleans": (lambda a: (a > 0, jnp.where(a > 0, a, -a), jnp.any(a > 1)), A),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_gives_the_results_of_the_cpu(neuron, name):
    function, *arguments = PROGRAMS[name]
    with jax.default_device(neuron):
        result = jax.jit(function)(*arguments)
    assert all(leaf.devices() == {neuron} for leaf in jax.tree.leaves(result))
    with jax.default_device(jax.devices("cpu")[0]):
        expected = jax.jit(function)(*arguments)
    jax.tree.map(partial(np.testing.assert_allclose, rtol=2e-5, atol=2e-6), result, expected)


@pytest.mark.parametrize(
    "draw",
    [
        lambda key: jax.random.bits(key, (100,)),
        lambda key: jax.random.randint(key, (50,), 0, 1000),
        lambda key: jax.random.permutation(key, 20),
        lambda key: jax.random.uniform(key, (100,)),
    ],
)
def test_threefry_gives_the_bits_of_the_cpu(neuron, draw):
    drawn = []
    for device in (neuron, jax.devices("cpu")[0]):
        with jax.default_device(device):
            drawn.append(np.asarray(draw(jax.random.key(7))))
    np.testing.assert_array_equal(drawn[0].view(np.uint32), drawn[1].view(np.uint32))


def test_operations_run_one_by_one(on_neuron):
    x = jnp.ones(3) + 1
    assert x.devices() == {on_neuron}
    assert x.tolist() == [2, 2, 2]


@pytest.mark.parametrize(
    "dtype",
    ["bool", "int4", "uint4", "int8", "uint8", "int16", "uint16", "int32", "uint32", "float16",
     "bfloat16", "float32", "complex64", "float8_e4m3fn", "float8_e5m2", "float8_e4m3",
     "float8_e3m4", "float8_e8m0fnu", "float4_e2m1fn"],
)  # fmt: skip
def test_arrays_of_every_type_go_there_and_back(on_neuron, dtype):
    given = np.arange(12).reshape(3, 4).astype(jnp.dtype(dtype))
    returned = jax.device_put(given.T, on_neuron)
    assert returned.dtype == given.dtype
    np.testing.assert_array_equal(np.asarray(returned).astype(complex), given.T.astype(complex))


def test_a_matrix_without_a_cholesky_factor_gives_nan(on_neuron):
    singular = np.ones((2, 2), np.float32)
    factors = np.asarray(jnp.linalg.cholesky(np.stack([singular, np.eye(2, dtype=np.float32)])))
    assert np.isnan(factors[0][np.tril_indices(2)]).all()
    np.testing.assert_array_equal(factors[1], np.eye(2))


def test_a_donated_argument_is_gone(on_neuron):
    x = jax.device_put(A, on_neuron)
    y = jax.jit(lambda x: x * 2, donate_argnums=0)(x)
    assert x.is_deleted()
    np.testing.assert_array_equal(y, A * 2)
    with pytest.raises((RuntimeError, ValueError), match="deleted"):
        np.asarray(x)


@pytest.mark.parametrize("mode", ["reference", "machine"])
def test_a_result_has_memory_of_its_own(on_neuron, mode):
    x = jnp.arange(3.0)
    y, z = jax.jit(lambda x: (x, x), compiler_options={"mode": mode})(x)
    assert len({each.unsafe_buffer_pointer() for each in (x, y, z)}) == 3
    x.delete()
    np.testing.assert_array_equal(y, z)


def test_memory_is_counted(on_neuron):
    before = on_neuron.memory_stats()["bytes_in_use"]
    x = jax.device_put(np.zeros(1 << 20, np.uint8), on_neuron)
    stats = on_neuron.memory_stats()
    assert stats["bytes_in_use"] - before == 1 << 20
    assert stats["bytes_limit"] == (144 << 30) // 4
    del x
    assert on_neuron.memory_stats()["bytes_in_use"] == before


def test_what_does_not_fit_is_said_with_its_size(on_neuron):
    with pytest.raises(
        jax.errors.JaxRuntimeError, match=r"RESOURCE_EXHAUSTED.*bytes are asked for"
    ):
        jax.jit(lambda: jnp.zeros((1 << 18, 1 << 18)))().block_until_ready()


def test_training_with_optax(on_neuron):
    rng = np.random.default_rng(0)
    inputs = rng.normal(size=(32, 6)).astype(np.float32)
    optimizer = optax.adam(0.05)
    weights = {"first": jnp.asarray(B), "second": jnp.ones((4, 2))}
    state = optimizer.init(weights)

    @jax.jit
    def step(weights, state):
        value, gradient = jax.value_and_grad(loss)(weights, inputs)
        updates, state = optimizer.update(gradient, state)
        return optax.apply_updates(weights, updates), state, value

    values = []
    for _ in range(20):
        weights, state, value = step(weights, state)
        values.append(float(value))
    assert values[-1] < values[0] / 2


def test_a_compiled_program_tells_about_itself(on_neuron):
    compiled = jax.jit(lambda a, b: a @ b).lower(A, B).compile()
    assert "stablehlo" in jax.jit(lambda a, b: a @ b).lower(A, B).as_text()
    memory = compiled.memory_analysis()
    assert memory.argument_size_in_bytes == A.nbytes + B.nbytes
    assert memory.output_size_in_bytes == 64
    assert compiled.cost_analysis()["bytes accessed"] == A.nbytes + B.nbytes + 64


def on_machine(function):
    return jax.jit(function, compiler_options={"mode": "machine"})


@pytest.mark.parametrize("name", ["matmul", "reductions", "attention"])
def test_the_machine_gives_the_results_of_the_cpu(on_neuron, name):
    function, *arguments = PROGRAMS[name]
    result = on_machine(function)(*arguments)
    with jax.default_device(jax.devices("cpu")[0]):
        expected = jax.jit(function)(*arguments)
    jax.tree.map(partial(np.testing.assert_allclose, rtol=1e-3, atol=1e-4), result, expected)


def test_the_machine_says_what_a_run_costs(on_neuron):
    small = on_machine(lambda a, b: a @ b).lower(A, B).compile().cost_analysis()
    wide = np.ones((512, 512), np.float32)
    large = on_machine(lambda a, b: a @ b).lower(wide, wide).compile().cost_analysis()
    for key in ("cycles", "seconds", "joules", "dollars"):
        assert 0 < small[key] < large[key], key
    assert small["seconds"] * 2.4e9 == pytest.approx(small["cycles"])  # the clock of trn3's PEs
    reference = jax.jit(lambda a, b: a @ b).lower(A, B).compile().cost_analysis()
    assert reference == small  # compiled for the machine when asked


def test_an_unknown_compiler_option_is_refused_by_name(on_neuron):
    with pytest.raises(jax.errors.JaxRuntimeError, match="No such compile option: 'fast'"):
        jax.jit(jnp.sin, compiler_options={"fast": True})(A)


def test_an_array_on_two_of_four_devices(neuron):
    mesh = jax.sharding.Mesh(np.array(jax.devices("neuron")[:2]), ("x",))
    sharding = jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec("x"))
    x = jax.device_put(A, sharding)
    assert len(x.addressable_shards) == 2
    y = jax.jit(lambda x: x + 1)(x)
    assert y.sharding == sharding
    np.testing.assert_array_equal(y, A + 1)


@pytest.mark.parametrize("mode", ["reference", "machine"])
def test_a_function_chooses_what_is_cast(on_neuron, mode):
    options = {"mode": mode, "auto_cast": "matmult", "auto_cast_type": "bf16"}
    result = jax.jit(jnp.matmul, compiler_options=options)(A / 3, B)
    rounded = [np.asarray(each.astype(jnp.bfloat16), np.float32) for each in (A / 3, B)]
    np.testing.assert_allclose(result, rounded[0] @ rounded[1], rtol=1e-6, atol=1e-6)


def in_bfloat16(x):
    return np.asarray(jnp.asarray(x).astype(jnp.bfloat16), np.float32)


@pytest.mark.parametrize("mode", ["reference", "machine"])
def test_formats_of_classes_come_from_options_annotations_and_algorithms(on_neuron, mode, capfd):
    def annotated(x, w):
        with precision.using(weights="bf16"):
            return x @ w

    def by_algorithm(x, w):
        return jax.lax.dot(x, w, precision="BF16_BF16_F32")

    x, w = A / 3, B / 7
    only_weights = np.asarray(x) @ in_bfloat16(w)
    options = {"mode": mode, "precision": "weights=bf16,gradients=bf16"}
    result = jax.jit(jnp.matmul, compiler_options=options)(x, w)
    np.testing.assert_allclose(result, only_weights, rtol=1e-6, atol=1e-6)
    assert "the class gradients, so gradients=bf16 has no effect" in capfd.readouterr().err
    result = jax.jit(annotated, compiler_options={"mode": mode})(x, w)
    np.testing.assert_allclose(result, only_weights, rtol=1e-6, atol=1e-6)
    result = jax.jit(by_algorithm, compiler_options={"mode": mode})(x, w)
    np.testing.assert_allclose(result, in_bfloat16(x) @ in_bfloat16(w), rtol=1e-6, atol=1e-6)
    in_tf32 = jax.jit(
        lambda x, w: jax.lax.dot(x, w, precision="TF32_TF32_F32"), compiler_options={"mode": mode}
    )(x, w)
    assert 1e-6 < np.abs(in_tf32 - np.asarray(x) @ np.asarray(w)).max() < 1e-2


@pytest.mark.parametrize("mode", ["reference", "machine"])
def test_momentum_that_is_donated_stays_what_memory_holds(on_neuron, mode, capfd):
    def step(w, momentum, x):
        gradient = jax.grad(lambda w: jnp.tanh(x @ w).sum())(w)
        momentum = 0.9 * momentum + gradient
        return w - 0.1 * momentum, momentum

    options = {"mode": mode, "precision": "optimizer_state=bf16"}
    jitted = jax.jit(step, donate_argnums=(0, 1), compiler_options=options)
    w, momentum = B / 7, jnp.zeros_like(B)
    wanted = B / 7, jnp.zeros_like(B)
    for _ in range(3):
        w, momentum = jitted(w, momentum, A / 3)
        gradient = jax.grad(lambda w: jnp.tanh(A / 3 @ w).sum())(wanted[0])
        now = in_bfloat16(0.9 * wanted[1] + gradient)
        wanted = wanted[0] - 0.1 * now, now
        np.testing.assert_array_equal(momentum, in_bfloat16(momentum))
        np.testing.assert_allclose(momentum, now, rtol=0.02, atol=1e-4)
        np.testing.assert_allclose(w, wanted[0], rtol=0.02, atol=1e-3)
    assert "no effect" not in capfd.readouterr().err
    jax.jit(jnp.sin, compiler_options=options)(A)
    assert "no argument is updated with a gradient" in capfd.readouterr().err


def test_a_wrong_cast_is_refused_with_the_right_ones(on_neuron):
    with pytest.raises(jax.errors.JaxRuntimeError, match=r"none\|matmult\|all"):
        jax.jit(jnp.sin, compiler_options={"auto_cast": "matmul"})(A)


def test_options_of_xla_for_other_platforms_have_no_effect(on_neuron):
    options = {"xla_embed_ir_in_executable": True, "xla_gpu_enable_latency_hiding_scheduler": True}
    np.testing.assert_allclose(jax.jit(lambda x: x + 1, compiler_options=options)(A), A + 1)
    with pytest.raises(jax.errors.JaxRuntimeError, match="is not a valid bool value"):
        jax.jit(jnp.sin, compiler_options={"xla_embed_ir_in_executable": "perhaps"})(A)


def test_tokens_go_in_and_come_out(on_neuron):
    """JAX passes no elements of a predicate for a token."""
    token = jax.jit(jax.lax.create_token)(1.0)
    result, after = jax.jit(lambda x, token: (x + 1, jax.lax.after_all(token)))(1.0, token)
    assert result == 2
    assert type(after) is type(token)
    with pytest.raises(jax.errors.JaxRuntimeError, match="token-shape buffer"):
        str(token._buf)
