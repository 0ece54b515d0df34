"""Llama layers as a pipeline of stages over simulated Trainium3 devices, in plain JAX.

  python examples/pipeline.py                    four stages on a chip, eight micro-batches
  python examples/pipeline.py --stages 16 --chips 4 --micro 16,32,64
  python examples/pipeline.py --schedule 1f1b --chunks 2 --micro 32
  python examples/pipeline.py --values            a small one: its loss and gradient on one device

Each device holds the layers of a stage. In every turn of a scan it computes its stage for one
micro-batch and hands the result to the next device (jax.lax.ppermute). Two schedules:

gpipe   all micro-batches go forward, then jax.grad sends gradients the other way through the same
        turns. Each device keeps its layers' inputs of all M + S - 1 turns.
1f1b    one forward, one backward: a gradient returns as soon as a micro-batch has passed the last
        stage, so that a device keeps inputs of 2 S - 1 micro-batches, however many there are. With
        --chunks V a device holds V separate pieces of its layers, and each micro-batch passes the
        ring of devices V times (Megatron's interleaved schedule).

A device works in M V of M V + S - 1 turns: the rest is the bubble. Time only, but for --values.
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
    add("--schedule", default="gpipe,1f1b", help="gpipe, 1f1b or both")
    add("--chunks", type=int, default=1, help="pieces of a device's layers, in 1f1b")
    add("--values", action="store_true", help="a small pipeline, with its values")
    options = parser.parse_args()
    options.schedule = options.schedule.split(",")
    if not set(options.schedule) <= {"gpipe", "1f1b"}:
        parser.error(f"--schedule {','.join(options.schedule)}: gpipe and 1f1b are known")
    if options.chunks < 1 or options.layers % options.chunks:
        parser.error(f"--chunks {options.chunks}: a number that divides {options.layers} layers")
    os.environ["TRAINYARD_CHIPS"] = str(options.chips)
    return options


def stage_of(x: jax.Array, weights: Tree, depth: int) -> jax.Array:
    """The layers of a stage, one after the other; x [1, tokens, hidden]."""
    one = jax.checkpoint(partial(train_llama.layer, depth=depth))
    return jax.lax.scan(lambda x, w: (one(x, w), None), x, weights)[0]


def gpipe(weights: Tree, batches: jax.Array, depth: int) -> jax.Array:
    """Inside shard_map: the loss of batches [micro, tokens, hidden], on every device."""
    stages, mine = jax.lax.axis_size("stage"), jax.lax.axis_index("stage")
    micro = len(batches)
    around = [(d, (d + 1) % stages) for d in range(stages)]

    def turn(carry: tuple[jax.Array, jax.Array], t: jax.Array) -> tuple[Tree, None]:
        came, loss = carry
        first = jax.lax.dynamic_index_in_dim(batches, jnp.clip(t, 0, micro - 1))
        made = stage_of(jnp.where(mine == 0, first, came), weights, depth)
        ends = (mine == stages - 1) & (t >= stages - 1)  # a micro-batch has passed all stages
        loss += jnp.where(ends, loss_of(made), 0.0)
        return (jax.lax.ppermute(made, "stage", around), loss), None

    start = jax.lax.pcast((jnp.zeros_like(batches[:1]), jnp.float32(0)), "stage", to="varying")
    (_, loss), _ = jax.lax.scan(turn, start, jnp.arange(micro + stages - 1))
    return jax.lax.psum(loss, "stage") / micro


def loss_of(made: jax.Array) -> jax.Array:
    """Of what the last stage has made of a micro-batch."""
    return jnp.mean(jnp.square(made.astype(jnp.float32)))


def forward(x: jax.Array, weights: Tree, depth: int) -> tuple[jax.Array, jax.Array]:
    """x through layers, and the input of each."""
    return jax.lax.scan(lambda x, w: (train_llama.layer(x, w, depth), x), x, weights)


def backward(
    gradient: jax.Array, inputs: jax.Array, weights: Tree, depth: int
) -> tuple[jax.Array, Tree]:
    """The gradients of the first layer's input and of all weights; layers are computed again."""

    def one(gradient: jax.Array, given: Tree) -> tuple[jax.Array, Tree]:
        _, back = jax.vjp(partial(train_llama.layer, depth=depth), *given)
        return back(gradient)

    return jax.lax.scan(one, gradient, (inputs, weights), reverse=True)


class OneForwardOneBackward:
    """Inside shard_map: loss and gradients of weights [chunks, 1, layers, ...] of a device.

    Each device passes positions 0, 1, ... in order, one a turn, a turn behind its neighbour:
    `stages` micro-batches in a row through its first chunk, the same through the next one, then the
    next micro-batches. Gradients pass the same positions, with chunks in the opposite order.
    """

    def __init__(self, weights: Tree, batches: jax.Array, depth: int) -> None:
        self.weights = jax.tree.map(lambda w: w[:, 0], weights)
        self.batches, self.depth = batches, depth
        self.stages, self.mine = jax.lax.axis_size("stage"), jax.lax.axis_index("stage")
        self.chunks = len(self.weights["q"])
        self.positions = len(batches) * self.chunks
        self.before = self.stages * self.chunks - 1  # turns before the first gradient
        self.slots = 2 * self.before + 1  # positions whose gradients are to come, at most

    def place(self, position: jax.Array) -> tuple[jax.Array, jax.Array, jax.Array]:
        """The group of micro-batches, the chunk and the micro-batch in its group."""
        group, rest = jnp.divmod(position, self.stages * self.chunks)
        return group, rest // self.stages, rest % self.stages

    def chunk(self, k: jax.Array) -> Tree:
        """The weights of a chunk."""
        if self.chunks == 1:
            return jax.tree.map(lambda w: w[0], self.weights)
        return jax.tree.map(
            lambda w: jax.lax.dynamic_index_in_dim(w, k, keepdims=False), self.weights
        )

    def go_forward(self, t: jax.Array, state: Tree) -> tuple[Tree, jax.Array]:
        """A micro-batch through a chunk; the state, and what was made."""
        position = t - self.mine
        group, k, within = self.place(jnp.clip(position, 0, self.positions - 1))
        first = jax.lax.dynamic_index_in_dim(self.batches, group * self.stages + within)
        x = jnp.where((self.mine == 0) & (k == 0), first, state["came"])
        made, inputs = forward(x, self.chunk(k), self.depth)
        kept = jax.lax.dynamic_update_index_in_dim(
            state["kept"], inputs, jnp.mod(position, self.slots), 0
        )
        around = [(d, (d + 1) % self.stages) for d in range(self.stages)]
        return state | {"kept": kept, "came": jax.lax.ppermute(made, "stage", around)}, made

    def go_backward(self, t: jax.Array, state: Tree, made: jax.Array | None) -> Tree:
        """A gradient through a chunk; `made`: by this turn's way forward."""
        position = t - self.before - (self.stages - 1 - self.mine)
        is_there = (position >= 0) & (position < self.positions)
        group, k, within = self.place(jnp.clip(position, 0, self.positions - 1))
        gradient, loss = state["back"], state["loss"]
        if made is not None:  # the last chunk of the last stage begins with the loss
            begins = (self.mine == self.stages - 1) & (k == 0)
            value, seed = jax.value_and_grad(loss_of)(made)
            gradient = jnp.where(begins, seed / len(self.batches), gradient)
            loss += jnp.where(begins & is_there, value / len(self.batches), 0.0)
        gradient = jnp.where(is_there, gradient, 0.0)
        k = self.chunks - 1 - k
        forth = (group * self.chunks + k) * self.stages + within
        inputs = jax.lax.dynamic_index_in_dim(
            state["kept"], jnp.mod(forth, self.slots), keepdims=False
        )
        gradient, terms = backward(gradient, inputs, self.chunk(k), self.depth)
        around = [(d, (d - 1) % self.stages) for d in range(self.stages)]
        return state | {
            "back": jax.lax.ppermute(gradient, "stage", around),
            "loss": loss,
            "sums": jax.tree.map(lambda s, term: s.at[k].add(term), state["sums"], terms),
        }

    def run(self) -> tuple[jax.Array, Tree]:
        """The first turns go forward only, the last ones backward only."""
        layers = len(self.weights["q"][0])
        x = jnp.zeros_like(self.batches[:1])
        zeros = {
            "came": x,
            "back": x,
            "kept": jnp.zeros((self.slots, layers, *x.shape), x.dtype),
            "loss": jnp.float32(0),
        }
        state = jax.lax.pcast(zeros, "stage", to="varying")
        state["sums"] = jax.tree.map(jnp.zeros_like, self.weights)

        def go_both(state: Tree, t: jax.Array) -> tuple[Tree, None]:
            state, made = self.go_forward(t, state)
            return self.go_backward(t, state, made), None

        last = self.positions + self.stages - 1
        state, _ = jax.lax.scan(
            lambda s, t: (self.go_forward(t, s)[0], None), state, jnp.arange(self.before)
        )
        state, _ = jax.lax.scan(go_both, state, jnp.arange(self.before, last))
        state, _ = jax.lax.scan(
            lambda s, t: (self.go_backward(t, s, None), None),
            state,
            jnp.arange(last, last + self.before),
        )
        sums = jax.tree.map(lambda s: s[:, None], state["sums"])
        return jax.lax.psum(state["loss"], "stage"), sums


def one_forward_one_backward(
    weights: Tree, batches: jax.Array, depth: int
) -> tuple[jax.Array, Tree]:
    """Inside shard_map: the loss and its gradients."""
    return OneForwardOneBackward(weights, batches, depth).run()


class Pipeline:
    """Loss and gradients over `stages` devices. Weights are [chunks, stages, layers, ...]."""

    def __init__(
        self,
        size: dict[str, int],
        schedule: str,
        stages: int,
        layers: int,
        micro: int,
        chunks: int = 1,
    ) -> None:
        devices = jax.devices("neuron")
        if stages > len(devices):
            raise SystemExit(f"{stages} stages asked for, {len(devices)} devices are simulated")
        self.size, self.schedule, self.stages, self.layers = size, schedule, stages, layers
        self.micro, self.chunks = micro, chunks if schedule == "1f1b" else 1
        if self.chunks > 1 and micro % stages:
            raise SystemExit(f"{micro} micro-batches: chunks ask for a multiple of {stages} stages")
        self.mesh = Mesh(np.array(devices[:stages]), ("stage",))
        self.spec = P(None, "stage")
        depth = size["hidden"] // size["heads"]
        specs = dict.fromkeys(NAMES, self.spec)
        if schedule == "gpipe":
            flat = lambda w, b: gpipe(jax.tree.map(lambda x: x[0, 0], w), b, depth)  # noqa: E731
            loss = jax.shard_map(flat, mesh=self.mesh, in_specs=(specs, P()), out_specs=P())
            step = jax.value_and_grad(loss)
        else:
            step = jax.shard_map(
                partial(one_forward_one_backward, depth=depth),
                mesh=self.mesh,
                in_specs=(specs, P()),
                out_specs=(P(), specs),
            )
        self.step = jax.jit(step, compiler_options={"mode": "machine"})

    def given(self, dtype: jnp.dtype) -> tuple[Tree, jax.ShapeDtypeStruct]:
        """Shapes of weights and micro-batches, with their shardings."""

        def one(shape: tuple[int, ...], spec: P) -> jax.ShapeDtypeStruct:
            return jax.ShapeDtypeStruct(shape, dtype, sharding=NamedSharding(self.mesh, spec))

        shapes = train_llama.layer_shapes(self.size, self.layers // self.chunks)
        weights = {
            name: one((self.chunks, self.stages, *shape), self.spec)
            for name, shape in shapes.items()
        }
        return weights, one((self.micro, self.size["tokens"], self.size["hidden"]), P())

    def show(self) -> None:
        """Compiles the step and prints what it takes."""
        compiled = self.step.lower(*self.given(jnp.bfloat16)).compile()
        cost, memory = compiled.cost_analysis(), compiled.memory_analysis()
        seconds, turns = cost["seconds"], self.micro * self.chunks + self.stages - 1
        shapes = train_llama.layer_shapes(self.size, self.layers * self.stages)
        parameters = sum(int(np.prod(shape)) for shape in shapes.values())
        tokens = self.micro * self.size["tokens"]
        peak = train_llama.CORE_FLOPS * train_llama.DEVICE_CORES * self.stages
        chunks = f" in {self.chunks} chunks" if self.chunks > 1 else ""
        print(
            f"{self.schedule}: {self.stages} stages of {self.layers} layers{chunks}, {self.micro} "
            f"micro-batches of {self.size['tokens']:,} tokens: {seconds * 1e3:.1f} ms, MFU "
            f"{6 * parameters * tokens / seconds / peak:.1%}; bubble "
            f"{(self.stages - 1) / turns:.0%} of {turns} turns, sends "
            f"{cost['collective seconds'] * 1e3:.2f} ms, "
            f"{cost['exposed collective seconds'] * 1e3:.2f} ms of them exposed; at most "
            f"{memory.temp_size_in_bytes / 2**30:.2f} GiB between"
        )

    def values(self) -> tuple[float, Tree]:
        """The loss and the gradients, layers in their order."""
        random = np.random.default_rng(0)
        weights, batches = self.given(jnp.float32)

        def put(shape: jax.ShapeDtypeStruct, scale: float) -> jax.Array:
            content = random.normal(size=shape.shape).astype(np.float32) * scale
            return jax.device_put(content, shape.sharding)

        loss, gradient = self.step({n: put(w, 0.1) for n, w in weights.items()}, put(batches, 1))
        in_order = {n: np.asarray(g).reshape(-1, *g.shape[3:]) for n, g in gradient.items()}
        return float(loss), in_order


def main() -> None:
    """Prints what each number of micro-batches takes."""
    options = arguments()
    if not options.values:
        for micro in map(int, options.micro.split(",")):
            for schedule in options.schedule:
                Pipeline(
                    SIZES["large"],
                    schedule,
                    options.stages,
                    options.layers,
                    micro,
                    options.chunks,
                ).show()
        return
    one = Pipeline(SIZES["small"], "gpipe", 1, 8, 8).values()
    print(f"1 device: loss {one[0]:.6f}")
    for schedule, chunks in (("gpipe", 1), ("1f1b", 1), ("1f1b", 2)):
        loss, gradients = Pipeline(SIZES["small"], schedule, 4, 2, 8, chunks).values()
        error = max(
            float(np.abs(gradients[name] - g).max() / np.abs(g).max()) for name, g in one[1].items()
        )
        print(
            f"{schedule}, 4 stages in {chunks} chunks: loss {loss:.6f}, "
            f"gradients within {error:.1e}"
        )
        assert abs(loss / one[0] - 1) < 1e-4 and error < 1e-4, (schedule, chunks, loss, error)


if __name__ == "__main__":
    main()
