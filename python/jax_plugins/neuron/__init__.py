"""Registers the simulated Trainium as JAX's platform `neuron`.

JAX finds this module by its name or by the entry point `jax_plugins` and calls initialize().
Options of the client come from the environment: TRAINYARD_MACHINE, TRAINYARD_MODE,
NEURON_LOGICAL_NC_CONFIG and the others that docs/jax.md lists.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import sys
from pathlib import Path
from typing import Any

from jax_plugins.neuron import callbacks, factorizations, forks, selections

PLATFORM = "neuron"
# Distributions of AWS that register a platform of the same name.
ORIGINALS = ("libneuronxla", "jax-neuronx")


def library_path() -> Path:
    """The plugin that this package was built with."""
    spec = importlib.util.find_spec("trainyard")
    if spec is None or spec.origin is None:
        raise ImportError("jax_plugins.neuron needs the package `trainyard` it was installed with")
    path = Path(spec.origin).parent / "libpjrt_neuron.so"
    if not path.exists():
        raise ImportError(f"{path} is missing: build it with `make install`")
    return path


def _others() -> list[str]:
    """Installed distributions that register the platform `neuron` themselves."""
    found = {
        point.dist.name
        for point in importlib.metadata.entry_points(group="jax_plugins")
        if point.value != __name__ and point.name == PLATFORM and point.dist is not None
    }
    for name in ORIGINALS:
        try:
            importlib.metadata.distribution(name)
        except importlib.metadata.PackageNotFoundError:
            continue
        found.add(name)
    return sorted(found)


def initialize() -> None:
    """Called by JAX. Raises RuntimeError when another package registers the platform too."""
    if others := _others():
        raise RuntimeError(
            f"{', '.join(others)} and trainyard both register the JAX platform `neuron`. The "
            "simulator does not stand in for an installed original: use an environment with one "
            "of them"
        )
    import jax._src.xla_bridge as xla_bridge

    runs = _watched_by()
    if runs is not None:  # the same plugin inside of the library that the watcher lives in
        from trainyard import _core

        xla_bridge.register_plugin(
            PLATFORM,
            priority=400,
            library_path=_core.__file__,
            options=lambda: {
                **runs.create_options,
                **callbacks.create_options(),
                **_coordinator(),
            },
        )
    else:
        xla_bridge.register_plugin(
            PLATFORM,
            priority=400,
            library_path=str(library_path()),
            options=lambda: {**callbacks.create_options(), **_coordinator()},
        )
    callbacks.register(PLATFORM)
    factorizations.register(PLATFORM)
    selections.register(PLATFORM)
    _lower_scaled_matmul()
    forks.register(PLATFORM)


def _coordinator() -> dict[str, str]:
    """After jax.distributed.initialize(): where its processes meet."""
    from jax._src import distributed

    address = getattr(distributed.global_state, "coordinator_address", None)
    return {"coordinator_address": address} if address else {}


def _lower_scaled_matmul() -> None:
    """jax.nn.scaled_matmul, which JAX lowers for GPUs only, as jax.lax.scaled_dot."""
    try:
        from jax._src.cudnn.scaled_matmul_stablehlo import _scaled_matmul_p as primitive
    except ImportError:  # another version of JAX, whose own error says that it has no rule
        return
    from jax import lax
    from jax.interpreters import mlir

    def product(a: Any, b: Any, a_scale: Any, b_scale: Any, preferred_element_type: Any) -> Any:
        one = a.shape[0] == 1  # two matrices, which the tensor engine multiplies in MX formats
        sides = [x[0] if one else x for x in (a, b, a_scale, b_scale)]
        dimensions = (((1,), (1,)), ((), ())) if one else (((2,), (2,)), ((0,), (0,)))
        found = lax.scaled_dot(
            *sides[:2],
            lhs_scale=sides[2],
            rhs_scale=sides[3],
            dimension_numbers=dimensions,
            preferred_element_type=preferred_element_type,
        )
        return [found[None] if one else found]

    rule = mlir.lower_fun(product, multiple_results=True)
    mlir.register_lowering(primitive, rule, platform=PLATFORM)


def _watched_by() -> Any:
    """Who in this process wants to know what programs take; see trainyard.jax_runs."""
    watching = sys.modules.get("trainyard.jax_runs")
    return watching.active() if watching is not None else None
