"""Fits the reach of a compared machine to the even half of its rows of tests/fidelity.

  PYTHONPATH=build/release/python python tools/fit_reach.py trn1 reach.training reach.memory ...

Each figure is tried over the range in its file, one after the other, until none helps; the mean
absolute error of the logarithm counts, one row at most 0.7. Prints the values; the file is edited
by hand. The odd half is not read.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from pathlib import Path

from trainyard import _core

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests/fidelity"))
import models

STEPS = 12
WORST = 0.7


def score(rows: list[dict], setting: dict[str, float]) -> float:
    """The mean error of the rows with figures set."""
    settings = [f"{key}={value:.6g}" for key, value in setting.items()]
    total = 0.0
    for row in rows:
        ask = row | {"ask": row["ask"] | {"settings": settings}}
        total += min(WORST, abs(math.log(models.simulated(ask) / row["value"])))
    return total / len(rows)


def fitted(rows: list[dict], ranges: dict[str, tuple[float, float, float]]) -> dict[str, float]:
    """The figures with which the rows come out best."""
    best = {key: value for key, (_, value, _) in ranges.items()}
    error = score(rows, best)
    while True:
        before = error
        for key, (low, _, high) in ranges.items():
            low = max(low, high / 1000)
            for step in range(STEPS + 1):
                tried = best | {key: low * (high / low) ** (step / STEPS)}
                now = score(rows, tried)
                if now < error - 1e-4:
                    best, error = tried, now
        print(f"mean error {error:.3f}", file=sys.stderr)
        if error == before:
            return best


def main() -> None:
    """Fits and prints."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("machine")
    parser.add_argument("figures", nargs="+", help="keys with a range")
    arguments = parser.parse_args()
    document = json.loads(_core.accelerator_document(arguments.machine))
    known = {one["key"]: (one["low"], one["value"], one["high"]) for one in document["figures"]}
    rows = [
        row
        for id, row in models.published().items()
        if row["machine"] == arguments.machine
        and row["phase"] != "collective"
        and models.half_of(id) == "fit"
    ]
    for key, value in fitted(rows, {key: known[key] for key in arguments.figures}).items():
        print(f"{key} = {value:.4g}")


if __name__ == "__main__":
    main()
