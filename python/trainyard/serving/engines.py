"""The engine that `trainyard serve` is asked for: options to exact.Engine or placeholders.Engine,
and whether the host holds the pace."""

from __future__ import annotations

import argparse
import os
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import trainyard
from trainyard.serving import adapters, drafts, exact, models, pace, placeholders, replicas
from trainyard.serving.words import Model
from trainyard.usage import UsageError

# Options that one of the engines has, with what they are where nothing is said.
EXACT: dict[str, Any] = {
    "machine": "trn3",
    "dtype": "float32",
    "cores": 1,
    "chips": 1,
    "cache_blocks": 128,
    "embeddings": "all-MiniLM-L6-v2",
    "lora": [],
    "draft": "",
    "seed": 0,
}
PLANNED: dict[str, Any] = {
    "on": "trn3-gen2",
    "tokenizer": None,
    "answer_tokens": placeholders.ANSWER,
    "price": "own",
}
# exact, planned
BOTH = {"max_num_seqs": (8, 256), "ep": ("no", "auto"), "dp": (1, None), "tp": (1, None)}
CONTEXT = 1024  # tokens of a request to the exact engine, where the model has as many


def complete(options: argparse.Namespace) -> None:
    """Fills in what was not said. Raises UsageError for an option of the other engine."""
    mine, others = (PLANNED, EXACT) if options.planned else (EXACT, PLANNED)
    for name in others:
        if getattr(options, name) not in (None, []):
            which = "computes values" if options.planned else "is --planned"
            raise UsageError(f"--{name.replace('_', '-')} is for a server that {which}")
    if not options.planned:
        _divide(options)
    for name, value in mine.items():
        if getattr(options, name) is None:
            setattr(options, name, value)
    for name, values in BOTH.items():
        if getattr(options, name) is None:
            setattr(options, name, values[options.planned])


def _divide(options: argparse.Namespace) -> None:
    """Between the cores of an exact engine, which are its --tp. Raises UsageError."""
    if options.cores is not None and options.tp is not None:
        raise UsageError("--cores and --tp are the same for a server that computes values")
    options.cores = options.cores if options.tp is None else options.tp
    if (options.dp or 1) > 1 and (options.cores or 1) == 1:  # ranks have whole experts
        if options.ep == "no":
            raise UsageError("--dp is of ranks that have whole experts each: --ep yes")
        options.ep = "no"


def planned(options: argparse.Namespace) -> placeholders.Engine:
    """Of completed options."""
    asked = replicas.Asked(
        options.model,
        options.on,
        tp=options.tp,
        dp=options.dp,
        ep=options.ep,
        weights=options.weights or None,
        cache=options.cache or "bf16",
        price=options.price,
        requests_max=options.max_num_seqs,
        swaps=options.swap,
        waiting_max=options.queue,
        host_us=options.host_us,
    )
    words = Path(options.tokenizer) if options.tokenizer else None
    engine = placeholders.load(asked, options.context, words, options.answer_tokens)
    return replace(engine, model=_named(engine.model, options))


def _named(model: Model, options: argparse.Namespace) -> Model:
    """By the name that clients know it by."""
    return replace(model, name=options.served_model_name or model.name)


def computed(options: argparse.Namespace) -> exact.Engine:
    """Likewise."""
    if options.chips > 1:
        _take_chips(options.chips)
    if options.ep not in replicas.EXPERTS:
        raise UsageError(f"--ep is {', '.join(replicas.EXPERTS)}, not {options.ep}")
    model = _named(models.load(options.model, options.dtype, options.seed), options)

    def made(has_whole_experts: bool) -> exact.Engine:
        engine = exact.Engine(
            model,
            options.machine,
            _limits(options, model),
            _adapted(options, model),
            options.cores,
            options.weights,
            options.cache,
            has_whole_experts,
            options.dp,
        )
        engine.on_compile = _say
        engine.scheduling = options.host_us * 1e-6
        return engine

    if options.ep != "auto":
        return made(options.ep == "yes")
    whole, divided = made(True), made(False)
    seconds = [_step_seconds(one) for one in (whole, divided)]
    best = int(seconds[1] < seconds[0])
    _say(
        f"--ep {('yes', 'no')[best]}: a step of {seconds[best] * 1e6:.0f} us, not of "
        f"{seconds[1 - best] * 1e6:.0f}"
    )
    return (whole, divided)[best]


def _say(text: str) -> None:
    print(f"trainyard: {text}", file=sys.stderr, flush=True)


def _step_seconds(engine: exact.Engine) -> float:
    """Of the largest piece of a prompt and a token of as many requests as there may be."""
    limits = engine.limits
    pages = limits.contexts[0] // limits.block_tokens
    largest = ("prefill", limits.chunks[-1]), ("decode", limits.batches[-1])
    return float(sum(engine.program(kind, rows, pages).seconds for kind, rows in largest))


def _take_chips(many: int) -> None:
    """Of which JAX's devices are: read when its plugin begins. Raises UsageError where it has."""
    if "jax" in sys.modules:
        raise UsageError("chips are chosen before JAX is imported: set TRAINYARD_CHIPS instead")
    os.environ["TRAINYARD_CHIPS"] = str(many)


def check_pace(engine: exact.Engine, asked: pace.Pace) -> None:
    """Raises UsageError where the host cannot hold it: by a step of decoding alone, one of the
    largest batch and the largest piece of a prompt, each compiled first."""
    limits = engine.limits
    room = limits.contexts[0] // limits.block_tokens
    table = [[block % limits.pages for block in range(room)]] * len(limits.windows)
    most = limits.batches[-1]
    rows = [exact.Row([0], limits.block_tokens, table)] * most
    whole = [list(range(limits.blocks))] * len(limits.windows)
    piece = exact.Row([0] * limits.chunks[-1], 0, whole)
    slowest = (float("inf"), 0.0, 1.0)
    for run in (
        lambda: engine.decode(rows[:1]),
        lambda: engine.decode(rows),
        lambda: engine.prefill([piece]),
    ):
        run()
        began = time.perf_counter()
        seconds = run()[1]
        wall = time.perf_counter() - began
        slowest = min(slowest, (seconds / wall, seconds, wall))
    pace.check(asked, slowest[1], slowest[2], engine.model.name)


def _adapted(options: argparse.Namespace, model: Any) -> list[Any]:
    named = [adapters.parse(text) for text in options.lora]
    taken = {model.name, options.embeddings}
    for name, _ in named:
        if name in taken:
            raise UsageError(f"--lora: the name {name} is taken")
        taken.add(name)
    return [adapters.load(name, folder, model.config) for name, folder in named]


def _limits(options: argparse.Namespace, model: Model) -> exact.Limits:
    """Raises UsageError where the model or the cache has no room for the context that is asked
    for."""
    places, block = model.config.context_max, exact.Limits.block_tokens
    draft = drafts.Draft.parse(options.draft) if options.draft else drafts.Draft()
    room = options.cache_blocks * block - draft.tokens
    context = options.context or max(1, min(CONTEXT, places, room))
    if context > places:
        raise UsageError(f"{model.name} has {places} places for tokens, and not {context}")
    if context > room:
        needed = -(-(context + draft.tokens) // block)
        raise UsageError(
            f"a cache of {options.cache_blocks} blocks of {block} tokens holds no request of "
            f"{context}: --cache-blocks {needed}, or --context {room}"
        )
    whole = -(-context // block) * block

    def doubled(first: int, last: int, times: int) -> tuple[int, ...]:
        found = [first]
        while found[-1] < last:
            found.append(found[-1] * times)
        return tuple(found)

    return exact.Limits(
        blocks=options.cache_blocks,
        batches=tuple(
            min(one, options.max_num_seqs) for one in doubled(1, options.max_num_seqs, 2)
        ),
        contexts=tuple(min(one, whole) for one in doubled(min(64, whole), whole, 4)),
        waiting_max=options.queue,
        swaps=options.swap,
        draft=draft,
        context=context,
    )


def price_of(options: argparse.Namespace) -> float | None:
    """USD an hour of the cores that compute: physical ones, of which a device of JAX may have
    two."""
    hourly = price(options.machine)
    devices = options.cores * options.dp
    if hourly is None or devices == 1:
        return hourly
    import jax

    cores = trainyard.load_machine(options.machine).cores * options.chips
    return hourly * devices * cores / len(jax.devices("neuron"))


def price(machine: str) -> float | None:
    """USD an hour of one core: its share of a chip of the system in the price list."""
    from trainyard import _core
    from trainyard.planner.phases import MACHINES

    system = next((name for name, one in MACHINES.items() if one.chip == machine), None)
    if system is None:
        return None
    plan = _core.ReplicaPlan()
    plan.model, plan.machine, plan.tp, plan.dp = "llama3-8b", system, 1, 1
    hourly = _core.describe_replica(plan, 1.0, 2.0)["usd_per_hour"]
    return None if hourly is None else hourly / trainyard.load_machine(machine).cores
