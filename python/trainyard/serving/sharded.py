"""Step functions divided between the cores of a chip, as Megatron divides a layer: heads and the
hidden units of the perceptron, with a sum over all cores behind each half of a layer.

Nothing in the functions says so: shardings of weights and cache do, and jax.jit on the devices of
the simulated chip divides the rest. A core has the heads of the cache that it computes. Experts
may also lie whole on cores (expert parallelism), which experts.py writes out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np

from trainyard.serving.llama import Config
from trainyard.serving.products import COLUMNS, ROWS, Weights
from trainyard.usage import UsageError

MACHINE = "trn3"  # of the devices of JAX's plugin, unless its variables say another
# Biases and scales of experts, a row each: of hidden units, and all.
OF_UNITS = tuple(f"ffn_{one}_{what}" for one in ("gate", "up") for what in ("bias", "scale"))
OF_EXPERTS = (*OF_UNITS, "ffn_down_bias", "ffn_down_scale")


def devices_of(machine: str, many: int) -> list[Any]:
    """The first devices of JAX's plugin. Raises UsageError where there are fewer, or of another
    machine."""
    import jax

    if machine != MACHINE:
        raise UsageError(f"several cores serve on {MACHINE}, not on {machine}")
    devices = jax.devices("neuron")
    if many > len(devices):
        raise UsageError(f"there are {len(devices)} devices, and not {many} (--chips)")
    return list(devices[:many])


def check_cores(config: Config, cores: int, has_whole_experts: bool) -> None:
    """Raises UsageError where so many cores cannot divide the model."""
    sizes = {name: getattr(config, name) for name in ("heads", "kv_heads", "vocabulary")}
    sizes["inner"] = config.experts.inner if config.experts else config.inner
    if has_whole_experts and config.experts:
        sizes["experts"] = config.experts.of
        del sizes["inner"]
    for name, size in sizes.items():
        if size % cores:
            raise UsageError(f"{cores} cores do not divide {name}: {size}")


class Shards:
    """Weights on the cores, and step functions compiled for them."""

    def __init__(
        self, weights: Weights, config: Config, cores: int, machine: str, has_whole_experts: bool
    ) -> None:
        """Raises UsageError where the model cannot be divided so, or there are too few cores."""
        import jax
        from jax.sharding import Mesh, NamedSharding
        from jax.sharding import PartitionSpec as P

        devices = devices_of(machine, cores)
        check_cores(config, cores, has_whole_experts)
        mesh = Mesh(np.array(devices), ("model",))
        self._of_experts = mesh if has_whole_experts else None  # over which they lie whole

        def sharding(*axes: Any) -> Any:
            return NamedSharding(mesh, P(*axes))

        self._whole, self._pool = sharding(), sharding(None, None, None, "model")

        def of(name: str, axes: int) -> Any:
            """Columns are the last axis of a weight, rows the one before."""
            last = name.rpartition(".")[2]
            if has_whole_experts and (axes == 3 or last in OF_EXPERTS):
                return sharding("model")
            if last in COLUMNS or name == "head" or (axes == 2 and last in OF_UNITS):
                return sharding(*(None,) * (axes - 1), "model")
            return sharding(*(None,) * (axes - 2), "model") if last in ROWS else self._whole

        self.weights = {
            name: jax.device_put(value, of(name, value.ndim)) for name, value in weights.items()
        }

    def spread(self, config: Config) -> Config:
        """As a step finds it."""
        if config.experts is None:
            return config
        return replace(config, experts=replace(config.experts, spread=self._of_experts))

    def put_pool(self, pool: np.ndarray) -> Any:
        """Keys or values on the cores that compute their heads."""
        import jax

        return jax.device_put(pool, self._pool)

    def compile(self, step: Callable[..., Any], pools: Any, given: Any) -> tuple[Any, float, float]:
        """(what runs it on the cache and a list of what is given besides; seconds; joules). The
        cache is donated."""
        import jax

        def put(values: Any) -> Any:
            return tuple(jax.device_put(one, self._whole) for one in values)

        jitted = jax.jit(
            step,
            donate_argnums=(1, 2),
            out_shardings=(None, self._pool, self._pool),
            compiler_options={"mode": "machine"},
        )
        compiled = jitted.lower(self.weights, *pools, *put(given)).compile()
        costs: Any = compiled.cost_analysis()

        def run(keys: Any, values: Any, given: Any) -> Any:
            return compiled(self.weights, keys, values, *put(given[0]))

        return SimpleNamespace(run=run), float(costs["seconds"]), float(costs["joules"])
