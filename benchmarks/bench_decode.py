"""Decode steps of Llama 3 8B divided between eight cores, as plain JAX on trn3 with caches that are
written in place: simulated time beside what the bytes of weights and caches take, once, through
the DMA engines of the cores at work."""

from __future__ import annotations

from typing import Any

import bench_nki_library as llama
from measure import MACHINE
from trainyard import model

DMA = 614.4e9  # bytes/s of a core's DMA engines


def shapes(tree: Any) -> Any:
    import jax

    return jax.tree.map(lambda each: jax.ShapeDtypeStruct(each.shape, each.dtype), tree)


def stack(x: Any, weights: Any, keys: Any, values: Any, cosine: Any, sine: Any, at: Any) -> Any:
    """Layer after layer."""
    made = []
    for each in zip(weights, keys, values, strict=True):
        x, *caches = llama.decode(x, *each, cosine, sine, at)
        made.append(caches)
    return x, [each[0] for each in made], [each[1] for each in made]


def row(batch: int, context: int, layers: int = 1, cores: int = 1) -> dict[str, object]:
    import jax

    x, weights, keys, values, angles, at = shapes(llama.decode_arguments(batch, context))
    given = (x, [weights] * layers, [keys] * layers, [values] * layers, angles, angles, at)
    made = model.compile(llama.donating(stack), *given, machine=MACHINE, cores=cores)
    read = [*(weights[name] for name in llama.MATRICES), keys, values]
    size = sum(2 * each.size for each in jax.tree.leaves(read)) * layers
    what = "a layer" if layers == 1 else f"{layers} layers"
    where = "one core" if cores == 1 else "two cores"
    return {
        "name": f"{where}, decode step of {what}, {batch} x {context} keys: share of its bound",
        "value": size / (DMA * cores) / made.time().seconds,
        "unit": "",
    }


def rows() -> list[dict[str, object]]:
    return [
        row(1, 2048),
        row(1, 32768),
        *(row(batch, context) for batch in (8, 32) for context in (512, 2048, 8192)),
        row(64, 2048),
        row(8, 2048, layers=4),
        row(8, 2048, cores=2),
    ]


if __name__ == "__main__":
    for each in rows():
        print(f"{each['name']:80} {each['value']:8.3f}")
