"""What the checks cost: checked runs of the attention kernel, and of one that gathers and scatters
by index lists, beside the same runs unchecked."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

import ml_dtypes
import nki
import nki.isa as nisa
import nki.language as nl
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "examples"))
from attention import attention

TOKENS = 2048
COLUMNS, PICKED, TURNS = 1024, 512, 200
REPETITIONS = 5


@nki.jit
def by_index(x: Any, index: Any) -> Any:
    """Picks elements of each partition, and puts them back doubled, many times."""
    data = nl.ndarray(x.shape, x.dtype, buffer=nl.sbuf)
    nisa.dma_copy(dst=data, src=x)
    lists = nl.ndarray(index.shape, index.dtype, buffer=nl.sbuf)
    nisa.dma_copy(dst=lists, src=index)
    picked = nl.ndarray((x.shape[0], PICKED), x.dtype, buffer=nl.sbuf)
    for _ in range(TURNS):
        nisa.tensor_copy(dst=picked, src=data.indirect(lists, PICKED))
        nisa.tensor_scalar(
            dst=data.indirect(lists, PICKED), data=picked, op0=nl.multiply, operand0=2.0
        )
    out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
    nisa.dma_copy(dst=out, src=data)
    return out


def rate(kernel: Any, inputs: list[Any], **options: Any) -> float:
    """Instructions per second of CPU time, of the fastest repetition; tracing counts too."""
    fastest = float("inf")
    for _ in range(REPETITIONS):
        begin = time.process_time()
        result = kernel.run(*inputs, **options)[1]
        fastest = min(fastest, time.process_time() - begin)
    return sum(run.instructions for run in result.runs) / fastest


def tokens() -> list[Any]:
    """Q, K and V of the attention kernel, as it wants them laid out."""
    generator = np.random.default_rng(1)
    shapes = [(128, TOKENS), (128, TOKENS), (TOKENS, 128)]
    return [
        generator.standard_normal(shape, dtype=np.float32).astype(ml_dtypes.bfloat16)
        for shape in shapes
    ]


def rows() -> list[dict[str, object]]:
    """Two rows of each kernel: values only, and timed."""
    generator = np.random.default_rng(1)
    picks = [
        generator.standard_normal((128, COLUMNS), dtype=np.float32),
        generator.integers(0, COLUMNS, (128, PICKED // 16), np.uint16),
    ]
    return [
        {
            "name": f"{name} with checks, {words} (limit: without)",
            "value": rate(kernel, inputs, timed=timed, checks=True),
            "unit": "instructions/s",
            "host_limit": rate(kernel, inputs, timed=timed, checks=False),
        }
        for name, kernel, inputs in (
            (f"attention of {TOKENS} tokens", attention, tokens()),
            (f"gather and scatter of {PICKED} columns", by_index, picks),
        )
        for words, timed in (("values only", False), ("timed", True))
    ]
