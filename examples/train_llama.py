"""A training step of Llama 3 on simulated Trainium3 chips, in plain JAX: its time and its cost.

  python examples/train_llama.py --chips 2                        Llama 3 8B, on two chips
  python examples/train_llama.py --model llama3-70b --chips 64    70B: on half a rack
  python examples/train_llama.py --model llama3-405b --chips 576 --group 7 --narrow-moments
                                                                  405B: on four racks of 144
  python examples/train_llama.py --chips 4 --splits 2x8,4x4        a table of divisions
  python examples/train_llama.py --values                         a small model, with its values
  trainyard plan train llama3-8b --on trn3-gen2 --chips 4 --tokens 1e9 --global-batch 16 \\
      --sequence 512 --cp 1 --pp 1 --zero 0 --torchtitan plan.toml
  python examples/train_llama.py --plan plan.toml                 divided as a plan says

Weights are in bfloat16 with float32 copies and AdamW's moments; a step adds up the gradients of
--accumulate batches of one sequence for each replica. Layers are scanned, each with a checkpoint
that keeps the products that are named; of --group layers only the first one's input is kept. The
mesh is three axes: matrices are divided along "model" (tensor parallel) and, with everything that
belongs to them, along "data" (FSDP); along "outer" lie replicas that do not divide a matrix's rows.
Time only, but for --values, which compares the loss with that of one device.

MFU is of 78.6 TFLOPS (bfloat16) for each of a chip's eight cores; recomputed products count once.
"""

from __future__ import annotations

import argparse
import math
import os
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.ad_checkpoint import checkpoint_name
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

MODELS = {
    "llama3-8b": {
        "layers": 32,
        "hidden": 4096,
        "heads": 32,
        "kv_heads": 8,
        "ffn": 14336,
    },
    "llama3-70b": {
        "layers": 80,
        "hidden": 8192,
        "heads": 64,
        "kv_heads": 8,
        "ffn": 28672,
    },
    "llama3-405b": {
        "layers": 126,
        "hidden": 16384,
        "heads": 128,
        "kv_heads": 8,
        "ffn": 53248,
    },
    "small": {"layers": 2, "hidden": 128, "heads": 8, "kv_heads": 4, "ffn": 256},
}
VOCABULARY = {"small": 512}
CORE_FLOPS, CORES = 78.6e12, 8  # bfloat16; of a chip
DEVICE_CORES = 2  # of a device that JAX sees
HBM = 144 * 2**30 * DEVICE_CORES / CORES  # of it, in bytes
TRILLION = 1e12
FORMATS = {
    "bf16": {},
    "mxfp8": {"precision": "weights=mxfp8,activations=mxfp8,gradients=mxfp8"},
}


def arguments() -> argparse.Namespace:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(description="A training step of Llama 3, divided by JAX.")
    add = parser.add_argument
    add("--model", choices=MODELS, default="llama3-8b")
    add("--chips", type=int, default=1)
    add(
        "--tp",
        type=int,
        help="devices that share each matrix; the others are replicas (FSDP)",
    )
    add("--splits", help="several divisions as TPxREPLICAS,...: one row of a table each")
    add("--sequence", type=int, default=8192)
    add(
        "--accumulate",
        type=int,
        default=1,
        help="batches whose gradients a step adds up",
    )
    add(
        "--group",
        type=int,
        default=1,
        help="layers whose inputs are computed again from the first one's, which is kept alone",
    )
    add(
        "--sequence-parallel",
        action="store_true",
        help="between products, tokens are divided along the axis of tensor parallelism",
    )
    add(
        "--format",
        choices=("bf16", "mxfp8"),
        default="bf16",
        help="of the operands of products of weights, forward and backward",
    )
    add("--narrow-moments", action="store_true", help="AdamW's moments are bfloat16")
    add(
        "--keep",
        default="",
        help="products that a layer's checkpoint keeps: gate,up,q,k,v",
    )
    add("--values", action="store_true", help="a small model, with its values")
    add("--plan", metavar="FILE", help="TorchTitan's TOML, of trainyard plan train")
    options = parser.parse_args()
    if options.values:
        options.model, options.sequence = "small", min(options.sequence, 32)
    os.environ["TRAINYARD_CHIPS"] = str(options.chips)  # JAX counts devices when asked for them
    return options


Tree = dict[str, Any]
COLUMNS, ROWS = P(None, "data", "model"), P(None, "model", "data")  # of all layers
SPECS = {
    "embedding": P("model", "data"),
    "layers": {
        "norm": P(),
        "q": COLUMNS,
        "k": COLUMNS,
        "v": COLUMNS,
        "o": ROWS,
        "mlp_norm": P(),
        "gate": COLUMNS,
        "up": COLUMNS,
        "down": ROWS,
    },
    "norm": P(),
    "head": P("data", "model"),
}


def attention_shapes(size: dict[str, int], layers: int) -> Tree:
    """The shape of each weight of attention and of both norms, stacked by layer."""
    hidden = size["hidden"]
    keys = hidden // size["heads"] * size["kv_heads"]
    return {
        "norm": (layers, hidden),
        "q": (layers, hidden, hidden),
        "k": (layers, hidden, keys),
        "v": (layers, hidden, keys),
        "o": (layers, hidden, hidden),
        "mlp_norm": (layers, hidden),
    }


def layer_shapes(size: dict[str, int], layers: int) -> Tree:
    """The shape of each weight of a layer, stacked."""
    hidden, ffn = size["hidden"], size["ffn"]
    return attention_shapes(size, layers) | {
        "gate": (layers, hidden, ffn),
        "up": (layers, hidden, ffn),
        "down": (layers, ffn, hidden),
    }


def around(layers: Tree, hidden: int, vocabulary: int) -> Tree:
    """The shapes of a model with such layers."""
    return {
        "embedding": (vocabulary, hidden),
        "layers": layers,
        "norm": (hidden,),
        "head": (hidden, vocabulary),
    }


def shapes_of(model: str) -> Tree:
    """The shape of each weight; those of layers are stacked."""
    size = MODELS[model]
    layers = layer_shapes(size, size["layers"])
    return around(layers, size["hidden"], VOCABULARY.get(model, 128256))


def rms_norm(x: jax.Array, weight: jax.Array) -> jax.Array:
    """x over its root mean square, in float32."""
    wide = x.astype(jnp.float32)
    scale = jax.lax.rsqrt(jnp.mean(wide * wide, -1, keepdims=True) + 1e-5)
    return (wide * scale).astype(x.dtype) * weight


def turn(x: jax.Array) -> jax.Array:
    """Rotary embedding; x [batch, tokens, heads, depth]."""
    depth, tokens = x.shape[-1], x.shape[1]
    speed = 500000.0 ** (jnp.arange(depth // 2, dtype=jnp.float32) / -(depth / 2))
    angle = jnp.arange(tokens, dtype=jnp.float32)[:, None] * speed
    cos, sin = jnp.cos(angle)[None, :, None], jnp.sin(angle)[None, :, None]
    a, b = jnp.split(x.astype(jnp.float32), 2, -1)
    return jnp.concatenate([a * cos - b * sin, a * sin + b * cos], -1).astype(x.dtype)


def attend(x: jax.Array, p: Tree, depth: int) -> jax.Array:
    """x [batch, tokens, hidden] and the attention of its norm."""
    batch, tokens, hidden = x.shape
    h = rms_norm(x, p["norm"])
    q, k, v = (
        checkpoint_name((h @ p[name]).reshape(batch, tokens, -1, depth), name) for name in "qkv"
    )
    q = turn(q).reshape(batch, tokens, k.shape[2], -1, depth)
    scores = jnp.einsum("btkgd,bskd->bkgts", q, turn(k)).astype(jnp.float32) * depth**-0.5
    scores = jnp.where(jnp.tril(jnp.ones((tokens, tokens), bool)), scores, -1e9)
    mixed = jnp.einsum("bkgts,bskd->btkgd", jax.nn.softmax(scores, -1).astype(x.dtype), v)
    return x + mixed.reshape(batch, tokens, hidden) @ p["o"]


def layer(x: jax.Array, p: Tree, depth: int) -> jax.Array:
    """x [batch, tokens, hidden]."""
    x = attend(x, p, depth)
    h = rms_norm(x, p["mlp_norm"])
    gate, up = (checkpoint_name(h @ p[name], name) for name in ("gate", "up"))
    return x + (jax.nn.silu(gate) * up) @ p["down"]


def loss_of(
    p: Tree, ids: jax.Array, layer: Any, keep: str, rows: NamedSharding, group: int = 1
) -> jax.Array:
    """Cross-entropy of the next token; ids [batch, tokens + 1], layer(x, weights of one)."""
    policy = jax.checkpoint_policies.save_only_these_names(*keep.split(","))
    one = jax.checkpoint(layer, policy=policy)

    def step(x: jax.Array, w: Tree) -> tuple[jax.Array, None]:
        return jax.lax.with_sharding_constraint(one(x, w), rows), None

    x = jax.lax.with_sharding_constraint(p["embedding"][ids[:, :-1]], rows)

    def steps(x: jax.Array, some: Tree) -> tuple[jax.Array, None]:
        return jax.lax.scan(step, x, some)[0], None

    if group > 1:
        in_groups = jax.tree.map(lambda w: w.reshape(-1, group, *w.shape[1:]), p["layers"])
        x = jax.lax.scan(jax.checkpoint(steps), x, in_groups)[0]
    else:
        x = steps(x, p["layers"])[0]
    x = rms_norm(x, p["norm"])
    logits = (x @ p["head"]).astype(jnp.float32)
    chosen = jnp.take_along_axis(logits, ids[:, 1:, None], -1)[..., 0]
    return jnp.mean(jax.nn.logsumexp(logits, -1) - chosen)


def train(state: Tree, ids: jax.Array, loss: Any, dtype: Any) -> tuple[Tree, jax.Array]:
    """One step of AdamW on ids [accumulate, batch, tokens + 1]; weights are float32."""
    small = jax.tree.map(lambda w: w.astype(dtype), state["weights"])

    def add(total: Tree, batch: jax.Array) -> tuple[Tree, jax.Array]:
        value, gradient = jax.value_and_grad(loss)(small, batch)
        return jax.tree.map(lambda t, g: t + g.astype(jnp.float32), total, gradient), value

    if len(ids) == 1:
        losses, gradient = jax.value_and_grad(loss)(small, ids[0])
        gradient = jax.tree.map(lambda g: g.astype(jnp.float32), gradient)
    else:
        zeros = jax.tree.map(jnp.zeros_like, state["weights"])
        total, losses = jax.lax.scan(add, zeros, ids)
        gradient = jax.tree.map(lambda g: g / len(ids), total)

    def moment(m: jax.Array, term: jax.Array, keeps: float) -> jax.Array:
        return (keeps * m.astype(jnp.float32) + (1 - keeps) * term).astype(m.dtype)

    first = jax.tree.map(lambda m, g: moment(m, g, 0.9), state["first"], gradient)
    second = jax.tree.map(lambda v, g: moment(v, g * g, 0.95), state["second"], gradient)

    def moved(w: jax.Array, m: jax.Array, v: jax.Array) -> jax.Array:
        m, v = m.astype(jnp.float32), v.astype(jnp.float32)
        return w - 3e-4 * (m / (jnp.sqrt(v) + 1e-8) + 0.1 * w)

    weights = jax.tree.map(moved, state["weights"], first, second)
    return {"weights": weights, "first": first, "second": second}, jnp.mean(losses)


class Division:
    """The step on tp x replicas devices."""

    AXES = ("outer", "data", "model")  # replicas that share weights or not, tp
    ROWS: Any = ("outer", "data")  # that sequences are divided along

    def __init__(self, options: argparse.Namespace, tp: int, replicas: int) -> None:
        devices = jax.devices("neuron")
        if tp * replicas > len(devices):
            raise SystemExit(f"{tp} x {replicas} devices asked for, {len(devices)} are simulated")
        self.options, self.tp, self.replicas = options, tp, replicas
        self.mesh = Mesh(np.array(devices[: tp * replicas]).reshape(self.ways()), self.AXES)
        self.dtype = jnp.float32 if options.values else jnp.bfloat16
        tokens = "model" if options.sequence_parallel else None
        rows = NamedSharding(self.mesh, P(self.ROWS, tokens))
        loss = partial(
            loss_of, layer=self.layer(), keep=options.keep, rows=rows, group=options.group
        )
        self.step = jax.jit(
            partial(train, loss=loss, dtype=self.dtype),
            donate_argnums=0,
            compiler_options={"mode": "machine"} | FORMATS[options.format],
        )

    def ways(self) -> tuple[int, ...]:
        """Of each axis. Along "data" lie as many replicas as divide the rows of a matrix."""
        data = math.gcd(self.replicas, MODELS[self.options.model]["hidden"])
        return self.replicas // data, data, self.tp

    def layer(self) -> Any:
        """A layer, of its input and its weights."""
        size = MODELS[self.options.model]
        return partial(layer, depth=size["hidden"] // size["heads"])

    def weights(self) -> tuple[Tree, Tree]:
        """The shapes of weights, and how they lie."""
        return shapes_of(self.options.model), SPECS

    def sequences(self) -> int:
        """Of a batch."""
        return self.replicas

    def given(self) -> tuple[Tree, Any]:
        """Shapes of the step's arguments, with their shardings."""

        def all_of(dtype: Any) -> Tree:
            def one(shape: tuple[int, ...], spec: P) -> jax.ShapeDtypeStruct:
                lie = NamedSharding(self.mesh, self.fitting(shape, spec))
                return jax.ShapeDtypeStruct(shape, dtype, sharding=lie)

            return jax.tree.map(one, *self.weights(), is_leaf=lambda s: isinstance(s, tuple))

        size = (self.options.accumulate, self.sequences(), self.options.sequence + 1)
        rows = NamedSharding(self.mesh, P(None, self.ROWS))
        narrow = self.options.narrow_moments and not self.options.values
        moments = jnp.bfloat16 if narrow else jnp.float32
        state = {"weights": all_of(jnp.float32)}
        state |= {name: all_of(moments) for name in ("first", "second")}
        return state, jax.ShapeDtypeStruct(size, jnp.int32, sharding=rows)

    def fitting(self, shape: tuple[int, ...], spec: P) -> P:
        """Keys and values of fewer heads than devices are whole on each."""

        def divides(axes: Any, size: int) -> bool:
            ways = [self.mesh.shape[a] for a in (axes if isinstance(axes, tuple) else (axes,))]
            return size % int(np.prod(ways)) == 0

        return P(*(a if a and divides(a, shape[i]) else None for i, a in enumerate(spec)))

    def flops(self) -> float:
        """Of a step: products of weights, and half of the scores of attention (they are causal)."""
        size = MODELS[self.options.model]
        shapes = shapes_of(self.options.model)
        matrices = [s for name, s in shapes["layers"].items() if len(s) == 3] + [shapes["head"]]
        parameters = sum(int(np.prod(shape)) for shape in matrices)
        scores = size["layers"] * 2 * self.options.sequence * size["hidden"]
        return 3 * self.tokens() * (2 * parameters + scores)

    def tokens(self) -> int:
        """Of a step."""
        return self.options.accumulate * self.sequences() * self.options.sequence

    def name(self) -> str:
        """In words."""
        return f"{self.options.model}, tp {self.tp} x {self.replicas} replicas"

    def show(self) -> None:
        """Compiles the step and prints what it takes."""
        state, ids = self.given()
        compiled = self.step.lower(state, ids).compile()
        cost = compiled.cost_analysis()
        seconds, chips = cost["seconds"], self.tp * self.replicas * DEVICE_CORES / CORES
        exposed = cost.get("exposed collective seconds", 0.0)
        hidden = cost.get("collective seconds", 0.0) - exposed
        mfu = self.flops() / seconds / (chips * CORES * CORE_FLOPS)
        steps = TRILLION / self.tokens()
        memory = compiled.memory_analysis()
        held = memory.argument_size_in_bytes / 2**30
        between = memory.temp_size_in_bytes / 2**30
        print(
            f"{self.name()}: {seconds:.3f} s a step of {self.tokens():,} tokens, MFU {mfu:.1%}, "
            f"{self.tokens() / seconds:,.0f} tokens/s"
        )
        print(
            f"  collectives {exposed:.3f} s exposed, {hidden:.3f} s hidden; a device holds "
            f"{held:.2f} GiB of weights and moments, at most {between:.2f} GiB between"
        )
        if held + between > HBM / 2**30:
            print(f"  this does not fit: a device has {HBM / 2**30:.0f} GiB")
        dollars = cost.get("dollars", float("nan"))
        print(
            f"  {cost['joules']:,.0f} J and ${dollars:,.2f} a step; a trillion tokens: "
            f"{seconds * steps / 86400:,.0f} days, ${dollars * steps:,.0f}"
        )

    def loss(self) -> float:
        """Of a step with random weights and tokens."""
        state, ids = self.given()
        random = np.random.default_rng(0)

        def put(shape: jax.ShapeDtypeStruct, scale: float) -> jax.Array:
            values = random.normal(size=shape.shape).astype(np.float32) * scale
            return jax.device_put(values, shape.sharding)

        weights = jax.tree.map(lambda s: put(s, 0.05), state["weights"])
        moments = jax.tree.map(lambda s: put(s, 0.0), state["first"])
        tokens = random.integers(0, VOCABULARY["small"], size=(*ids.shape[:1], 4, ids.shape[2]))
        rows = jax.device_put(tokens.astype(np.int32), ids.sharding)
        zeros = jax.tree.map(jnp.copy, moments)
        _, value = self.step({"weights": weights, "first": moments, "second": zeros}, rows)
        return float(value)


def divisions(options: argparse.Namespace) -> list[tuple[int, int]]:
    """tp and replicas of each row that is asked for."""
    devices = options.chips * CORES // DEVICE_CORES
    if options.plan:
        from trainyard.planner.plan_files import read_plan

        plan = read_plan(options.plan, 1, MODELS[options.model]["layers"])
        for axis in ("cp", "ep", "pp"):
            if plan[axis] > 1:
                raise SystemExit(f"{options.plan}: this step has no {axis}, the plan {plan[axis]}")
        return [(plan["tp"], plan.get("dp", 1))]
    if options.splits:
        return [tuple(map(int, each.split("x"))) for each in options.splits.split(",")]
    if options.values:
        return [(2, 2), (4, 1), (1, 4)]
    tp = options.tp or min(devices, {"llama3-8b": 2}.get(options.model, 4))
    return [(tp, devices // tp)]


def main() -> None:
    """Prints what each division takes."""
    options = arguments()
    layers = MODELS["small" if options.values else options.model]["layers"]
    if options.group < 1 or layers % options.group:
        raise SystemExit(f"--group {options.group}: {layers} layers are not groups of so many")
    rows = divisions(options)
    if not options.values:
        for tp, replicas in rows:
            Division(options, tp, replicas).show()
        return
    one = Division(options, 1, 1).loss()
    for tp, replicas in rows:
        several = Division(options, tp, replicas).loss()
        assert abs(several / one - 1) < 1e-4, (tp, replicas, several, one)
        print(f"tp {tp} x {replicas} replicas: loss {several:.6f}, on one device {one:.6f}")


if __name__ == "__main__":
    main()
