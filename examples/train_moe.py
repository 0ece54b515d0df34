"""A training step of a mixture of a trillion parameters on 144 simulated Trainium3 chips.

  python examples/train_moe.py --chips 144                 128 experts of which a token takes 8
  python examples/train_moe.py --model moe-30b --chips 16   a small one: 30 billion
  python examples/train_moe.py --values                     a tiny one, with its values

The mesh is two axes: experts are divided along "expert", what each holds of a matrix along "data",
and sequences along both. A layer is attention (as in train_llama.py) and a block of experts in
jax.shard_map: each device ranks its tokens by expert, sends as many rows to each expert as it has
capacity for (all_to_all), multiplies what came with its experts' matrices, gathered along "data"
(FSDP), and sends the rows back: in pieces, of which one is under way while another is computed.
Moments are bfloat16, weights float32, as DeepSeek-V3 trains.

MFU is of 78.6 TFLOPS (bfloat16) for each core, and counts eight experts a token, not the rows that
capacity leaves empty. Time only, but for --values, which compares the loss with that of one device.
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
import train_llama
from jax.sharding import PartitionSpec as P
from train_llama import Tree, attend, rms_norm

MODELS = {
    "moe-1t": {
        "layers": 61,
        "hidden": 9216,
        "heads": 72,
        "kv_heads": 8,
        "experts": 128,
        "chosen": 8,
        "ffn": 4608,
        "expert_ways": 64,
        "pieces": 8,
    },
    "moe-30b": {
        "layers": 48,
        "hidden": 2048,
        "heads": 32,
        "kv_heads": 4,
        "experts": 128,
        "chosen": 8,
        "ffn": 768,
        "expert_ways": 16,
        "pieces": 2,
    },
    "tiny": {
        "layers": 2,
        "hidden": 64,
        "heads": 4,
        "kv_heads": 2,
        "experts": 8,
        "chosen": 2,
        "ffn": 96,
        "expert_ways": 2,
        "pieces": 2,
    },
}
VOCABULARY = {"tiny": 512}
BOTH = ("data", "expert")
FSDP, EXPERTS = P(None, BOTH, None), P(None, "expert", "data", None)  # of all layers


def arguments() -> argparse.Namespace:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(description="A training step of a mixture of experts.")
    add = parser.add_argument
    add("--model", choices=MODELS, default="moe-1t")
    add("--chips", type=int, default=1)
    add("--expert-ways", type=int, help="devices that share all experts (default: by model)")
    add("--capacity", type=float, default=1.25, help="rows an expert takes, over an even share")
    add("--pieces", type=int, help="of a device's tokens, sent one by one (default: by model)")
    add("--sequence", type=int, default=8192)
    add("--accumulate", type=int, default=1, help="batches whose gradients a step adds up")
    add("--keep", default="", help="products that a layer's checkpoint keeps: q,k,v")
    add("--values", action="store_true", help="a tiny model, with its values")
    options = parser.parse_args()
    if options.values:  # a capacity that leaves no row out
        options.model, options.sequence, options.capacity = "tiny", 32, 4.0
    options.narrow_moments, options.group = True, 1
    options.sequence_parallel, options.format = False, "bf16"
    options.pieces = options.pieces or MODELS[options.model]["pieces"]
    if options.pieces < 1 or options.sequence % options.pieces:
        parser.error(f"--pieces {options.pieces}: a number that divides {options.sequence} tokens")
    os.environ["TRAINYARD_CHIPS"] = str(options.chips)
    return options


def shapes_of(model: str) -> Tree:
    """The shape of each weight; those of layers are stacked."""
    size = MODELS[model]
    n, hidden, ffn, experts = (size[name] for name in ("layers", "hidden", "ffn", "experts"))
    layers = train_llama.attention_shapes(size, n) | {
        "router": (n, hidden, experts),
        "gate": (n, experts, hidden, ffn),
        "up": (n, experts, hidden, ffn),
        "down": (n, experts, ffn, hidden),
    }
    return train_llama.around(layers, hidden, VOCABULARY.get(model, 128256))


SPECS = {
    "embedding": P("expert", "data"),
    "layers": {
        "norm": P(),
        "q": FSDP,
        "k": FSDP,
        "v": FSDP,
        "o": FSDP,
        "mlp_norm": P(),
        "router": P(),
        "gate": EXPERTS,
        "up": EXPERTS,
        "down": EXPERTS,
    },
    "norm": P(),
    "head": P(BOTH, None),
}


def places(chosen: jax.Array, experts: int, capacity: int) -> tuple[jax.Array, jax.Array]:
    """Where rows go: of each choice [tokens, k] its slot, and of each slot its token.

    An expert's slots are capacity places in the order of tokens; what finds none gets a number
    behind all slots, and an empty slot a number behind all tokens.
    """
    tokens, k = chosen.shape
    counts = jax.nn.one_hot(chosen, experts, dtype=jnp.int32).sum(1)
    before = jnp.cumsum(counts, 0) - counts  # of each token's expert, the tokens that came earlier
    rank = jnp.take_along_axis(before, chosen, 1)
    slots = experts * capacity
    slot = jnp.where(rank < capacity, chosen * capacity + rank, slots)
    owner = jnp.repeat(jnp.arange(tokens, dtype=jnp.int32), k)
    token = jnp.full(slots + 1, tokens, jnp.int32).at[slot.reshape(-1)].set(owner)[:-1]
    return slot, token


def experts_block(
    x: jax.Array, p: Tree, size: dict[str, int], capacity_factor: float, pieces: int
) -> jax.Array:
    """Inside shard_map: x [sequences, tokens, hidden] and what its experts make of it.

    A piece of the tokens is sent while another one is computed, and a gradient holds what experts
    made of one piece only.
    """
    whole = {
        name: jax.lax.all_gather(p[name], "data", axis=1, tiled=True)
        for name in ("gate", "up", "down")
    }
    routed = jax.checkpoint(partial(experts_of, size=size, capacity_factor=capacity_factor))
    rows = jnp.split(x.reshape(-1, x.shape[-1]), pieces)
    return jnp.concatenate([routed(some, p["router"], whole) for some in rows]).reshape(x.shape)


def experts_of(
    rows: jax.Array, router: jax.Array, whole: Tree, size: dict[str, int], capacity_factor: float
) -> jax.Array:
    """rows [tokens, hidden], to their experts and back."""
    hidden = rows.shape[-1]
    capacity = math.ceil(len(rows) * size["chosen"] / size["experts"] * capacity_factor)
    logits = (rows @ router).astype(jnp.float32)
    weight, chosen = jax.lax.top_k(logits, size["chosen"])
    weight = jax.nn.softmax(weight, -1).astype(rows.dtype)
    slot, token = places(chosen, size["experts"], capacity)
    sent = rows.at[token].get(mode="fill", fill_value=0)
    sent = sent.reshape(size["experts"], capacity, hidden)
    came = jax.lax.all_to_all(sent, "expert", 0, 1, tiled=True)  # [mine, ways x capacity, hidden]
    gate = jnp.einsum("ech,ehf->ecf", came, whole["gate"])
    up = jnp.einsum("ech,ehf->ecf", came, whole["up"])
    made = jnp.einsum("ecf,efh->ech", jax.nn.silu(gate) * up, whole["down"])
    back = jax.lax.all_to_all(made, "expert", 1, 0, tiled=True).reshape(-1, hidden)
    taken = back.at[slot].get(mode="fill", fill_value=0)
    return jnp.einsum("tkh,tk->th", taken, weight)


def layer(
    x: jax.Array, p: Tree, size: dict[str, int], mesh: Any, capacity: float, pieces: int
) -> jax.Array:
    """x [sequences, tokens, hidden]."""
    x = attend(x, p, size["hidden"] // size["heads"])
    h = rms_norm(x, p["mlp_norm"])
    names = ("router", "gate", "up", "down")
    lie = {name: P(*SPECS["layers"][name][1:]) for name in names}
    block = jax.shard_map(
        partial(experts_block, size=size, capacity_factor=capacity, pieces=pieces),
        mesh=mesh,
        in_specs=(P(BOTH), lie),
        out_specs=P(BOTH),
    )
    return x + block(h, {name: p[name] for name in names})


class Division(train_llama.Division):
    """The step on experts' devices x replicas of them."""

    AXES, ROWS = BOTH, BOTH

    def ways(self) -> tuple[int, ...]:
        """Of each axis."""
        return self.replicas, self.tp

    def layer(self) -> Any:
        """A layer, of its input and its weights."""
        size = MODELS[self.options.model]
        options = self.options
        return partial(
            layer, size=size, mesh=self.mesh, capacity=options.capacity, pieces=options.pieces
        )

    def weights(self) -> tuple[Tree, Tree]:
        """The shapes of weights, and how they lie."""
        return shapes_of(self.options.model), SPECS

    def sequences(self) -> int:
        """Of a batch: one a device."""
        return self.tp * self.replicas

    def name(self) -> str:
        """In words."""
        shapes = jax.tree.leaves(
            shapes_of(self.options.model), is_leaf=lambda s: isinstance(s, tuple)
        )
        parameters = sum(int(np.prod(shape)) for shape in shapes)
        return (
            f"{self.options.model} ({parameters / 1e9:,.0f} billion parameters), experts over "
            f"{self.tp} devices x {self.replicas}"
        )

    def flops(self) -> float:
        """Of a step: products of the weights that a token meets, half of attention's scores."""
        size, shapes = MODELS[self.options.model], shapes_of(self.options.model)
        dense = [s for s in shapes["layers"].values() if len(s) == 3] + [shapes["head"]]
        each = [s for s in shapes["layers"].values() if len(s) == 4]
        parameters = sum(int(np.prod(shape)) for shape in dense)
        parameters += sum(int(np.prod(s)) * size["chosen"] // size["experts"] for s in each)
        scores = size["layers"] * 2 * self.options.sequence * size["hidden"]
        return 3 * self.tokens() * (2 * parameters + scores)


def main() -> None:
    """Prints what the division takes."""
    options = arguments()
    devices = options.chips * train_llama.CORES // train_llama.DEVICE_CORES
    ways = options.expert_ways or min(devices, MODELS[options.model]["expert_ways"])
    if devices % ways or MODELS[options.model]["experts"] % ways:
        raise SystemExit(
            f"{ways} devices for all experts: a number that divides {devices} devices and "
            f"{MODELS[options.model]['experts']} experts is asked for"
        )
    if not options.values:
        Division(options, ways, devices // ways).show()
        return
    one = Division(options, 1, 1)
    one.sequences = lambda: 4  # type: ignore[method-assign]  # those of all four devices
    several = Division(options, ways, devices // ways)
    losses = one.loss(), several.loss()
    print(f"loss {losses[1]:.6f} on {devices} devices, on one device {losses[0]:.6f}")
    assert abs(losses[1] / losses[0] - 1) < 1e-4


if __name__ == "__main__":
    main()
