"""Llama layers as a pipeline of stages over simulated Trainium3 devices, in plain JAX (GPipe).

  python examples/pipeline.py                    four stages on a chip, eight micro-batches
  python examples/pipeline.py --stages 16 --chips 4 --micro 16,32,64
  python examples/pipeline.py --values            a small one: its loss and gradient on one device

Each device holds the layers of a stage. In every turn of a scan it computes its stage for one
micro-batch and hands the result to the next device (jax.lax.ppermute); after micro-batches plus
stages, less one, all have passed. jax.grad sends gradients the other way through the same turns, so
that a stage works in M of M + S - 1 of them: the bubble. Time only, but for --values.
"""

from __future__ import annotations

import argparse
import os
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import train_llama
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P
from train_llama import Tree

SIZES = {  # a layer of Llama 3 8B, and a small one
    "large": {"hidden": 4096, "heads": 32, "kv_heads": 8, "ffn": 14336, "tokens": 2048},
    "small": {"hidden": 64, "heads": 4, "kv_heads": 2, "ffn": 96, "tokens": 16},
}
NAMES = tuple(train_llama.layer_shapes(SIZES["small"], 1))


def arguments() -> argparse.Namespace:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(description="A pipeline of layers over devices.")
    add = parser.add_argument
    add("--chips", type=int, default=1)
    add("--stages", type=int, default=4, help="devices in a row")
    add("--layers", type=int, default=2, help="of each stage")
    add("--micro", default="8", help="micro-batches of a step; several: a row of a table each")
    add("--values", action="store_true", help="a small pipeline, with its values")
    options = parser.parse_args()
    os.environ["TRAINYARD_CHIPS"] = str(options.chips)
    return options


def stage_of(x: jax.Array, weights: Tree, depth: int) -> jax.Array:
    """The layers of a stage, one after the other; x [1, tokens, hidden]."""
    one = jax.checkpoint(partial(train_llama.layer, depth=depth))
    return jax.lax.scan(lambda x, w: (one(x, w), None), x, weights)[0]


def pipeline(weights: Tree, batches: jax.Array, depth: int) -> jax.Array:
    """Inside shard_map: the loss of batches [micro, tokens, hidden], on every device."""
    stages, mine = jax.lax.axis_size("stage"), jax.lax.axis_index("stage")
    micro = len(batches)
    around = [(d, (d + 1) % stages) for d in range(stages)]

    def turn(carry: tuple[jax.Array, jax.Array], t: jax.Array) -> tuple[Tree, None]:
        came, loss = carry
        first = jax.lax.dynamic_index_in_dim(batches, jnp.clip(t, 0, micro - 1))
        made = stage_of(jnp.where(mine == 0, first, came), weights, depth)
        ends = (mine == stages - 1) & (t >= stages - 1)  # a micro-batch has passed all stages
        loss += jnp.where(ends, jnp.mean(jnp.square(made.astype(jnp.float32))), 0.0)
        return (jax.lax.ppermute(made, "stage", around), loss), None

    start = jax.lax.pcast((jnp.zeros_like(batches[:1]), jnp.float32(0)), "stage", to="varying")
    (_, loss), _ = jax.lax.scan(turn, start, jnp.arange(micro + stages - 1))
    return jax.lax.psum(loss, "stage") / micro


class Pipeline:
    """Loss and gradients over `stages` devices."""

    def __init__(self, size: dict[str, int], stages: int, layers: int, micro: int) -> None:
        devices = jax.devices("neuron")
        if stages > len(devices):
            raise SystemExit(f"{stages} stages asked for, {len(devices)} devices are simulated")
        self.size, self.stages, self.layers, self.micro = size, stages, layers, micro
        self.mesh = Mesh(np.array(devices[:stages]), ("stage",))
        depth = size["hidden"] // size["heads"]
        loss = jax.shard_map(
            partial(pipeline, depth=depth),
            mesh=self.mesh,
            in_specs=(dict.fromkeys(NAMES, P("stage")), P()),
            out_specs=P(),
        )
        self.step = jax.jit(jax.value_and_grad(loss), compiler_options={"mode": "machine"})

    def given(self, dtype: jnp.dtype) -> tuple[Tree, jax.ShapeDtypeStruct]:
        """Shapes of weights and micro-batches, with their shardings."""

        def one(shape: tuple[int, ...], spec: P) -> jax.ShapeDtypeStruct:
            return jax.ShapeDtypeStruct(shape, dtype, sharding=NamedSharding(self.mesh, spec))

        shapes = train_llama.layer_shapes(self.size, self.layers * self.stages)
        weights = {name: one(shape, P("stage")) for name, shape in shapes.items()}
        return weights, one((self.micro, self.size["tokens"], self.size["hidden"]), P())

    def show(self) -> None:
        """Compiles the step and prints what it takes."""
        cost = self.step.lower(*self.given(jnp.bfloat16)).compile().cost_analysis()
        seconds, turns = cost["seconds"], self.micro + self.stages - 1
        shapes = train_llama.layer_shapes(self.size, self.layers * self.stages)
        parameters = sum(int(np.prod(shape)) for shape in shapes.values())
        tokens = self.micro * self.size["tokens"]
        peak = train_llama.CORE_FLOPS * train_llama.DEVICE_CORES * self.stages
        print(
            f"{self.stages} stages of {self.layers} layers, {self.micro} micro-batches of "
            f"{self.size['tokens']:,} tokens: {seconds * 1e3:.1f} ms, MFU "
            f"{6 * parameters * tokens / seconds / peak:.1%}; bubble "
            f"{(self.stages - 1) / turns:.0%} of {turns} turns, sends "
            f"{cost['collective seconds'] * 1e3:.2f} ms, "
            f"{cost['exposed collective seconds'] * 1e3:.2f} ms of them exposed"
        )

    def values(self) -> tuple[float, float]:
        """The loss, and a sum of absolute gradients."""
        random = np.random.default_rng(0)

        def put(shape: jax.ShapeDtypeStruct, scale: float) -> jax.Array:
            content = random.normal(size=shape.shape).astype(np.float32) * scale
            return jax.device_put(content, shape.sharding)

        weights, batches = self.given(jnp.float32)
        loss, gradient = self.step({n: put(w, 0.1) for n, w in weights.items()}, put(batches, 1))
        return float(loss), float(sum(np.abs(np.asarray(g)).sum() for g in gradient.values()))


def main() -> None:
    """Prints what each number of micro-batches takes."""
    options = arguments()
    if not options.values:
        for micro in map(int, options.micro.split(",")):
            Pipeline(SIZES["large"], options.stages, options.layers, micro).show()
        return
    several = Pipeline(SIZES["small"], 4, 1, 6).values()
    one = Pipeline(SIZES["small"], 1, 4, 6).values()
    print(f"4 stages: loss {several[0]:.6f}, gradients {several[1]:.4f}")
    print(f"1 device: loss {one[0]:.6f}, gradients {one[1]:.4f}")
    np.testing.assert_allclose(several, one, rtol=1e-4)


if __name__ == "__main__":
    main()
