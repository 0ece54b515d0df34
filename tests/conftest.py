"""The same property tests run every time: a failure on one machine is a failure on all."""

import os
from typing import Any

import numpy as np
import pytest
from hypothesis import settings

settings.register_profile("repeatable", derandomize=True, deadline=None, database=None)
settings.load_profile("repeatable")
# The states of a module's generators as it is imported.
STATES = pytest.StashKey[dict[str, Any]]()
# Tests that use JAX get the CPU unless they ask for the platform `neuron`.
PLATFORMS = os.environ.setdefault("JAX_PLATFORMS", "cpu,neuron")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", "found(*checks): what the kernels of the test are warned of, on purpose"
    )


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Findings that a test is made to give are not told again; all others are."""
    unchanged = os.environ.get("JAX_PLATFORMS") == PLATFORMS
    assert unchanged, "a test module changes JAX_PLATFORMS for all others as it is imported"
    for item in items:
        item.stash[STATES] = {n: g.bit_generator.state for n, g in generators(item).items()}
        for mark in item.iter_markers("found"):
            for check in mark.args:
                text = f"ignore:.*{check}:trainyard.FindingWarning"
                item.add_marker(pytest.mark.filterwarnings(text))


def generators(item: pytest.Item) -> dict[str, np.random.Generator]:
    module = item.getparent(pytest.Module)
    values = {} if module is None else vars(module.obj)
    return {name: v for name, v in values.items() if isinstance(v, np.random.Generator)}


@pytest.fixture(autouse=True)
def same_draws(request: pytest.FixtureRequest) -> None:
    """A test draws the same numbers from its module's generators alone and among all others."""
    for name, generator in generators(request.node).items():
        generator.bit_generator.state = request.node.stash[STATES][name]
