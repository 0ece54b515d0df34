"""What formats cost real models beside what they gain on trn3.

SmolLM2-135M reads 64 tokens of Hamlet: the perplexity of each choice, and the simulated times of
that and of a step that decodes one token. A GPT of 0.4 million weights learns Shakespeare for 200
steps: its loss at the end, the largest distance from float32's curve, and the time of a step.
Values and times are those of one simulated core. `--page` writes them to docs/precision.md.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import bench_precision
import ml_dtypes
import numpy as np
import trainyard
from measure import MACHINE
from trainyard import model

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "examples"), str(ROOT / "examples/models")]

TOKENS, STEPS = 64, 200
BF16, F32 = np.dtype(ml_dtypes.bfloat16), np.dtype(np.float32)
E4M3 = np.dtype(ml_dtypes.float8_e4m3)


@dataclass(frozen=True)
class Reading:
    """A way to keep and to multiply a language model's numbers."""

    name: str
    dtype: Any = BF16
    precision: str | None = None
    cache: Any = BF16


@dataclass(frozen=True)
class Training:
    """A way to train: `stored` and `computed` as examples/train_gpt.py has them."""

    name: str
    stored: Any = F32
    computed: Any = BF16
    precision: str | None = None
    policies: tuple[str, ...] = ()


@dataclass
class Outcome:
    """Figures of a choice, by what they are."""

    name: str
    figures: dict[str, float] = field(default_factory=dict)


FP8 = "fp8_e4m3"
READINGS = (
    Reading("FP32", F32, cache=F32),
    Reading("BF16"),
    Reading("BF16, KV cache in FP8 E4M3", cache=E4M3),
    Reading("FP8 E4M3 products", precision=f"weights={FP8},activations={FP8}"),
    Reading(
        "FP8 E4M3 products, scaled", precision=f"weights={FP8}_scaled,activations={FP8}_scaled"
    ),
    Reading("MXFP8 products, quantised on the machine", precision="weights=mxfp8"),
    Reading("MXFP8 weights in memory", precision="weights=mxfp8_stored"),
    Reading("MXFP4 weights in memory", precision="weights=mxfp4_stored"),
    Reading("BF16, weights pruned to 4:16 without training", precision="weights=sparse_4_16"),
)
TRAININGS = (
    Training("FP32", computed=F32),
    Training("BF16 products"),
    Training("BF16 weights", BF16),
    Training(
        "BF16 weights, stochastic rounding", BF16, policies=("policy.cast_rounding=stochastic",)
    ),
    Training("BF16 products and moments", precision="optimizer_state=bf16"),
    Training(
        "BF16 products and moments, stochastic rounding",
        precision="optimizer_state=bf16",
        policies=("policy.cast_rounding=stochastic",),
    ),
    Training("BF16 products, FP8 E5M2 moments", precision="optimizer_state=fp8_e5m2"),
    Training(
        "FP8: E4M3 forward, E5M2 gradients",
        precision=f"weights={FP8},activations={FP8},gradients=fp8_e5m2",
    ),
    Training(
        "FP8: E4M3 forward, E5M2 gradients, scaled",
        precision=f"weights={FP8}_scaled,activations={FP8}_scaled,gradients=fp8_e5m2_scaled",
    ),
    Training("BF16, E5M2 gradients", precision="gradients=fp8_e5m2"),
    Training("BF16, E5M2 gradients, scaled", precision="gradients=fp8_e5m2_scaled"),
    Training("MXFP8 products", precision="weights=mxfp8,activations=mxfp8,gradients=mxfp8"),
)


def read() -> list[Outcome]:
    """Of SmolLM2: perplexity and times of each choice."""
    import smollm2
    import train_gpt

    loaded = smollm2.load()
    text = train_gpt.text()
    start = text.index("To be, or not to be")
    ids = np.array(loaded.tokenizer.encode(text[start : start + 2000]).ids[:TOKENS], np.int32)
    found = []
    for choice in READINGS:
        weights = {name: each.astype(choice.dtype) for name, each in loaded.weights.items()}
        cache = smollm2.empty_cache(TOKENS, choice.cache)
        surprise, step = (
            partial(each, epsilon=loaded.epsilon) for each in (smollm2.surprise, smollm2.step)
        )
        compile_ = partial(model.compile, machine=MACHINE, precision=choice.precision)
        run = compile_(surprise, weights, cache, ids).run(weights, cache, ids, timed=True)
        one = np.array(ids[:1]), np.int32(TOKENS - 1), np.int32(0)
        decoded = compile_(step, weights, cache, *one).time()
        figures = {
            "perplexity": float(np.exp(run.results)),
            f"us to read {TOKENS} tokens": run.seconds * 1e6,
            "us to decode a token": decoded.seconds * 1e6,
        }
        found.append(Outcome(f"SmolLM2-135M, {choice.name}", figures))
        print(found[-1], file=sys.stderr, flush=True)
    return found


def trained() -> list[Outcome]:
    """Of the GPT: losses and times of each choice."""
    import gpt
    import train_gpt

    characters, data = np.unique(list(train_gpt.text()), return_inverse=True)
    data, size = data.astype(np.int32), gpt.Size(len(characters))
    found: list[Outcome] = []
    curves: list[np.ndarray] = []
    for choice in TRAININGS:
        machine = trainyard.load_machine(MACHINE).with_overrides(list(choice.policies))
        state = gpt.start(size, choice.stored)
        step = partial(gpt.step, heads=size.heads, computed=choice.computed)
        compiled = model.compile(
            step,
            *state,
            *train_gpt.batch(data, size, 0),
            machine=machine,
            precision=choice.precision,
        )
        curve = np.zeros(STEPS)
        for number in range(STEPS):
            *state, curve[number] = compiled.run(
                *state, *train_gpt.batch(data, size, number), seed=number
            ).results
        curves.append(curve)
        figures = {
            f"mean loss of steps {STEPS - 9} to {STEPS}": float(curve[-10:].mean()),
            "largest distance from FP32's loss": float(np.abs(curve - curves[0]).max()),
            "us a step": compiled.time().seconds * 1e6,
        }
        found.append(Outcome(f"GPT on Shakespeare, {choice.name}", figures))
        print(found[-1], file=sys.stderr, flush=True)
    return found


def rows() -> list[dict[str, object]]:
    """A row of each figure of reading; training takes minutes more, and is on the page."""
    return [
        {"name": f"accuracy, {each.name}: {what}", "value": value, "unit": ""}
        for each in read()
        for what, value in each.figures.items()
    ]


PAGE = """# What formats cost and gain

Measured on the simulated trn3, one core. `python benchmarks/bench_accuracy.py --page` writes this
page. Formats are those of [`--precision`](jax.md#casts-and-formats-of-products), of arrays, and of
`trainyard.mx` and `trainyard.sparse`.

## SmolLM2-135M-Instruct reads Hamlet

Perplexity over 64 tokens, from "To be, or not to be" on. FP8 products without a scale overflow:
activations pass E4M3's 240. What the machine casts in each run (FP8 and MXFP8 products) costs
passes over the operands, which 64 tokens and one token do not pay back; a step that decodes one
token of so small a model is bound by latency, not by bytes. Weights are rounded to nearest, and
pruned, without training afterwards; those of 4:16 are no language model any more.

READ
## A GPT learns Shakespeare

STEPS steps of `examples/train_gpt.py` (three layers of 96, 512 tokens a step). Its products are
small: the times show what casts cost, not what formats gain. One seed each: how early the loss
leaves its first plateau differs, so its largest distance from float32's says more than its end.
Squares of small gradients are zero in FP8, and AdamW divides by their root: FP8 moments end in NaN.

TRAINED
## An optimiser's step

Of 4,096 x 4,096 weights in FP32, beside the same step with its state in FP32
(`benchmarks/bench_precision.py`). A step of momentum is bound by bytes; AdamW's by the engines.

STEP
## Large products

Time beside BF16's, and the relative error of a product of normally distributed numbers
(`benchmarks/bench_precision.py`): 4,096 cubed, and for weights of a decode step one row by
4,096 x 14,336 (Llama 3 8B's MLP), which is bound by the weights' bytes.

LARGE"""


def table(outcomes: list[Outcome]) -> str:
    heads = list(outcomes[0].figures)
    lines = [f"| | {' | '.join(heads)} |", f"|---|{'---|' * len(heads)}"]
    for each in outcomes:
        cells = (
            f"{value:,.4g}" if value < 1e3 else f"{value:,.0f}" for value in each.figures.values()
        )
        lines.append(f"| {each.name.split(', ', 1)[1]} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def large() -> list[Outcome]:
    """Of bench_precision, by format."""
    return outcomes(
        *bench_precision.products(), *bench_precision.pruned(), *bench_precision.decoded()
    )


def outcomes(*rows: dict[str, object]) -> list[Outcome]:
    """Rows of bench_precision by what they are of."""
    found: dict[str, Outcome] = {}
    for each in rows:
        title, what = str(each["name"]).removeprefix("precision, ").rsplit(": ", 1)
        outcome = found.setdefault(title, Outcome(f"product, {title}"))
        outcome.figures[what] = float(str(each["value"]))
    return list(found.values())


if __name__ == "__main__":
    first, second = read(), trained()
    if sys.argv[1:] == ["--page"]:
        page = (
            PAGE.replace("LARGE", table(large()))
            .replace("STEP\n", table(outcomes(*bench_precision.optimisers())))
            .replace("READ", table(first))
            .replace("TRAINED", table(second))
        )
        (ROOT / "docs/precision.md").write_text(page.replace("STEPS", str(STEPS)))
