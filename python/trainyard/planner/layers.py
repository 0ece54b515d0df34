"""Blocks of a layer as plain JAX functions, compiled by trainyard.model and run for their time.

Forward, or forward with gradients (jax.vjp). Nothing here is written for the machine.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any, TypeAlias

from trainyard.planner.attention import attention_program, product
from trainyard.planner.blocks import ROWS, Attention, Block, Experts, FeedForward, Norm
from trainyard.usage import UsageError

# Multiply-accumulates of one program: what compiles and runs in about three seconds.
MACS_MAX = 2e11
EXPERTS_MAX = 64  # of one program, where each computes every token: they are alike
BACKWARD = 3  # products of a block with its gradients, over those without
FORMATS = {"bf16": "bfloat16", "fp8": "float8_e4m3"}


@dataclass(frozen=True)
class Timed:
    """A block's time on one core, of all its rows, and why it is not less."""

    seconds: float
    sample: Block  # what was simulated; other rows and experts take as long each
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

    sample = sample_of(block)
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
        run.seconds * block.rows / sample.rows * _experts(block) / _experts(sample),
        sample,
        sum(peaks) / whole,
        (longest["bound"]["busiest"], longest["bound"]["busy"]),
        _operations(reports),
    )


def sample_of(block: Block) -> Block:
    """What is simulated: all, or whole blocks of queries within MACS_MAX, and EXPERTS_MAX."""
    most = MACS_MAX / (BACKWARD if block.backward else 1)
    sample = block
    while sample.macs > most and sample.rows > ROWS:
        sample = block.sampled(max(ROWS, sample.rows // 2 // ROWS * ROWS))
    if isinstance(sample, Experts) and sample.every:
        sample = replace(sample, local=min(sample.local, EXPERTS_MAX))
    return sample


def _experts(block: Block) -> int:
    return block.local if isinstance(block, Experts) else 1


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
    last = function.rsplit("/", 1)[-1]
    return "other" if not last or last.startswith("jit(") else last.replace("_", " ")


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


def _expert_products(weights: dict[str, Any], x: Any, wide: Any) -> Any:
    """x: [experts, rows, hidden]; wide: the type of the results."""
    import jax
    import jax.numpy as jnp

    def each(a: Any, b: Any) -> Any:
        return jnp.einsum("etn,enm->etm", a.astype(b.dtype), b, preferred_element_type=wide)

    with jax.named_scope("products"):
        up, gate = each(x, weights["up"]), each(x, weights["gate"])
    with jax.named_scope("gate"):
        inner = jax.nn.silu(gate) * up
    with jax.named_scope("products"):
        return each(inner, weights["down"])


def _before(chosen: Any) -> Any:
    """chosen: [rows, experts] of 0 and 1. How many rows before chose the expert; by products."""
    import jax.numpy as jnp

    rows, count = chosen.shape
    step = next(size for size in range(min(rows, ROWS), 0, -1) if rows % size == 0)
    parts = chosen.reshape(-1, step, count)

    def earlier(size: int) -> Any:
        return jnp.tril(jnp.ones((size, size), jnp.float32), -1)

    inside = jnp.einsum("tu,bue->bte", earlier(step), parts)
    parts_before = earlier(parts.shape[0]) @ jnp.sum(parts, 1)
    return (inside + parts_before[:, None]).reshape(rows, count)


def experts(block: Experts, weights: dict[str, Any], x: Any) -> Any:
    """x: [rows, hidden]. What the core's experts add to each row."""
    import jax
    import jax.numpy as jnp

    rows, hidden, local = block.rows, block.hidden, block.local
    chosen, shares = route(block, weights["router"], x)
    chosen, shares = chosen[:, :local], shares[:, :local]
    if block.every:
        narrow = x.astype(weights["up"].dtype)  # once, not for each expert
        every = jnp.broadcast_to(narrow, (local, rows, hidden))
        results = _expert_products(weights, every, x.dtype)
        total = None
        for one in range(local):
            with jax.named_scope("combine"):
                added = results[one] * shares[:, one, None].astype(x.dtype)
                total = added if total is None else total + added
        return total
    places = local * block.capacity
    with jax.named_scope("dispatch"):
        order = _before(chosen)
        first = jnp.arange(local, dtype=jnp.float32) * block.capacity
        stays = (chosen > 0) & (order < block.capacity)
        place = jnp.where(stays, order + first, places).astype(jnp.int32)
        # One more than the row, so that nothing is left where no token goes.
        row = jnp.broadcast_to(jnp.arange(1, rows + 1, dtype=jnp.int32)[:, None], (rows, local))
        found = jnp.zeros(places + 1, jnp.int32).at[place].set(row)[:places]
        rows_of_places = jnp.maximum(found - 1, 0)
        expert = jnp.arange(places, dtype=jnp.int32) // block.capacity
        shares_of_places = shares.reshape(-1)[rows_of_places * local + expert]
        weights_of_places = jnp.where(found > 0, shares_of_places, 0)
        taken = x[rows_of_places].reshape(local, block.capacity, hidden)
    results = _expert_products(weights, taken, x.dtype).reshape(places, hidden)
    with jax.named_scope("combine"):
        results = results * weights_of_places[:, None].astype(x.dtype)
        return jnp.zeros_like(x).at[rows_of_places].add(results)
