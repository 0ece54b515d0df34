"""A training step of a Llama layer on a simulated Trainium3, divided as a plan says.

  trainyard plan train llama3-8b --on trn3-gen2 --chips 4 --tokens 1e9 --global-batch 8 \\
      --sequence 512 --cp 1 --pp 1 --zero 0 --torchtitan plan.toml
  python examples/train_llama.py --plan plan.toml          a layer of Llama 3 8B, so divided
  python examples/train_llama.py --plan plan.toml --small  a small layer, for tests

The plan's tp devices share each matrix, and its dp replicas share the sequences of a step;
gradients are summed over replicas. A plan with stages or shared sequences is refused: its layer is
another one. Values are compared with those of one device.
"""

from __future__ import annotations

import argparse
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh
from jax.sharding import PartitionSpec as P
from shard_llama import LAYER, MACHINE, Tree, layer, numbers, shapes, spread
from trainyard.planner.plan_files import read_plan

LAYERS = 32  # of Llama 3 8B: what a file's pieces of stages are counted by


def step(depth: int) -> Any:
    """The function of a step: weights, inputs and targets to new weights and the loss."""

    def loss(p: Tree, x: jax.Array, y: jax.Array) -> jax.Array:
        out = jax.vmap(lambda one: layer(one, p, depth))(x)
        return jnp.mean(jnp.square((out - y).astype(jnp.float32)))

    def train(p: Tree, x: jax.Array, y: jax.Array) -> tuple[Tree, jax.Array]:
        value, gradients = jax.value_and_grad(loss)(p, x, y)
        return jax.tree.map(lambda w, g: w - 0.01 * g.astype(w.dtype), p, gradients), value

    return train


def sizes_of(path: str) -> tuple[int, int]:
    """tp and dp of a plan; ends the program where the plan has another axis."""
    plan = read_plan(path, 1, LAYERS)
    for axis in ("cp", "ep", "pp"):
        if plan[axis] > 1:
            raise SystemExit(f"{path}: this layer has no {axis}, and the plan has {plan[axis]}")
    return plan["tp"], plan.get("dp", 1)


def main() -> None:
    """Times the step on the plan's devices and on one, and compares their values."""
    parser = argparse.ArgumentParser(description="A training step, divided as a plan says.")
    parser.add_argument("--plan", required=True, metavar="FILE", help="TorchTitan's TOML")
    parser.add_argument("--small", action="store_true", help="a small layer, with its values")
    options = parser.parse_args()
    tp, dp = sizes_of(options.plan)
    devices = jax.devices("neuron")
    if tp * dp > len(devices):
        raise SystemExit(f"the plan is for {tp * dp} devices, and {len(devices)} are simulated")
    big = {"hidden": 4096, "heads": 32, "kv_heads": 8, "ffn": 14336, "tokens": 512}
    small = {"hidden": 128, "heads": 8, "kv_heads": 4, "ffn": 256, "tokens": 32}
    size = argparse.Namespace(**(small if options.small else big))
    dtype = jnp.float32 if options.small else jnp.bfloat16
    weights = shapes(size, dtype)
    rows = jax.ShapeDtypeStruct((dp * 2, size.tokens, size.hidden), dtype)
    train = step(size.hidden // size.heads)
    losses = {}
    for model, data in dict.fromkeys(((1, 1), (tp, dp))):
        mesh = Mesh(np.array(devices[: model * data]).reshape(data, model), ("data", "model"))
        specs = ({name: LAYER[name] for name in weights}, P("data"), P("data"))
        compiled = jax.jit(train, compiler_options=MACHINE).lower(
            *spread((weights, rows, rows), specs, mesh)
        )
        costs = compiled.compile().cost_analysis()
        exchanged = costs.get("collective seconds", 0.0) * 1e6
        print(
            f"tp {model}, dp {data}: {costs['seconds'] * 1e6:10.1f} us a step of {rows.shape[0]} "
            f"sequences, collectives {exchanged:.1f} us"
        )
        if options.small:
            given = spread((numbers(weights, 1), numbers(rows, 2), numbers(rows, 3)), specs, mesh)
            losses[model, data] = float(jax.jit(train, compiler_options=MACHINE)(*given)[1])
    if losses:
        first, *others = losses.values()
        assert all(abs(one / first - 1) < 1e-3 for one in others), losses
        print(f"loss {first:.6g}, the same on all")


if __name__ == "__main__":
    main()
