"""The same mathematics in the forms that people write it in: how far each is from the best.

Simulated seconds of one trn3 device of two cores, by time alone, of JAX's platform `neuron`. A
bound is what the operations take at the array's rate or the arguments and results at the device's
share of HBM, whichever is longer: from the machine's figures, apart from the compiler. A gradient
has three times the operations, and reads and writes its arguments once each.

  python benchmarks/bench_forms.py [--only CLASS] [--output FILE]

FILE holds a JSON line for each form that was timed; those are not timed again.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

os.environ.setdefault("JAX_PLATFORMS", "neuron,cpu")

import jax
from forms import (
    attention,
    convolutions,
    dropout,
    embeddings,
    experts,
    gated,
    group_norms,
    heads,
    linear_attention,
    losses,
    norms,
    optimisers,
    recurrences,
    recurrent,
    rotary,
    sampling,
)
from forms.form import FormClass

CLASSES: list[FormClass] = [
    attention.CLASS,
    rotary.CLASS,
    *norms.CLASSES,
    *group_norms.CLASSES,
    gated.CLASS,
    experts.CLASS,
    losses.CLASS,
    embeddings.CLASS,
    recurrences.CLASS,
    convolutions.CLASS,
    heads.CLASS,
    recurrent.CLASS,
    linear_attention.CLASS,
    dropout.CLASS,
    optimisers.CLASS,
    sampling.CLASS,
]
# Of a device: two cores of 128 x 128 multiply-adds at 2.4 GHz, a quarter of that in float32, and a
# quarter of the chip's HBM (machines/trn3.toml: tensor.clock, headline.core_fp32, hbm.bandwidth).
BF16_RATE = 2 * 128 * 128 * 2 * 2.4e9
FP32_RATE = BF16_RATE / 4
HBM_RATE = 4.7e12 / 4
RATIO_MAX = 1.25  # of the best form of a class


def size(shapes: Any) -> int:
    """Bytes of arrays of these shapes."""
    leaves = jax.tree.leaves(shapes)
    return sum(math.prod(leaf.shape) * leaf.dtype.itemsize for leaf in leaves)


def bound(form: FormClass, batch: int, function: Any, arguments: Any, gradient: bool) -> float:
    """Seconds."""
    moved = size(arguments) + size(jax.eval_shape(function, *arguments))
    narrow = all(a.dtype.itemsize == 2 for a in arguments[:1])
    rate = BF16_RATE if narrow else FP32_RATE
    operations = form.operations(batch) * (3 if gradient else 1)
    return max(operations / rate, moved / HBM_RATE)


def timed(function: Any, arguments: Sequence[Any]) -> float:
    """Simulated seconds."""
    compiled = jax.jit(function, compiler_options={"mode": "machine"}).lower(*arguments).compile()
    cost = compiled.cost_analysis()
    cost = cost[0] if isinstance(cost, list) else cost
    return float(cost["seconds"])


def cases(only: str | None) -> Iterator[tuple[FormClass, int, bool, str, Any]]:
    for form in CLASSES:
        if only not in (None, form.name):
            continue
        for batch in form.batches:
            for gradient in (False, True) if form.differentiated else (False,):
                for name, function in form.forms.items():
                    made = form.gradient(function) if gradient else function
                    yield form, batch, gradient, name, made


def measure(only: str | None = None, output: Path | None = None) -> list[dict[str, Any]]:
    known = {}
    if output is not None and output.exists():
        for line in output.read_text().splitlines():
            row = json.loads(line)
            known[row["title"], row["form"]] = row
    found = []
    for form, batch, gradient, name, function in cases(only):
        title = f"{form.name}, batch {batch}{', gradient' if gradient else ''}"
        row = known.get((title, name))
        if row is None:
            begin = time.process_time()
            row = {"title": title, "form": name}
            try:
                given = form.arguments_of(form.forms[name], form.arguments(batch), gradient)
                row["seconds"] = timed(function, given)
                row["bound"] = bound(form, batch, function, given, gradient)
            except Exception as error:  # what a form is refused for is what its row says
                row["refused"] = str(error).splitlines()[0][:200]
            row["host_seconds"] = time.process_time() - begin
            if output is not None:
                with output.open("a") as file:
                    print(json.dumps(row), file=file)
        found.append(row)
    return found


def with_ratios(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Rows with their ratio to the best form of their class."""
    best: dict[str, float] = {}
    for row in found:
        if "seconds" in row:
            best[row["title"]] = min(row["seconds"], best.get(row["title"], math.inf))
    for row in found:
        if "seconds" in row:
            row["ratio"] = row["seconds"] / best[row["title"]]
    return found


def rows() -> list[dict[str, object]]:
    """For the table of all benchmarks: of each class, the slowest form beside the best."""
    found = with_ratios(measure())
    worst: dict[str, float] = {}
    for row in found:
        worst[row["title"]] = max(row.get("ratio", math.inf), worst.get(row["title"], 0))
    return [
        {"name": f"forms: {title}: slowest beside best", "value": ratio, "unit": "times"}
        for title, ratio in worst.items()
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", choices=[form.name for form in CLASSES], help="one class")
    parser.add_argument("--output", type=Path, help="keep rows here, and go on with them")
    options = parser.parse_args()
    found = with_ratios(measure(options.only, options.output))
    print(f"{'class':38} {'form':22} {'us':>10} {'of best':>8} {'bound':>7} {'host s':>7}")
    for row in found:
        if "refused" in row:
            print(f"{row['title']:38} {row['form']:22} refused: {row['refused']}")
            continue
        mark = " <" if row["ratio"] > RATIO_MAX else ""
        print(
            f"{row['title']:38} {row['form']:22} {row['seconds'] * 1e6:10.1f} {row['ratio']:8.2f}"
            f" {row['bound'] / row['seconds']:7.1%} {row['host_seconds']:7.1f}{mark}"
        )
    within = [row.get("ratio", math.inf) <= RATIO_MAX for row in found]
    print(f"{sum(within)} of {len(within)} forms within {RATIO_MAX} of the best of their class")
    return 0


if __name__ == "__main__":
    sys.exit(main())
