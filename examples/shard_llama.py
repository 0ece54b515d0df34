"""A Llama layer divided between the devices of a simulated Trainium3, and a training step.

  python examples/shard_llama.py            a layer of Llama 3 8B, 512 tokens, on 1, 2 and 4 devices
  python examples/shard_llama.py --small    a small layer, for tests

The layer is tensor parallel, as Megatron has it: heads and the hidden units of the perceptron are
divided, so that each half of the layer ends with a sum over all devices. The training step is data
parallel: each device has a share of the rows, and gradients are summed. Nothing in the functions
says so; shardings of the arguments do, and jax.jit divides the rest. Values are compared with those
of one device.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

MACHINE = {"mode": "machine"}
Tree = dict[str, Any]

COLUMNS, ROWS, WHOLE = P(None, "model"), P("model"), P()
LAYER = {
    "norm": WHOLE,
    "q": COLUMNS,
    "k": COLUMNS,
    "v": COLUMNS,
    "o": ROWS,
    "mlp_norm": WHOLE,
    "gate": COLUMNS,
    "up": COLUMNS,
    "down": ROWS,
}


def rms_norm(x: jax.Array, weight: jax.Array) -> jax.Array:
    """x over its root mean square along the last dimension, in float32."""
    wide = x.astype(jnp.float32)
    scale = jax.lax.rsqrt(jnp.mean(wide * wide, -1, keepdims=True) + 1e-5)
    return (wide * scale).astype(x.dtype) * weight


def attention(x: jax.Array, p: Tree, depth: int) -> jax.Array:
    """Causal attention with grouped heads; x [tokens, hidden]."""
    tokens = x.shape[0]
    q, k, v = (jnp.reshape(x @ p[name], (tokens, -1, depth)) for name in "qkv")
    q = q.reshape(tokens, k.shape[1], -1, depth)
    scores = jnp.einsum("qhgd,khd->hgqk", q, k).astype(jnp.float32) / depth**0.5
    scores = jnp.where(jnp.tril(jnp.ones((tokens, tokens), bool)), scores, -1e9)
    shares = jax.nn.softmax(scores, -1).astype(x.dtype)
    return jnp.einsum("hgqk,khd->qhgd", shares, v).reshape(tokens, -1) @ p["o"]


def layer(x: jax.Array, p: Tree, depth: int) -> jax.Array:
    """One layer of Llama without rotary embeddings."""
    x = x + attention(rms_norm(x, p["norm"]), p, depth)
    h = rms_norm(x, p["mlp_norm"])
    return x + (jax.nn.silu(h @ p["gate"]) * (h @ p["up"])) @ p["down"]


def loss(p: Tree, x: jax.Array, y: jax.Array) -> jax.Array:
    """Of a perceptron."""
    return jnp.mean(jnp.square(jnp.tanh(x @ p["up"]) @ p["down"] - y))


def train(p: Tree, x: jax.Array, y: jax.Array) -> tuple[Tree, jax.Array]:
    """A step of gradient descent."""
    value, gradients = jax.value_and_grad(loss)(p, x, y)
    return jax.tree.map(lambda w, g: w - 0.01 * g, p, gradients), value


def shapes(size: argparse.Namespace, dtype: Any) -> Tree:
    """Those of a layer's weights."""
    narrow = size.hidden * size.kv_heads // size.heads
    wide = {"q": size.hidden, "k": narrow, "v": narrow, "gate": size.ffn, "up": size.ffn}
    tree = {name: (size.hidden, columns) for name, columns in wide.items()}
    tree |= {"norm": (size.hidden,), "mlp_norm": (size.hidden,)}
    tree |= {"o": (size.hidden, size.hidden), "down": (size.ffn, size.hidden)}
    return {name: jax.ShapeDtypeStruct(shape, dtype) for name, shape in tree.items()}


def spread(tree: Any, specs: Any, mesh: Mesh) -> Any:
    """Shapes with their shardings, or arrays where they belong."""

    def one(leaf: Any, spec: P) -> Any:
        sharding = NamedSharding(mesh, spec)
        if isinstance(leaf, jax.ShapeDtypeStruct):
            return jax.ShapeDtypeStruct(leaf.shape, leaf.dtype, sharding=sharding)
        return jax.device_put(leaf, sharding)

    return jax.tree.map(one, tree, specs)


def numbers(tree: Any, seed: int) -> Any:
    """Small random arrays of those shapes."""
    random = np.random.default_rng(seed)
    return jax.tree.map(lambda s: (random.normal(size=s.shape) * 0.1).astype(s.dtype), tree)


def report(
    name: str, function: Callable[..., Any], arguments: Any, specs: Any, devices: int
) -> float:
    """Prints what a run takes on so many devices; returns microseconds."""
    mesh = Mesh(np.array(jax.devices("neuron")[:devices]), ("model",))
    compiled = jax.jit(function, compiler_options=MACHINE).lower(*spread(arguments, specs, mesh))
    costs = compiled.compile().cost_analysis()
    all_of_it = costs["seconds"] * 1e6
    exchanged = costs.get("collective seconds", 0.0) * 1e6
    exposed = costs.get("exposed collective seconds", 0.0) * 1e6
    print(
        f"{name:14} {devices} device{'s' if devices > 1 else ' '} {all_of_it:10.1f} us"
        f"   computing {all_of_it - exposed:9.1f}   collectives {exchanged:7.1f}"
        f"   exposed {exposed:7.1f}   {costs['joules'] * 1e3:7.2f} mJ"
    )
    return float(all_of_it)


def difference(function: Callable[..., Any], arguments: Any, specs: Any) -> float:
    """The largest one between the values of one device and of all."""
    first = jax.devices("neuron")[0]
    mesh = Mesh(np.array(jax.devices("neuron")), ("model",))
    given = numbers(arguments, 7)
    one = jax.jit(function)(*jax.device_put(given, first))
    all_devices = jax.jit(function, compiler_options=MACHINE)(*spread(given, specs, mesh))
    pairs = zip(jax.tree.leaves(one), jax.tree.leaves(all_devices), strict=True)
    return max(float(np.max(np.abs(np.asarray(a, float) - np.asarray(b, float)))) for a, b in pairs)


SMALL = argparse.Namespace(tokens=64, hidden=128, heads=8, kv_heads=4, ffn=256)


def main() -> None:
    """Times the layer and the step on 1, 2 and 4 devices."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--small", action="store_true", help="a small layer, for tests")
    size = parser.parse_args()
    size.tokens, size.hidden, size.heads, size.kv_heads, size.ffn = 512, 4096, 32, 8, 14336
    if size.small:
        size.__dict__.update(SMALL.__dict__)

    def tasks(of: argparse.Namespace, dtype: Any) -> list[tuple[str, Any, Any, Any]]:
        rows = jax.ShapeDtypeStruct((of.tokens, of.hidden), dtype)
        weights = shapes(of, dtype)
        perceptron = {name: weights[name] for name in ("up", "down")}
        depth = of.hidden // of.heads
        return [
            ("layer", lambda x, p: layer(x, p, depth), (rows, weights), (WHOLE, LAYER)),
            (
                "training step",
                train,
                (perceptron, rows, rows),
                ({"up": WHOLE, "down": WHOLE}, ROWS, ROWS),
            ),
        ]

    for name, function, arguments, specs in tasks(SMALL, jnp.float32):
        apart = difference(function, arguments, specs)
        print(f"{name:14} four devices and one differ by {apart:.1e} at most")
    for name, function, arguments, specs in tasks(size, jnp.bfloat16):
        times = [report(name, function, arguments, specs, count) for count in (1, 2, 4)]
        print(f"{'':14} four devices are {times[0] / times[2]:.2f} times as fast as one")


if __name__ == "__main__":
    main()
