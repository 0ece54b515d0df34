"""Programs that jax.jit divides between the four devices of a chip, beside the same on one."""

from __future__ import annotations

import os
import subprocess
import sys

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P
from trainyard import precision

RANDOM = np.random.default_rng(5)
X = RANDOM.normal(size=(8, 16)).astype(np.float32)
W = RANDOM.normal(size=(16, 24)).astype(np.float32)
V = RANDOM.normal(size=(24, 16)).astype(np.float32)
IDS = RANDOM.integers(0, 24, size=(8, 4)).astype(np.int32)
HEADS = RANDOM.normal(size=(2, 8, 4, 6)).astype(np.float32)  # batch, rows, heads, depth


@pytest.fixture(scope="module")
def mesh():
    return Mesh(np.array(jax.devices("neuron")).reshape(2, 2), ("a", "b"))


def softmax_attention(q, k, v):
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) * 0.4
    scores = jnp.where(jnp.tril(jnp.ones((8, 8), bool)), scores, -1e9)
    out = jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(scores, axis=-1), v)
    return out.reshape(2, 8, 24)


def scanned(x, layers):
    def layer(x, w):
        h = jnp.tanh(x @ w)
        return h, h.sum()

    return lax.scan(layer, x, layers)


def loss(w, x):
    return jnp.mean(jnp.square(jnp.tanh(x @ w)))


def train(w, x):
    value, gradient = jax.value_and_grad(loss)(w, x)
    return w - 0.1 * gradient, value


SQUARE = RANDOM.normal(size=(3, 16, 16)).astype(np.float32) * 0.2
B = P("b")

# Name: the function, its arguments, how they lie, the kinds of exchange in it.
PROGRAMS = {
    "elementwise": (lambda x, y: jnp.tanh(x) * y + 1, (X, X), (P("a"), P(None, "b"))),
    "columns of a product": (jnp.matmul, (X, W), (P(), P(None, "b"))),
    "rows of a product": (jnp.matmul, (X, W), (P(None, "b"), P("b"))),
    "depth of one operand only": (jnp.matmul, (X, W), (P(), P("b"))),
    "batch and depth along one axis": (jnp.matmul, (X, W), (P("a"), P("a"))),
    "perceptron": (
        lambda x, w, v: jax.nn.gelu(x @ w) @ v + x,
        (X, W, V),
        (P("a"), P(None, "b"), P("b")),
    ),
    "attention": (softmax_attention, (HEADS,) * 3, (P("a", None, "b"),) * 3),
    "training step": (train, (W, X), (P(), P(("a", "b")))),
    "training step, weights divided": (train, (W, X), (P(None, "b"), P("a"))),
    "scan": (scanned, (X, SQUARE), (P("a"), P(None, None, "b"))),
    "scan over divided layers": (scanned, (X, SQUARE), (P("a", "b"), P(None, "b"))),
    "norm": (
        lambda x: (x - x.mean(-1, keepdims=True)) / x.std(-1, keepdims=True),
        (X,),
        (P("a", "b"),),
    ),
    "largest": (lambda x: (x.max(0), x.min(1), x.argmax(1)), (X,), (P("a", "b"),)),
    "product of all": (lambda x: jnp.prod(x, 0), (X,), (P("a", "b"),)),
    "rows of a table": (lambda w, i: w[i], (V, IDS), (P(None, "b"), P("a"))),
    "gradient of a table": (
        lambda v, i: jax.grad(lambda v: jnp.sum(v[i] ** 2))(v),
        (V, IDS),
        (P(None, "b"), P("a")),
    ),
    "reshapes": (
        lambda x: (x.reshape(8, 4, 4), x.reshape(128), x.reshape(2, 4, 16).sum(1)),
        (X,),
        (P("a", "b"),),
    ),
    "transposed": (lambda x: x.T @ x, (X,), (P("a", "b"),)),
    "sorted": (lambda x: jnp.sort(x, 0), (X,), (P("a", "b"),)),
    "slices": (
        lambda x: (x[:, 2:5], x[::2], jnp.pad(x, ((0, 0), (1, 1))), x[::-1]),
        (X,),
        (P("a", "b"),),
    ),
    "joined": (lambda x, y: jnp.concatenate([x, y], 1), (X, X), (P("a", "b"), P("b"))),
    "updates": (lambda x: x.at[2].set(0.5).at[:, 3].add(1), (X,), (P("a", "b"),)),
    "running sum": (lambda x: jnp.cumsum(x, 1), (X,), (P("a", "b"),)),
    "branches": (
        lambda x: lax.cond(x[0, 0] > 0, lambda x: x * 2, lambda x: x - 1, x),
        (X,),
        (P("a", "b"),),
    ),
    "while": (
        lambda x: lax.while_loop(lambda x: jnp.abs(x).max() > 1, lambda x: x * 0.5, x),
        (X,),
        (P("a", "b"),),
    ),
    "random": (
        lambda x: x + jax.random.normal(jax.random.key(3), x.shape),
        (X,),
        (P("a", "b"),),
    ),
    "convolution": (
        lambda x, k: lax.conv_general_dilated(x, k, (1, 1), "SAME"),
        (
            RANDOM.normal(size=(4, 4, 6, 6)).astype(np.float32),
            RANDOM.normal(size=(8, 4, 3, 3)).astype(np.float32),
        ),
        (P("a", "b"), P(None, "b")),
    ),
    "16 bits": (
        lambda x, w: (x.astype(jnp.bfloat16) @ w.astype(jnp.bfloat16)).astype(jnp.float32),
        (np.round(X), np.round(W)),
        (P("a", "b"), P("b")),
    ),
    "rows of a divided table": (lambda w, i: w[i], (V, IDS), (P("b"), P("a"))),
    "places outside of a divided table": (
        lambda w, i: w.at[i].get(mode="fill", fill_value=7.0),
        (V, IDS * 3 - 20),
        (P(("a", "b")), P()),
    ),
    "gradient of a divided table": (
        lambda v, i: jax.grad(lambda v: jnp.sum(v[i] ** 2))(v),
        (V, IDS),
        (P("b"), P("a")),
    ),
    "added to a divided table": (
        lambda v, i, x: v.at[i].add(x[:, None, :] * jnp.ones((1, 4, 1))),
        (V, IDS, X),
        (P("b"), P("a"), P("a")),
    ),
    "loss over a divided vocabulary": (
        lambda x, w, i: jax.grad(
            lambda w: -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(x @ w), i[:, :1], axis=-1))
        )(w),
        (X, W, IDS),
        (P("a"), P(None, "b"), P("a")),
    ),
    "counts along a divided dimension": (
        lambda x: x * jnp.arange(16.0) + jnp.arange(8.0)[:, None],
        (X,),
        (P("a", "b"),),
    ),
    "the greatest of each row": (lambda x: lax.top_k(x, 3), (X,), (P("a"),)),
    "running sum of divided rows": (lambda x: jnp.cumsum(x, 1), (X,), (P(("a", "b")),)),
    "convolution of each channel": (
        lambda x, k: lax.conv_general_dilated(
            x, k, (1,), [(3, 0)], dimension_numbers=("NWC", "WIO", "NWC"), feature_group_count=16
        ),
        (X[None], RANDOM.normal(size=(4, 1, 16)).astype(np.float32)),
        (P(None, None, "b"), P(None, None, "b")),
    ),
    "transforms of rows": (lambda x: jnp.abs(jnp.fft.rfft(x)), (X,), (P("a"),)),
    "triangular systems": (
        lambda x, b: lax.linalg.triangular_solve(
            jnp.tril(x) + 4 * jnp.eye(16), b, left_side=True, lower=True
        ),
        (SQUARE, np.stack([W] * 3)),
        (P(), P(None, None, "b")),
    ),
    "dimensions that no axis divides evenly": (
        lambda x: (x.reshape(16, 8).sum(0), x.reshape(32, 4).sum(1)),
        (X,),
        (P(("a", "b")),),
    ),
    "no numbers": (lambda x: x @ jnp.zeros((16, 0)), (X,), (P("a", "b"),)),
}


def divided(mesh, arguments, specs):
    return [
        jax.device_put(x, NamedSharding(mesh, spec))
        for x, spec in zip(arguments, specs, strict=True)
    ]


@pytest.mark.parametrize("mode", ["reference", "machine"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_divided_programs_have_the_values_of_one_device(mesh, name, mode):
    function, arguments, specs = PROGRAMS[name]
    expected = jax.jit(function)(*arguments)
    got = jax.jit(function, compiler_options={"mode": mode})(*divided(mesh, arguments, specs))
    for one, several in zip(jax.tree.leaves(expected), jax.tree.leaves(got), strict=True):
        np.testing.assert_allclose(several, one, rtol=2e-5, atol=2e-5)


def test_results_lie_as_they_come(mesh):
    function, arguments, specs = PROGRAMS["columns of a product"]
    got = jax.jit(function)(*divided(mesh, arguments, specs))
    assert got.sharding.is_equivalent_to(NamedSharding(mesh, P(None, "b")), 2)
    assert got.addressable_shards[0].data.shape == (8, 12)


def test_results_lie_as_asked(mesh):
    for spec in (P(), P("b", "a"), P(("a", "b")), P(None, ("b", "a"))):
        sharding = NamedSharding(mesh, spec)
        got = jax.jit(lambda x: x + 1, out_shardings=sharding)(*divided(mesh, (X,), (P("a", "b"),)))
        assert got.sharding.is_equivalent_to(sharding, 2)
        np.testing.assert_array_equal(got, X + 1)


def test_a_mesh_in_another_order():
    devices = np.array(jax.devices("neuron"))[[2, 0, 3, 1]].reshape(2, 2)
    mesh = Mesh(devices, ("a", "b"))
    got = jax.jit(lambda x, w: x @ w)(*divided(mesh, (X, W), (P("a", "b"), P("b"))))
    np.testing.assert_allclose(got, X @ W, rtol=1e-5, atol=1e-5)


def test_constraints_and_shard_map_in_one_program(mesh):
    def function(x, w):
        y = lax.with_sharding_constraint(x @ w, NamedSharding(mesh, P("a", "b")))
        z = jax.shard_map(
            lambda y: lax.psum(y, "b"), mesh=mesh, in_specs=P("a", "b"), out_specs=P("a")
        )(y)
        return z + 1, y

    z, y = jax.jit(function)(*divided(mesh, (X, W), (P("a"), P())))
    np.testing.assert_allclose(y, X @ W, rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(z, (X @ W)[:, :12] + (X @ W)[:, 12:] + 1, rtol=1e-5, atol=1e-5)


def test_a_shard_map_of_some_axes(mesh):
    mapped = jax.shard_map(
        lambda x: lax.psum(x, "b"),
        mesh=mesh,
        in_specs=P(None, "b"),
        out_specs=P(),
        axis_names={"b"},
    )
    got = jax.jit(mapped)(*divided(mesh, (X,), (P("a", "b"),)))
    np.testing.assert_allclose(got, X[:, :8] + X[:, 8:], rtol=1e-5)


def test_what_is_computed_whole_is_named(mesh, capfd):
    jax.jit(lambda x: jnp.cumsum(x, 1) + 7)(*divided(mesh, (X,), (P("a", "b"),)))
    assert "computed whole on every device: reduce_window at" in capfd.readouterr().err


def costs(function, *arguments):
    compiled = jax.jit(function, compiler_options={"mode": "machine"}).lower(*arguments).compile()
    return compiled.cost_analysis()


def test_devices_are_timed_with_what_they_exchange(mesh):
    function, arguments, specs = PROGRAMS["perceptron"]
    x, w, v = (np.tile(each, (64, 64)) for each in arguments)
    first = jax.devices("neuron")[0]
    one = costs(function, *(jax.device_put(each, first) for each in (x, w, v)))
    four = costs(function, *divided(mesh, (x, w, v), specs))
    assert "collective seconds" not in one
    assert 0 < four["exposed collective seconds"] <= four["collective seconds"] < four["seconds"]
    assert four["seconds"] - four["exposed collective seconds"] < one["seconds"]


def test_an_exchange_passes_while_devices_compute(mesh):
    def function(x, y):
        total = lax.psum(x @ x.T, "b")
        return total + 1, jnp.tanh(y @ y) @ y

    mapped = jax.shard_map(
        function, mesh=mesh, in_specs=(P("a", "b"), P()), out_specs=(P("a"), P()), check_vma=False
    )
    taken = costs(mapped, np.ones((512, 512), np.float32), np.ones((256, 256), np.float32))
    assert taken["exposed collective seconds"] <= taken["collective seconds"]


def test_the_turns_of_a_loop_with_collectives_are_counted(mesh):
    layers = [np.zeros((n, 16, 16), np.float32) for n in (2, 4)]
    few, many = (
        costs(scanned, *divided(mesh, (X, each), (P("a"), P(None, None, "b")))) for each in layers
    )
    np.testing.assert_allclose(many["collective seconds"], 2 * few["collective seconds"], rtol=1e-5)


def grouped_attention(w, x):
    """Two heads of keys and values for eight of queries."""
    tokens, depth = x.shape[0], 4
    q = (x @ w["q"]).reshape(tokens, 2, 4, depth)
    k, v = ((x @ w[name]).reshape(tokens, 2, depth) for name in "kv")
    scores = jnp.einsum("tkgd,skd->kgts", q, k) * depth**-0.5
    scores = jnp.where(jnp.tril(jnp.ones((tokens, tokens), bool)), scores, -1e9)
    y = jnp.einsum("kgts,skd->tkgd", jax.nn.softmax(scores, -1), v)
    return y.reshape(tokens, 8 * depth) @ w["o"]


@pytest.mark.parametrize("mode", ["reference", "machine"])
def test_more_devices_than_heads_of_keys_divide_the_groups(mode):
    mesh = Mesh(np.array(jax.devices("neuron")), ("m",))
    sizes = {"q": (16, 32), "k": (16, 8), "v": (16, 8), "o": (32, 16)}
    specs = {"q": P(None, "m"), "k": P(), "v": P(), "o": P("m", None)}
    w = {name: RANDOM.normal(size=size).astype(np.float32) for name, size in sizes.items()}
    given = {name: jax.device_put(w[name], NamedSharding(mesh, specs[name])) for name in w}
    x = jax.device_put(X, NamedSharding(mesh, P()))

    def step(w, x):
        return jax.value_and_grad(lambda w: jnp.sum(jnp.square(grouped_attention(w, x))))(w)

    found = jax.jit(step, compiler_options={"mode": mode})(given, x)
    with jax.default_device(jax.devices("cpu")[0]):
        expected = jax.jit(step)(w, X)
    for a, b in zip(jax.tree.leaves(found), jax.tree.leaves(expected), strict=True):
        np.testing.assert_allclose(a, b, rtol=2e-4, atol=2e-5 * np.abs(b).max())


def test_no_device_computes_heads_of_others():
    mesh = Mesh(np.array(jax.devices("neuron")), ("m",))
    x = jax.ShapeDtypeStruct((8, 16), np.float32, sharding=NamedSharding(mesh, P()))
    sizes = {"q": (16, 32), "k": (16, 8), "v": (16, 8), "o": (32, 16)}
    specs = {"q": P(None, "m"), "k": P(), "v": P(), "o": P("m", None)}
    w = {
        name: jax.ShapeDtypeStruct(
            sizes[name], np.float32, sharding=NamedSharding(mesh, specs[name])
        )
        for name in sizes
    }
    lowered = jax.jit(grouped_attention, compiler_options={"mode": "machine"}).lower(w, x)
    taken = lowered.compile().cost_analysis()
    assert taken["collective seconds"] > 0  # the last product's sums, and nothing else:
    alone = costs(
        lambda x: lax.with_sharding_constraint(x.sum(0), NamedSharding(mesh, P())),
        jax.device_put(np.zeros((4, 8, 16), np.float32), NamedSharding(mesh, P("m"))),
    )
    np.testing.assert_allclose(taken["collective seconds"], alone["collective seconds"], rtol=0.01)


def test_layers_of_a_loop_are_read_and_written_where_they_lie(mesh):
    """Pieces between collectives copy no layer's weights out of all, nor all gradients for one."""
    count, width = 8, 2048
    layers = np.zeros((count, width, width), np.float32)
    x = np.zeros((512, width), np.float32)

    def by_scan(x, layers):
        return lax.scan(lambda x, w: (jnp.tanh(x @ w @ w.T), None), x, layers)[0]

    def unrolled(x, layers):
        for i in range(count):
            x = jnp.tanh(x @ layers[i] @ layers[i].T)
        return x

    given = divided(mesh, (x, layers), (P("a"), P(None, None, "b")))

    def step(function):
        return jax.grad(lambda layers, x: jnp.sum(function(x, layers)))

    for turned in (lambda f: f, lambda f: lambda x, layers: step(f)(layers, x)):
        each = [costs(turned(f), *given) for f in (by_scan, unrolled)]
        assert each[0]["collective seconds"] > 0
        assert each[0]["seconds"] < 2 * each[1]["seconds"]


def test_loops_that_the_host_turns_are_counted_without_values():
    def sorts(turns):
        def body(x, _):
            return lax.sort(x + 1.0, dimension=0), None

        return lambda x: lax.scan(body, x, None, length=turns)[0]

    x = jax.device_put(np.zeros((20000, 600), np.float32), jax.devices("neuron")[0])
    few, many = (costs(sorts(turns), x)["seconds"] for turns in (2, 4))
    assert 1.9 < many / few < 2.1


SCRIPT = """
import jax, numpy as np
from jax import lax
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

count = len(jax.devices("neuron"))
mesh = Mesh(np.array(jax.devices("neuron")), ("x",))
x = np.arange(count * 32, dtype=np.float32).reshape(count, 32)
f = jax.jit(lambda x: x / x.sum(0), compiler_options={"mode": "machine"})
given = jax.device_put(x, NamedSharding(mesh, P("x")))
np.testing.assert_allclose(f(given), x / x.sum(0), rtol=1e-5)
print(count, f.lower(given).compile().cost_analysis()["collective seconds"])
"""


def in_another_process(**environment):
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        env=os.environ | environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    count, seconds = done.stdout.split()
    return int(count), float(seconds)


def test_cores_and_chips_are_devices():
    logical = in_another_process()
    cores = in_another_process(NEURON_LOGICAL_NC_CONFIG="1")
    chips = in_another_process(TRAINYARD_CHIPS="2")
    assert (logical[0], cores[0], chips[0]) == (4, 8, 8)
    assert logical[1] < chips[1]


@pytest.mark.parametrize(("chips", "nearest"), [("145", "144, 288"), ("200", "144"), ("0", "1")])
def test_chips_that_no_system_has_are_refused(chips, nearest):
    done = subprocess.run(
        [sys.executable, "-c", "import jax; jax.devices()"],
        env=os.environ | {"TRAINYARD_CHIPS": chips, "JAX_PLATFORMS": "neuron"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert "TRAINYARD_CHIPS" in done.stderr and nearest in done.stderr


PARTS = """
import jax, numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

for count in (4 * 100, 4 * 200, 4 * 288):
    mesh = Mesh(np.array(jax.devices("neuron")[:count]), ("x",))
    x = jax.ShapeDtypeStruct((count, 64), np.float32, sharding=NamedSharding(mesh, P("x")))
    f = jax.jit(lambda x: x / x.sum(0), compiler_options={"mode": "machine"})
    print(f.lower(x).compile().cost_analysis()["collective seconds"])
"""


def test_a_program_may_have_a_part_of_several_servers():
    done = subprocess.run(
        [sys.executable, "-c", PARTS],
        env=os.environ | {"TRAINYARD_CHIPS": "288", "JAX_PLATFORMS": "neuron"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    one, part, both = map(float, done.stdout.split())
    assert one < part < both  # inside a server, over the network, over more of it


@pytest.mark.parametrize("mode", ["reference", "machine"])
@pytest.mark.parametrize("lie", [(P("a"), P()), (P(None, "b"), P("b")), (P(), P(None, "a"))])
def test_a_divided_program_has_the_formats_of_its_classes(mesh, mode, lie):
    def annotated(x, w):
        with precision.using(weights="bf16"):
            return x @ w

    given = [jax.device_put(a, NamedSharding(mesh, at)) for a, at in zip((X, W), lie, strict=True)]
    expected = X @ np.asarray(jnp.asarray(W).astype(jnp.bfloat16), np.float32)
    by_scope = jax.jit(annotated, compiler_options={"mode": mode})(*given)
    options = {"mode": mode, "precision": "weights=bf16"}
    by_option = jax.jit(jnp.matmul, compiler_options=options)(*given)
    for found in (by_scope, by_option):
        np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("mode", ["reference", "machine"])
def test_state_is_found_behind_the_sum_of_gradients(mesh, mode):
    """Rows of x on several devices, weights and momentum on each."""

    def step(w, momentum, x):
        gradient = jax.grad(lambda w: jnp.tanh(x @ w).sum())(w)
        return 0.9 * momentum + gradient

    rows, whole = NamedSharding(mesh, P("a")), NamedSharding(mesh, P())
    given = [jax.device_put(a, at) for a, at in ((W, whole), (W * 0, whole), (X, rows))]
    found = np.asarray(
        jax.jit(step, compiler_options={"mode": mode, "precision": "optimizer_state=bf16"})(*given)
    )
    np.testing.assert_array_equal(found, np.asarray(jnp.asarray(found).astype(jnp.bfloat16)))
    exact = X.T @ (1 - np.tanh(X @ W) ** 2)
    np.testing.assert_allclose(found, exact, rtol=0.01, atol=1e-3)


def test_a_product_is_transposed_before_its_sum(mesh):
    lie = (P(None, "a"), P("a"))
    given = [jax.device_put(a, NamedSharding(mesh, at)) for a, at in zip((X, W), lie, strict=True)]

    def computing(function):
        taken = costs(function, *divided(mesh, [np.ones((1024, 1024), np.float32)] * 2, lie))
        return taken["seconds"] - taken["exposed collective seconds"]

    assert computing(lambda x, w: (x @ w).T) < 1.3 * computing(jnp.matmul)

    def read_twice(x, w):
        h = x @ w
        return h.T, h.sum(0)

    for found, expected in zip(
        jax.jit(read_twice)(*given), ((X @ W).T, (X @ W).sum(0)), strict=True
    ):
        np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5)
