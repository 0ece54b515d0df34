"""What the checks cost: a checked run of the attention kernel beside the same run unchecked."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "examples"))
from attention import attention

TOKENS = 2048
REPETITIONS = 5


def rate(inputs: list[Any], **options: Any) -> float:
    """Instructions per second of CPU time, of the fastest repetition; tracing counts too."""
    fastest = float("inf")
    for _ in range(REPETITIONS):
        begin = time.process_time()
        result = attention.run(*inputs, **options)[1]
        fastest = min(fastest, time.process_time() - begin)
    return sum(run.instructions for run in result.runs) / fastest


def rows() -> list[dict[str, object]]:
    """Two rows: values only, and timed."""
    generator = np.random.default_rng(1)
    shapes = [(128, TOKENS), (128, TOKENS), (TOKENS, 128)]
    inputs = [
        generator.standard_normal(shape, dtype=np.float32).astype(ml_dtypes.bfloat16)
        for shape in shapes
    ]
    return [
        {
            "name": f"attention of {TOKENS} tokens with checks, {words} (limit: without)",
            "value": rate(inputs, timed=timed, checks=True),
            "unit": "instructions/s",
            "host_limit": rate(inputs, timed=timed, checks=False),
        }
        for words, timed in (("values only", False), ("timed", True))
    ]
