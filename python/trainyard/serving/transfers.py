"""Keys and values on their way from a replica that reads prompts to one that writes answers: what
is sent, and what sending takes on the links of the simulated machine."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from trainyard.serving.sharded import MACHINE
from trainyard.usage import UsageError


@dataclass(frozen=True)
class Sent:
    """Of a request's tokens, in the host's memory between two steps. None: an engine that computes
    no values sends times alone."""

    tokens: int
    keys: np.ndarray | None = field(default=None, repr=False)  # whole blocks, as Cache.read()
    values: np.ndarray | None = field(default=None, repr=False)


class Links:
    """What it takes to send the cache of some tokens from the devices of one replica to those of
    another, simulated once for each bucket of tokens: device i to device i, all at once. Readers
    stand on the last devices, so that with several chips the links between chips are passed."""

    def __init__(self, cores: int, machine: str) -> None:
        """Raises UsageError where there are too few devices."""
        import jax

        if machine != MACHINE:
            raise UsageError(f"readers of prompts serve on {MACHINE}, not on {machine}")
        devices = jax.devices("neuron")
        if 2 * cores > len(devices):
            raise UsageError(
                f"readers stand on {cores} devices of their own, and writers too: there are "
                f"{len(devices)} (--chips)"
            )
        self._devices = np.array([devices[-cores:], devices[:cores]])
        self._known: dict[int, tuple[float, float]] = {}

    def cost(self, tokens: int, shape: tuple[int, int, int], kind: Any) -> tuple[float, float]:
        """Seconds and joules. shape: layers, heads and their width, of all devices together."""
        if tokens not in self._known:
            self._known[tokens] = self._simulated(tokens, shape, kind)
        return self._known[tokens]

    def _simulated(
        self, tokens: int, shape: tuple[int, int, int], kind: Any
    ) -> tuple[float, float]:
        import jax
        from jax.sharding import Mesh, NamedSharding
        from jax.sharding import PartitionSpec as P

        layers, heads, head = shape
        mesh = Mesh(self._devices, ("replica", "model"))
        places = P("replica", None, None, None, "model")

        def send(held: Any) -> Any:
            return jax.lax.ppermute(held, "replica", [(0, 1)])

        moved = jax.jit(
            jax.shard_map(send, mesh=mesh, in_specs=places, out_specs=places),
            compiler_options={"mode": "machine"},
        )
        bytes_ = np.uint8 if np.dtype(kind).itemsize == 1 else kind  # FP8 is sent as it is stored
        both = np.zeros((2, 2, layers, tokens, heads * head), bytes_)  # keys and values
        lowered = moved.lower(jax.device_put(both, NamedSharding(mesh, places)))
        costs: Any = lowered.compile().cost_analysis()
        return float(costs["seconds"]), float(costs["joules"])
