"""Judges the programs that come on stdin, one line of JSON each; the findings are a line, too."""

from __future__ import annotations

import json
import os
import re
import sys
import time
import warnings
from collections.abc import Sequence
from typing import Any


def findings_of(program: Any, modes: Sequence[str]) -> tuple[str, list[Any], float]:
    """How it ended: judged, or why there is nothing to judge; what was found; the open share."""
    import jax

    from differing.judging import SURE_RUNS, Finding, compare, expect, on_cpu

    try:
        function = program.function()
        native = on_cpu(function, program.arguments)
    except Exception as error:  # what JAX or XLA refuses
        return f"no program: {type(error).__name__}: {str(error)[:200]}", [], 0.0
    try:
        expected = expect(function, program.arguments, native)
    except Exception as error:  # a form without a meaning in the evaluation
        return f"not evaluated: {type(error).__name__}: {str(error)[:200]}", [], 0.0
    found: list[Any] = []
    for mode in modes:
        try:
            ours = on_device(jax, function, program.arguments, mode)
        except Exception as error:
            found.append(Finding(mode, "error", 0, told(str(error))))
            continue
        if compare(mode, ours, expected):
            expected = expect(function, program.arguments, native, SURE_RUNS)
            found += compare(mode, ours, expected)
    sizes = sum(e.exact.size for e in expected)
    is_open = sum(float(e.is_open.sum()) for e in expected) / max(1, sizes)
    return "judged", found, is_open


def on_device(jax: Any, function: Any, arguments: Sequence[Any], mode: str) -> list[Any]:
    import numpy as np

    device = jax.devices("neuron")[0]
    with jax.default_device(device):
        jitted = jax.jit(lambda *a: function(*a), compiler_options={"mode": mode})
        results = jitted(*(jax.device_put(a, device) for a in arguments))
        return [np.asarray(v) for v in jax.tree.leaves(results)]


def told(text: str) -> str:
    """Without what differs between runs."""
    text = re.sub(r"/\S+/", "", text)
    return re.sub(r"0x[0-9a-f]+", "0x", text)[:1500]


def drawn(request: dict[str, Any]) -> Any:
    from differing.programs import from_json, program

    if "program" in request:
        return from_json(request["program"])
    return program(request["seed"], request["number"])


def answer(request: dict[str, Any]) -> dict[str, Any]:
    begun = time.process_time()
    try:
        made = drawn(request)
    except Exception as error:
        return {"end": f"not drawn: {type(error).__name__}: {error}"[:300], "findings": []}
    end, found, is_open = findings_of(made, request["modes"])
    return {
        "end": end,
        "findings": [vars(f) | {"label": f.label} for f in found],
        "words": made.operations,
        "open": round(is_open, 3),
        "host": round(time.process_time() - begun, 3),
    }


def main() -> None:
    os.environ["JAX_PLATFORMS"] = "cpu,neuron"
    warnings.simplefilter("ignore")
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), flush=True)
