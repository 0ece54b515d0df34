"""Are values right when programs write their results over arrays that they are given?"""

import threading

import jax
import jax.numpy as jnp
import numpy as np
import pytest

RANDOM = np.random.default_rng(11)


def loss(parameters, x, y):
    hidden = jnp.tanh(x @ parameters["w1"] + parameters["b1"])
    return jnp.mean((hidden @ parameters["w2"] - y) ** 2)


def train(put):
    """Five steps, each of which may take the memory of the parameters before it."""

    def step(parameters, x, y):
        gradients = jax.grad(loss)(parameters, x, y)
        return jax.tree_util.tree_map(lambda a, b: a - 0.1 * b, parameters, gradients)

    random = np.random.default_rng(2)
    shapes = {"w1": (32, 64), "b1": (64,), "w2": (64, 8)}
    parameters = {
        name: put(random.standard_normal(shape).astype(np.float32))
        for name, shape in shapes.items()
    }
    x, y = (put(random.standard_normal((16, n)).astype(np.float32)) for n in (32, 8))
    jitted = jax.jit(step, donate_argnums=0)
    for _ in range(5):
        parameters = jitted(parameters, x, y)
    return parameters


def grow(put):
    """A cache that turns of a loop fill."""

    def fill(cache, rows):
        def body(held, turn):
            i, row = turn
            held = jax.lax.dynamic_update_slice(held, row[None], (i, 0))
            return held, held.sum(0)

        return jax.lax.scan(body, cache, (jnp.arange(rows.shape[0]), rows))

    jitted = jax.jit(fill, donate_argnums=0)
    cache, first = jitted(put(np.zeros((16, 8), np.float32)), put(np.eye(16, 8, dtype=np.float32)))
    cache, second = jitted(cache, put(np.full((16, 8), 3, np.float32)))
    return cache, first, second


def swap(put):
    """Each result may take the memory of either argument."""
    jitted = jax.jit(lambda a, b: (b, a + 1), donate_argnums=(0, 1))
    a, b = put(np.arange(8, dtype=np.float32)), put(np.full(8, 9, np.float32))
    for _ in range(3):
        a, b = jitted(a, b)
    return a, b


def pass_on(put):
    """One argument comes back as it is, beside one that is overwritten."""
    jitted = jax.jit(lambda a, b: (a, b.at[0].set(9.0)), donate_argnums=(0, 1))
    return jitted(put(np.arange(8, dtype=np.float32)), put(np.ones(8, np.float32)))


def turn(put):
    jitted = jax.jit(
        lambda a: jax.lax.while_loop(lambda s: s.sum() < 1e3, lambda s: s * 1.5 + 1, a),
        donate_argnums=0,
    )
    return jitted(put(np.arange(8, dtype=np.float32)))


@pytest.mark.parametrize("program", [train, grow, swap, pass_on, turn])
@pytest.mark.parametrize("mode", ["machine", "reference"])
def test_values_are_those_of_the_cpu(program, mode, monkeypatch):
    usual = jax.jit
    neuron, cpu = jax.devices("neuron")[0], jax.devices("cpu")[0]
    wanted = program(lambda value: jax.device_put(value, cpu))
    monkeypatch.setattr(
        jax, "jit", lambda f, **named: usual(f, compiler_options={"mode": mode}, **named)
    )
    found = program(lambda value: jax.device_put(value, neuron))
    for a, b in zip(
        jax.tree_util.tree_leaves(found), jax.tree_util.tree_leaves(wanted), strict=True
    ):
        np.testing.assert_allclose(np.asarray(a), np.asarray(b), rtol=1e-5, atol=1e-5)


def on_machine(function, **named):
    return jax.jit(function, compiler_options={"mode": "machine"}, **named)


def test_what_the_host_has_read_stays():
    neuron = jax.devices("neuron")[0]
    write = on_machine(lambda a: a.at[0].set(100.0), donate_argnums=0)
    array = jax.device_put(np.arange(8, dtype=np.float32), neuron)
    read, other = np.asarray(array), on_machine(lambda a: a + 0)(array)
    assert float(write(array)[0]) == 100
    assert read[0] == 0 and float(other[0]) == 0
    with pytest.raises(RuntimeError, match="deleted"):
        np.asarray(array)


@pytest.mark.parametrize("dtype", [jnp.bfloat16, jnp.float16, jnp.int8, jnp.bool_, jnp.int32])
def test_any_type_is_written_in_place(dtype):
    neuron = jax.devices("neuron")[0]
    values = np.asarray(RANDOM.integers(0, 2, (5, 7))).astype(dtype)
    wanted = values.copy()
    wanted[1] = wanted[0]
    copy_row = on_machine(lambda a: a.at[1].set(a[0]), donate_argnums=0)
    found = copy_row(jax.device_put(values, neuron))
    np.testing.assert_array_equal(np.asarray(found), wanted)


def test_threads_share_a_device():
    neuron = jax.devices("neuron")[0]
    found = {}

    def work(k):
        step = on_machine(lambda c, x: c * 0.5 + (x @ x.T) + k, donate_argnums=0)
        x = jax.device_put(np.ones((64, 32), np.float32), neuron)
        held = jax.device_put(np.full((64, 64), k, np.float32), neuron)
        for _ in range(4):
            held = step(held, x)
        found[k] = float(held[3, 5])

    threads = [threading.Thread(target=work, args=(k,)) for k in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for k, value in found.items():
        wanted = float(k)
        for _ in range(4):
            wanted = wanted * 0.5 + 32 + k
        assert value == pytest.approx(wanted)
    assert len(found) == 5


def test_a_function_of_the_host_may_run_on_the_device_itself():
    neuron = jax.devices("neuron")[0]

    def doubled(x):
        return np.asarray(on_machine(lambda y: y * 2)(jax.device_put(np.asarray(x), neuron)))

    shape = jax.ShapeDtypeStruct((4,), jnp.float32)
    called = on_machine(lambda x: jax.pure_callback(doubled, shape, x) + 1)
    found = called(jax.device_put(np.arange(4, dtype=np.float32), neuron))
    assert list(np.asarray(found)) == [1, 3, 5, 7]


def test_an_array_moves_to_another_device():
    first, second = jax.devices("neuron")[:2]
    add = on_machine(lambda a: a + 1)
    here = add(jax.device_put(np.arange(8, dtype=np.float32), first))
    there = add(jax.device_put(here, second))
    assert float(there[3]) == 5 and float(here[3]) == 4
    assert there.devices() == {second}
