"""BF16 products on a logical core of two cores: our compiler's simulated time beside the time that
the code of AWS's compiler was measured to take on trn3. products.csv has the published rows: trn3,
LNC 2, one logical core, compiled by neuronx-cc."""

from __future__ import annotations

import csv
import statistics

import ml_dtypes
import numpy as np
from measure import MACHINE, ROOT
from trainyard import model

NAME = "two cores, time beside AWS's compiler: "


def seconds(rows: int, depth: int, columns: int) -> float:
    """Simulated, by time alone."""
    import jax.numpy as jnp

    operands = [np.zeros(shape, ml_dtypes.bfloat16) for shape in ((rows, depth), (depth, columns))]
    compiled = model.compile(jnp.matmul, *operands, machine=MACHINE, cores=2)
    return compiled.run(*operands, timed=True, values=False).seconds


def rows() -> list[dict[str, object]]:
    """Each product, then all of them."""
    ratios: dict[str, float] = {}
    with (ROOT / "benchmarks/products.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            m, k, n = (int(row[column]) for column in ("rows", "depth", "columns"))
            published = float(row["microseconds"]) * 1e-6
            ratios[f"BF16 {m} x {k} x {n}"] = seconds(m, k, n) / published
    summary = {"median": statistics.median(ratios.values()), "worst": max(ratios.values())}
    return [
        {"name": NAME + name, "value": value, "unit": ""}
        for name, value in (ratios | summary).items()
    ]
