"""What float32 values beside low precisions cost (policy.low_precision): runs of the attention
kernel with them beside the same runs on the formats."""

from __future__ import annotations

from typing import Any

import trainyard
from bench_checks import TOKENS, attention, rate, tokens


def rows() -> list[dict[str, object]]:
    """Two rows: values only, and timed."""
    stored = trainyard.load_machine("trn3")
    beside = stored.with_overrides(["policy.low_precision=float32"])

    def instructions(machine: Any, timed: bool) -> float:
        return rate(attention, tokens(), machine=machine, timed=timed, checks=False)

    return [
        {
            "name": f"attention of {TOKENS} tokens, float32 values beside, {words} (limit: none)",
            "value": instructions(beside, timed),
            "unit": "instructions/s",
            "host_limit": instructions(stored, timed),
        }
        for words, timed in (("values only", False), ("timed", True))
    ]
