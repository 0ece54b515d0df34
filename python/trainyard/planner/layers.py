"""Blocks of a layer as plain JAX functions, compiled by trainyard.model and run for their time.

Forward, or forward with gradients (jax.vjp). Nothing here is written for the machine.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, TypeAlias

from trainyard.planner.attention import attention_program, product
from trainyard.planner.blocks import ROWS, Attention, Block, Experts, FeedForward, Norm
from trainyard.usage import UsageError

# Multiply-accumulates of one program: what compiles and runs in about three seconds.
MACS_MAX = 2e11
BACKWARD = 3  # products of a block with its gradients, over those without
FORMATS = {"bf16": "bfloat16", "fp8": "float8_e4m3"}


@dataclass(frozen=True)
class Timed:
    """A block's time on one core, of all its rows, and why it is not less."""

    seconds: float
    rows: int  # that were simulated; the others take as long each
    peak: float  # share of the tensor engine's peak, which is that of bf16
    busiest: tuple[str, float]  # the unit, and its share of the time
    operations: tuple[tuple[str, float], ...]  # the longest, with their shares of engine time


def check_jax() -> None:
    """Raises UsageError where JAX is missing, which traces the blocks."""
    if importlib.util.find_spec("jax") is None:
        raise UsageError(
            "--exact traces layers by JAX, which is not installed: pip install jax, or leave "
            "--exact out"
        )


@cache
def timed(block: Block, machine: str) -> Timed:
    """The block on one core of the machine, simulated; of many rows, as many as are quick."""
    check_jax()
    from trainyard import model

    rows = rows_of(block)
    sample = block if rows == block.rows else block.sampled(rows)
    function, shapes = program(sample)
    import numpy as np

    arguments = _filled(shapes, np.zeros)
    run = model.compile(function, *arguments, machine=machine).run(
        *arguments, timed=True, values=False
    )
    reports = run.reports
    longest = max(reports, key=lambda one: one["duration_ns"])
    peaks = [_peak(one) * one["duration_ns"] for one in reports]
    whole = sum(one["duration_ns"] for one in reports)
    return Timed(
        run.seconds * block.rows / rows,
        rows,
        sum(peaks) / whole,
        (longest["bound"]["busiest"], longest["bound"]["busy"]),
        _operations(reports),
    )


def rows_of(block: Block) -> int:
    """How many of the rows are simulated: all, or whole blocks of queries within MACS_MAX."""
    cost = block.macs * (BACKWARD if block.backward else 1)
    rows = block.rows
    while cost > MACS_MAX and rows > ROWS:
        rows = max(ROWS, rows // 2 // ROWS * ROWS)
        cost = block.sampled(rows).macs * (BACKWARD if block.backward else 1)
    return rows


def _peak(report: dict[str, Any]) -> float:
    limits = report["speed_of_light"]["limits"]
    return float(sum(one["share"] for one in limits if one["unit"] == "tensor arithmetic"))


def _operations(reports: list[dict[str, Any]]) -> tuple[tuple[str, float], ...]:
    """Engine time, working and waiting, by the name that the function's scopes give."""
    ticks: dict[str, float] = {}
    for report in reports:
        for one in report["operations"]:
            name = _scope(one["function"])
            ticks[name] = ticks.get(name, 0) + sum(one["engine_ticks"].values())
    whole = sum(ticks.values()) or 1
    ranked = sorted(ticks.items(), key=lambda one: (-one[1], one[0]))
    return tuple((name, spent / whole) for name, spent in ranked)


def _scope(function: str) -> str:
    for name in SCOPES:
        if f"{name})" in function or f"{name}/" in function:
            return name
    return function.rsplit("/", 1)[-1].replace("_", " ") or "other"


SCOPES = (
    "projections",
    "rotation",
    "scores",
    "mask",
    "softmax",
    "weighted values",
    "products",
    "gate",
    "router",
    "dispatch",
    "combine",
    "norm",
    "residual",
)

# Shapes of arguments: (sizes, dtype), or a dictionary of them.
Shapes: TypeAlias = Any


def _filled(shapes: Shapes, make: Callable[..., Any]) -> Any:
    if isinstance(shapes, dict):
        return {name: _filled(one, make) for name, one in shapes.items()}
    if isinstance(shapes, list):
        return [_filled(one, make) for one in shapes]
    return make(*shapes)


def program(block: Block) -> tuple[Callable[..., Any], list[Shapes]]:
    """The block's function, and the shapes and types of its arguments.

    Weights first, then the rows; with gradients, those of the results come last, and the results
    are gradients of weights and rows.
    """
    import jax.numpy as jnp

    wide, narrow = jnp.bfloat16, getattr(jnp, FORMATS[getattr(block, "format", "bf16")])
    match block:
        case Attention():
            function, weights, given = attention_program(block, narrow)
        case FeedForward(rows=rows, hidden=hidden, inner=inner, gated=gated):
            weights = {"up": ((hidden, inner), narrow), "down": ((inner, hidden), narrow)}
            if gated:
                weights["gate"] = ((hidden, inner), narrow)
            function, given = feed_forward, [((rows, hidden), wide)]
        case Experts(rows=rows, hidden=hidden, local=local, inner=inner):
            weights: dict[str, Shapes] = {"router": ((hidden, block.experts), wide)}
            for name in ("up", "gate"):
                weights[name] = ((local, hidden, inner), narrow)
            weights["down"] = ((local, inner, hidden), narrow)
            function, given = partial(experts, block), [((rows, hidden), wide)]
        case Norm(rows=rows, hidden=hidden):
            weights = {"gain": ((hidden,), wide)}
            if block.mean:
                weights["shift"] = ((hidden,), wide)
            function, given = residual_norm, [((rows, hidden), wide)] * 2
    if not block.backward:
        return function, [weights, *given]
    results = [((block.rows, block.hidden), wide)] * (2 if isinstance(block, Norm) else 1)
    return partial(gradients, function, len(results)), [weights, *given, *results]


def gradients(function: Callable[..., Any], results: int, weights: Any, *given: Any) -> Any:
    """Those of the weights and of the first argument: forward, then backward.

    given: the function's arguments, then the gradients of its results.
    """
    import jax

    x, *constant = given[:-results]
    behind = given[-results:]
    pull = jax.vjp(lambda weights, x: function(weights, x, *constant), weights, x)[1]
    return pull(behind if results > 1 else behind[0])


def feed_forward(weights: dict[str, Any], x: Any) -> Any:
    """x: [rows, hidden]. SwiGLU where there is a gate, else gelu."""
    import jax

    with jax.named_scope("products"):
        up = product(x, weights["up"])
        gate = product(x, weights["gate"]) if "gate" in weights else None
    with jax.named_scope("gate"):
        inner = jax.nn.gelu(up) if gate is None else jax.nn.silu(gate) * up
    with jax.named_scope("products"):
        return product(inner, weights["down"])


def residual_norm(weights: dict[str, Any], x: Any, sums: Any) -> tuple[Any, Any]:
    """x and sums: [rows, hidden]. Their sum, and its RMSNorm or, with a shift, LayerNorm."""
    import jax
    import jax.numpy as jnp

    with jax.named_scope("residual"):
        x = x + sums
    with jax.named_scope("norm"):
        wide = x.astype(jnp.float32)
        if "shift" in weights:
            wide = wide - jnp.mean(wide, -1, keepdims=True)
        scale = jax.lax.rsqrt(jnp.mean(wide * wide, -1, keepdims=True) + 1e-5)
        return x, _gained((wide * scale).astype(x.dtype), *weights.values())


def _gained(x: Any, *weights: Any) -> Any:
    """x * gain + shift, whose gradients sum rows by a product, as the engines do best."""
    import jax
    import jax.numpy as jnp

    def value(x: Any, gain: Any, *shift: Any) -> Any:
        return x * gain + shift[0] if shift else x * gain

    def pull(kept: Any, given: Any) -> Any:
        x, gain, *shift = kept
        ones = jnp.ones((1, x.shape[0]), x.dtype)
        return (given * gain, (ones @ (given * x))[0], *((ones @ given)[0] for _ in shift))

    function = jax.custom_vjp(value)
    function.defvjp(lambda *all: (value(*all), all), pull)
    return function(x, *weights)


def route(block: Experts, weights: Any, x: Any) -> tuple[Any, Any]:
    """The chosen experts of each row: [rows, experts] one-hot and summed, and with their weights.

    The largest scores one after the other: of few chosen ones, that is shorter than a sort.
    """
    import jax
    import jax.numpy as jnp

    with jax.named_scope("router"):
        left = jnp.matmul(x, weights, preferred_element_type=jnp.float32)
        scores = jnp.exp(left - jnp.max(left, -1, keepdims=True))
        chosen = jnp.zeros_like(left)
        for _ in range(block.chosen):
            best = (left == jnp.max(left, -1, keepdims=True)).astype(jnp.float32)
            chosen = chosen + best
            left = left - best * 1e30
        shares = scores * chosen
        return chosen, shares / jnp.sum(shares, -1, keepdims=True)


def _expert_products(weights: dict[str, Any], x: Any) -> Any:
    """x: [experts, rows, hidden]."""
    import jax
    import jax.numpy as jnp

    def each(a: Any, b: Any) -> Any:
        how = {"preferred_element_type": a.dtype}
        return jnp.einsum("etn,enm->etm", a.astype(b.dtype), b, **how)

    with jax.named_scope("products"):
        up, gate = each(x, weights["up"]), each(x, weights["gate"])
    with jax.named_scope("gate"):
        inner = jax.nn.silu(gate) * up
    with jax.named_scope("products"):
        return each(inner, weights["down"])


def experts(block: Experts, weights: dict[str, Any], x: Any) -> Any:
    """x: [rows, hidden]. What the core's experts add to each row."""
    import jax
    import jax.numpy as jnp

    rows, hidden, local = block.rows, block.hidden, block.local
    chosen, shares = route(block, weights["router"], x)
    chosen, shares = chosen[:, :local], shares[:, :local]
    if block.every:
        results = _expert_products(weights, jnp.broadcast_to(x, (local, rows, hidden)))
        total = None
        for one in range(local):
            with jax.named_scope("combine"):
                added = results[one] * shares[:, one, None].astype(x.dtype)
                total = added if total is None else total + added
        return total
    places = local * block.capacity
    with jax.named_scope("dispatch"):
        before = jnp.tril(jnp.ones((rows, rows), x.dtype), -1)
        order = jnp.matmul(before, chosen.astype(x.dtype), preferred_element_type=jnp.float32)
        first = jnp.arange(local, dtype=jnp.float32) * block.capacity
        stays = (chosen > 0) & (order < block.capacity)
        place = jnp.where(stays, order + first, places).astype(jnp.int32)
        row = jnp.broadcast_to(jnp.arange(rows, dtype=jnp.int32)[:, None], (rows, local))
        rows_of_places = jnp.zeros(places + 1, jnp.int32).at[place].set(row)[:places]
        weight_of_places = jnp.zeros(places + 1, jnp.float32).at[place].set(shares)[:places]
        taken = x[rows_of_places].reshape(local, block.capacity, hidden)
    results = _expert_products(weights, taken).reshape(places, hidden)
    with jax.named_scope("combine"):
        results = results * weight_of_places[:, None].astype(x.dtype)
        return jnp.zeros_like(x).at[rows_of_places].add(results)
