"""One training run in several processes, which continues from its own checkpoint.

Alone, all devices of the described chips are computed here:

    TRAINYARD_CHIPS=4 python examples/many_processes.py

By mpirun each process computes its share of the devices; loss and times are the same to the bit:

    TRAINYARD_CHIPS=4 mpirun -n 2 python examples/many_processes.py

With JAX's own way each process sees the devices of others, and puts arrays on its own ones:

    python examples/many_processes.py --coordinator 127.0.0.1:9876 --processes 2 --process 0 &
    python examples/many_processes.py --coordinator 127.0.0.1:9876 --processes 2 --process 1

docs/scale-out.md has the same for Slurm, ParallelCluster and EKS.
"""

import argparse
import os
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import multihost_utils
from jax.sharding import Mesh, NamedSharding, PartitionSpec

WIDTH, HIDDEN, TOKENS = 256, 1024, 512
LEARNING_RATE = 0.5


def loss(weights: dict[str, jax.Array], x: jax.Array) -> jax.Array:
    """How far a gated MLP is from rotating its input [tokens, width]."""
    hidden = jax.nn.silu(x @ weights["gate"]) * (x @ weights["up"])
    return jnp.mean((hidden @ weights["down"] - jnp.roll(x, 1, axis=1)) ** 2)


@jax.jit
def step(weights: dict[str, jax.Array], x: jax.Array) -> tuple[jax.Array, dict[str, jax.Array]]:
    value, gradients = jax.value_and_grad(loss)(weights, x)
    return value, jax.tree.map(lambda w, g: w - LEARNING_RATE * g, weights, gradients)


def first_weights() -> dict[str, np.ndarray]:
    rng = np.random.default_rng(0)
    shapes = {"gate": (WIDTH, HIDDEN), "up": (WIDTH, HIDDEN), "down": (HIDDEN, WIDTH)}
    return {
        name: (rng.normal(size=shape) / shape[0] ** 0.5).astype(np.float32)
        for name, shape in shapes.items()
    }


def save(path: Path, done: int, weights: dict[str, jax.Array]) -> None:
    """The whole weights, written by one process; an old checkpoint is replaced in one step."""
    whole = {name: multihost_utils.process_allgather(w, tiled=True) for name, w in weights.items()}
    if jax.process_index() != 0:
        return
    partial = path.with_name(f"{path.name}.{os.getpid()}")
    with partial.open("wb") as file:
        np.savez(file, done=done, **whole)
    partial.replace(path)


def load(path: Path | None) -> tuple[int, dict[str, np.ndarray]]:
    """Steps done, and weights: of the checkpoint where there is one."""
    if path is None or not path.exists():
        return 0, first_weights()
    with np.load(path) as kept:
        return int(kept["done"]), {name: kept[name] for name in first_weights()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=10)
    parser.add_argument("--checkpoint", type=Path, help="written every second step, and read first")
    parser.add_argument("--distributed", action="store_true", help="jax.distributed, as found")
    parser.add_argument("--coordinator", help="host:port: jax.distributed with these processes")
    parser.add_argument("--processes", type=int)
    parser.add_argument("--process", type=int)
    options = parser.parse_args()
    if options.coordinator or options.distributed:
        jax.distributed.initialize(options.coordinator, options.processes, options.process)

    devices = np.array(jax.devices())
    mesh = Mesh(devices.reshape(-1, 2) if devices.size % 2 == 0 else devices[:, None], ("d", "m"))
    shardings = {
        "gate": NamedSharding(mesh, PartitionSpec(None, "m")),
        "up": NamedSharding(mesh, PartitionSpec(None, "m")),
        "down": NamedSharding(mesh, PartitionSpec("m", None)),
    }
    done, start = load(options.checkpoint)
    weights = {name: jax.device_put(w, shardings[name]) for name, w in start.items()}
    for number in range(done, options.steps):
        data = np.random.default_rng(1 + number).normal(size=(TOKENS, WIDTH)).astype(np.float32)
        x = jax.device_put(data, NamedSharding(mesh, PartitionSpec("d", None)))
        value, weights = step(weights, x)
        if jax.process_index() == 0:
            print(f"step {number}: loss {float(value):.6f} ({float(value).hex()})", flush=True)
        if options.checkpoint and number % 2 == 1:
            save(options.checkpoint, number + 1, weights)
    if options.coordinator or options.distributed:
        jax.distributed.shutdown()


if __name__ == "__main__":
    main()
