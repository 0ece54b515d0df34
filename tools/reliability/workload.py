"""Programs whose times, values and traces tools/determinism compares: prints a hash of each.

    python workload.py            kernels and tensor programs
    python workload.py --jax      and programs of JAX, where that is installed

Runs where the packages trainyard and nki are, whatever Python and build that is.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "examples"))


def _hash(*parts: bytes) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(len(part).to_bytes(8, "little") + part)
    return digest.hexdigest()[:16]


def kernels() -> Iterator[tuple[str, str]]:
    """Five kernels, each as written and reordered: their values, times and recorded intervals."""
    import ladders
    import numpy as np

    for kernel, shapes in ladders.LADDERS.items():
        for schedule in ("author", "list", "free"):
            choices = ladders.Choices(fresh=True, schedule=schedule)
            values, result = ladders.run(
                kernel, ladders.inputs(shapes), choices, timed=True, record=True
            )
            with tempfile.TemporaryDirectory() as folder:
                trace = Path(folder) / "run.tytrace"
                result.save(trace.with_suffix(""))
                content = trace.read_bytes()
            yield (
                f"{kernel.__name__}, {schedule}",
                _hash(np.asarray(values).tobytes(), str(result.time_ns).encode(), content),
            )


# Of tests/programs/stablehlo, some of each kind.
PROGRAMS = (
    "attention/causal",
    "elementwise/gelu",
    "indexing/sort_permute",
    "loops/mask",
    "products/loss",
    "rows/sort_130",
    "rows/sort_two_keys",
)


def programs() -> Iterator[tuple[str, str]]:
    """Tensor programs that no framework has to write, compiled for one core and for two."""
    import numpy as np
    from trainyard.graph import dtype_of
    from trainyard.model import Model

    for name in PROGRAMS:
        text = (ROOT / f"tests/programs/stablehlo/{name}.mlir").read_bytes()
        for cores in (1, 2):
            compiled = Model(text, cores=cores)
            draw = np.random.default_rng(5)
            given = [
                draw.standard_normal(shape, np.float32).astype(dtype_of(dtype))
                for dtype, shape in compiled._core.inputs
            ]
            run = compiled.run(*given, timed=True)
            values = [np.asarray(one).tobytes() for one in run.results]
            spent = json.dumps([run.seconds, run.joules])
            yield f"{name} on {cores} cores", _hash(*values, spent.encode())


def models() -> Iterator[tuple[str, str]]:
    """A step of a small network with its gradient, compiled for one core and for two. Another
    version of JAX writes another program."""
    import jax
    import jax.numpy as jnp
    import numpy as np
    from trainyard import model

    def loss(weights: Any, x: Any) -> Any:
        hidden = jax.nn.gelu(x @ weights[0])
        return jnp.mean(jax.nn.log_softmax(hidden @ weights[1]) ** 2)

    draw = np.random.default_rng(3)
    weights = [draw.standard_normal(s, np.float32) for s in ((256, 512), (512, 128))]
    x = draw.standard_normal((256, 256), np.float32)
    for cores in (1, 2):
        with jax.default_device(jax.devices("cpu")[0]):
            compiled = model.compile(jax.value_and_grad(loss), weights, x, cores=cores)
            run = compiled.run(weights, x, timed=True)
        values = [np.asarray(leaf).tobytes() for leaf in jax.tree.leaves(run.results)]
        spent = json.dumps([run.seconds, run.joules])
        yield f"a step on {cores} cores, JAX {jax.__version__}", _hash(*values, spent.encode())


def main() -> None:
    found = dict(kernels()) | dict(programs())
    if "--jax" in sys.argv:
        if importlib.util.find_spec("jax") is None:
            print("no jax", file=sys.stderr)
        else:
            found |= dict(models())
    print(json.dumps(found))


if __name__ == "__main__":
    main()
