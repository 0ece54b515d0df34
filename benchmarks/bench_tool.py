"""How long the tool itself takes: a tiny graph and MiniLM from JAX, the persistent cache, time
alone beside values, and compile time by the number of equal layers.

A part runs in a process of its own where JAX reads its options when it starts.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any

from measure import MACHINE, ROOT, cpu_seconds
from own_process import in_own_process

sys.path.insert(0, str(ROOT / "examples/models"))
BATCH, LENGTH = 16, 24
LAYERS = 8, 32


def spent(what: Callable[[], Any]) -> tuple[float, Any]:
    """CPU seconds of one call, and what it returned."""
    begin = time.process_time()
    result = what()
    return time.process_time() - begin, result


def minilm_arguments() -> tuple[Any, Any, Any]:
    """Weights, token ids and mask of a batch."""
    import minilm

    weights, tokenizer = minilm.load()
    return weights, *minilm.tokens(tokenizer, ["How do I close a file?"] * BATCH, LENGTH)


def from_cache(folder: str) -> dict[str, float]:
    """MiniLM compiled through JAX's persistent cache in this folder."""
    os.environ |= {
        "TRAINYARD_MODE": "machine",
        "JAX_COMPILATION_CACHE_DIR": folder,
        "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
        "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1",
    }
    import jax
    import minilm

    lowered = jax.jit(minilm.embed).lower(*minilm_arguments())
    return {"seconds": spent(lowered.compile)[0]}


def tiny() -> dict[str, float]:
    """Milliseconds of tanh(x @ x) + 1: traced, compiled through jaxlib, and from its artifact."""
    os.environ["TRAINYARD_MODE"] = "machine"
    import jax
    import numpy as np
    from trainyard import model

    x = np.ones((128, 128), np.float32)
    functions = [jax.jit(lambda x, k=k: jax.numpy.tanh(x @ x) + k) for k in range(6)]
    traced = [spent(lambda f=f: f.lower(x)) for f in functions]
    compiled = [spent(lowered.compile)[0] for _, lowered in traced]
    artifact = jax.export.export(functions[0], platforms=["cpu"])(x).mlir_module_serialized
    return {
        "traced": 1e3 * min(seconds for seconds, _ in traced),
        "through jaxlib": 1e3 * min(compiled),
        "from its artifact": 1e3 * cpu_seconds(lambda: model.Model(artifact, MACHINE), 5),
    }


def minilm_rows() -> list[dict[str, object]]:
    """Compiled cold and from the cache; values beside JAX on the CPU and beside time alone."""
    import jax
    import minilm
    from trainyard import model

    arguments = minilm_arguments()
    cold, compiled = spent(lambda: model.compile(minilm.embed, *arguments, machine=MACHINE))
    with tempfile.TemporaryDirectory() as folder:
        in_own_process(__file__, "cache", folder)
        again = in_own_process(__file__, "cache", folder)["seconds"]
    compiled.run(*arguments)
    values = cpu_seconds(lambda: compiled.run(*arguments))
    both = cpu_seconds(lambda: compiled.run(*arguments, timed=True))
    timed = cpu_seconds(compiled.time, 10)
    with jax.default_device(jax.devices("cpu")[0]):
        here = jax.jit(minilm.embed)
        on_device = jax.device_put(arguments)
        here(*on_device).block_until_ready()
        native = cpu_seconds(lambda: here(*on_device).block_until_ready(), 5)
    title = f"MiniLM, {BATCH} sentences of {LENGTH} tokens"
    return [
        {"name": f"{title}: traced and compiled", "value": cold, "unit": "CPU s"},
        {"name": f"{title}: compiled, from JAX's cache", "value": again, "unit": "CPU s"},
        {"name": f"{title}: values, beside JAX on this CPU", "value": values / native, "unit": "x"},
        {"name": f"{title}: values, beside time alone", "value": values / timed, "unit": "x"},
        {
            "name": f"{title}: values and time, beside time alone",
            "value": both / timed,
            "unit": "x",
        },
    ]


def layers_rows() -> list[dict[str, object]]:
    """Decode steps of models that differ in their number of layers."""
    from dataclasses import replace

    import jax
    import llama
    from trainyard import model

    seconds = []
    for layers in LAYERS:
        arguments = llama.decode_arguments(replace(llama.LLAMA_8B, layers=layers), 4096)
        exported = jax.export.export(jax.jit(llama.decode), platforms=["cpu"])(*arguments)
        artifact = exported.mlir_module_serialized
        seconds.append(cpu_seconds(lambda a=artifact: model.Model(a, MACHINE), 2))
    name = f"decode step of Llama-3 8B: compile time of {LAYERS[1]} layers, beside {LAYERS[0]}"
    return [{"name": name, "value": seconds[1] / seconds[0], "unit": "x"}]


def rows() -> list[dict[str, object]]:
    """The tiny graph, MiniLM, layers."""
    small = in_own_process(__file__, "tiny")
    return [
        *(
            {"name": f"tiny graph: {key}", "value": ms, "unit": "CPU ms"}
            for key, ms in small.items()
        ),
        *minilm_rows(),
        *layers_rows(),
    ]


if __name__ == "__main__":
    if sys.argv[1:2] == ["tiny"]:
        print(json.dumps(tiny()))
    elif sys.argv[1:2] == ["cache"]:
        print(json.dumps(from_cache(sys.argv[2])))
    else:
        for row in rows():
            print(f"{row['name']:80} {row['value']:12.4g} {row['unit']}")
