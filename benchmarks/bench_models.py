"""Models at their real sizes from plain JAX, by time alone: how fast they are on trn3, and how long
compiling and timing them takes here.

Rates are of one physical core where the name does not say otherwise. Published claims count images
a second of a chip: times the eight cores of a trn3 chip at most, since the cores of a pair share an
HBM stack.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from measure import MACHINE, ROOT
from trainyard import model

sys.path.insert(0, str(ROOT / "examples/models"))


def shapes(tree: Any, dtype: Any = None) -> Any:
    """The shapes of arrays; floats in `dtype`."""
    import jax

    return jax.tree.map(lambda a: jax.ShapeDtypeStruct(a.shape, dtype or a.dtype), tree)


def measured(
    function: Callable[..., Any],
    *arguments: Any,
    cores: int = 1,
    precision: str | None = None,
) -> dict[str, float]:
    """Simulated seconds, the share of the bound; CPU seconds of compiling and of timing."""
    begin = time.process_time()
    compiled = model.compile(
        function, *arguments, machine=MACHINE, cores=cores, precision=precision
    )
    compiled_at = time.process_time()
    run = compiled.time()
    done = time.process_time()
    longest = max(run.reports, key=lambda report: report["duration_ns"])
    return {
        "seconds": run.seconds,
        "share": longest["speed_of_light"]["share"],
        "compile": compiled_at - begin,
        "time": done - compiled_at,
    }


def networks() -> list[dict[str, object]]:
    """Images a second, one at a time and sixteen at a time."""
    import jax.numpy as jnp
    import ml_dtypes
    import numpy as np
    import resnet
    import vit

    bf16 = np.dtype(ml_dtypes.bfloat16)
    models = {
        "ResNet-18": (resnet.RESNET18, None),
        "ResNet-50": (resnet.RESNET50, None),
        "ViT-B/16": (None, vit),
    }
    rows: list[dict[str, object]] = []
    for name, (shape, other) in models.items():
        for batch in (1, 16):
            pictures = np.broadcast_to(np.zeros((), jnp.bfloat16), (batch, 224, 224, 3))
            if shape is not None:
                weights = shapes(resnet.folded(resnet.initial(shape)), jnp.bfloat16)
                function = partial(resnet.scores, shape=shape)
            else:
                weights, function = shapes(other.initial(bf16)), other.scores
            found = measured(function, weights, shapes(pictures))
            title = f"{name} in BF16, batch {batch}"
            rows += [
                {"name": f"{title}: rate", "value": batch / found["seconds"], "unit": "images/s"},
                {"name": f"{title}: share of its bound", "value": found["share"], "unit": ""},
            ]
            if name == "ResNet-50" and batch == 1:
                spent = found["compile"] + found["time"]
                rows.append(
                    {"name": f"{title}: compiled and timed", "value": spent, "unit": "CPU s"}
                )
    return rows


def network_training() -> list[dict[str, object]]:
    """Training steps with momentum, sixteen images at a time: weights and norms in float32."""
    import jax
    import jax.numpy as jnp
    import resnet

    rows: list[dict[str, object]] = []
    for name, shape in {"ResNet-18": resnet.RESNET18, "ResNet-50": resnet.RESNET50}.items():
        weights = shapes(resnet.initial(shape))
        found = measured(
            partial(resnet.step, shape=shape),
            weights,
            weights,
            jax.ShapeDtypeStruct((16, 224, 224, 3), jnp.bfloat16),
            jax.ShapeDtypeStruct((16,), jnp.int32),
            jax.ShapeDtypeStruct((), jnp.float32),
        )
        title = f"training step of {name} in BF16, batch 16"
        rows += [
            {"name": f"{title}: rate", "value": 16 / found["seconds"], "unit": "images/s"},
            {"name": f"{title}: share of its bound", "value": found["share"], "unit": ""},
            {"name": f"{title}: compiled", "value": found["compile"], "unit": "CPU s"},
        ]
    return rows


def transformers() -> list[dict[str, object]]:
    """What compiling and timing them takes, and what they take on the machine."""
    import gpt3
    import llama
    import ml_dtypes
    import numpy as np
    import video_block

    bf16 = np.dtype(ml_dtypes.bfloat16)
    quarter = video_block.Shape(heads=10, hidden=3456)  # of four-way tensor parallelism
    layer = llama.layer_step, llama.layer_step_arguments(llama.LLAMA_70B, 2048)
    video = (
        video_block.block,
        shapes((video_block.initial(quarter, bf16), *video_block.inputs(quarter, bf16))),
    )
    decode = llama.decode, llama.decode_arguments(llama.LLAMA_8B, 4096), 1
    cases: dict[str, tuple] = {
        "decode step of Llama-3 8B, 4,096 tokens": decode,
        **{
            f"the same, weights {form.upper()} in memory": (*decode, f"weights={form}_stored")
            for form in ("mxfp8", "mxfp4")
        },
        "training step of a layer of Llama-3 70B, 2,048 tokens": (*layer, 1),
        "prefill of a layer of GPT-3, a shard of 4, 8 x 2,048 tokens": (
            gpt3.layer,
            gpt3.arguments(8, 2048, 4),
            1,
        ),
        "block of Wan 2.1 14B, a shard of 4, 480 x 832 x 9, two cores": (*video, 2),
    }
    rows: list[dict[str, object]] = []
    for name, (function, arguments, cores, *precision) in cases.items():
        found = measured(
            function, *arguments, cores=cores, precision=precision[0] if precision else None
        )
        rows += [
            {"name": f"{name}: compiled", "value": found["compile"], "unit": "CPU s"},
            {"name": f"{name}: timed", "value": found["time"], "unit": "CPU s"},
            {"name": f"{name}: simulated", "value": 1e3 * found["seconds"], "unit": "ms"},
            {"name": f"{name}: share of its bound", "value": found["share"], "unit": ""},
        ]
    return rows


def rows() -> list[dict[str, object]]:
    """Networks for pictures, their training steps, then transformers."""
    return [*networks(), *network_training(), *transformers()]


if __name__ == "__main__":
    for row in rows():
        print(f"{row['name']:80} {row['value']:12.4g} {row['unit']}")
