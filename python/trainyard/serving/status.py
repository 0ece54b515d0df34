"""What a server is doing, for people: its metrics as a page."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from trainyard.view.sheet import Sheet

_HEADS = ("metric", "count", "mean", "half are within", "99 % are within", "what")


def sheet_of(model: str, families: Iterable[Any]) -> Sheet:
    """The page of a server from what its registry collects."""
    from trainyard.view.sheet import Sheet

    sheet = Sheet(f"Serving {model}")
    sheet.text("Seconds are simulated, of the chip; only trn3_sim_wall_seconds are the host's.")
    values: list[list[Any]] = []
    spread: list[list[Any]] = []
    for family in families:
        if family.type == "histogram":
            spread += _histogram(family)
        elif family.type != "info":
            for sample in family.samples:
                if not sample.name.endswith("_created"):
                    labels = _labels(sample.labels)
                    values.append([sample.name + labels, sample.value, family.documentation])
    sheet.heading("Requests and tokens")
    sheet.table(("metric", "value", "what"), values)
    sheet.heading("Times and sizes", "bounds of the buckets that hold the share")
    sheet.table(_HEADS, spread)
    return sheet


def _labels(labels: dict[str, str]) -> str:
    told = [f"{key}={value}" for key, value in labels.items() if key not in _EVERYWHERE]
    return f" ({', '.join(told)})" if told else ""


_EVERYWHERE = ("model_name", "engine")


def _histogram(family: Any) -> Iterable[list[Any]]:
    """A row: how many, their mean, and the buckets in which half and 99 % of them end."""
    buckets: list[tuple[float, float]] = []
    total = count = 0.0
    for sample in family.samples:
        if sample.name.endswith("_bucket"):
            buckets.append((float(sample.labels["le"]), sample.value))
        elif sample.name.endswith("_sum"):
            total = sample.value
        elif sample.name.endswith("_count"):
            count = sample.value
    if count:
        within = [_bound(buckets, share * count) for share in (0.5, 0.99)]
        yield [family.name, count, total / count, *within, family.documentation]


def _bound(buckets: list[tuple[float, float]], wanted: float) -> float:
    return next(bound for bound, found in sorted(buckets) if found >= wanted)
