"""A device of two cores (LNC 2) uses both where that is faster, with the bits of one."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

PROGRAM = """
import json, jax, jax.numpy as jnp, numpy as np
random = np.random.default_rng(1)
shapes = (1024, 512), (512, 1024), (1024, 512)
x, w, u = (random.normal(size=shape).astype(np.float32) for shape in shapes)
large = jax.jit(lambda x, w, u: x + jax.nn.gelu(x @ w) @ u)
small = jax.jit(lambda x: jax.nn.softmax(x[:64] @ x[:64].T))
found = {}
for name, f, a in (("large", large, (x, w, u)), ("small", small, (x,))):
    cost = f.lower(*a).compile().cost_analysis()
    found[name] = [cost["seconds"], cost["dollars"], np.asarray(f(*a)).tobytes().hex()[:4096]]
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def measured():
    def run(cores):
        environment = {
            **os.environ,
            "JAX_PLATFORMS": "neuron",
            "TRAINYARD_MODE": "machine",
            "NEURON_LOGICAL_NC_CONFIG": str(cores),
        }
        ended = subprocess.run(
            [sys.executable, "-c", PROGRAM],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
            timeout=300,
        )
        return json.loads(ended.stdout.splitlines()[-1])

    return run(1), run(2)


def test_both_cores_give_the_bits_of_one(measured):
    one, two = measured
    assert all(one[name][2] == two[name][2] for name in one)


def test_both_are_used_where_that_is_faster(measured):
    one, two = measured
    assert two["large"][0] < 0.8 * one["large"][0]
    assert two["small"][0] <= one["small"][0]


def test_the_rent_is_that_of_the_device(measured):
    one, two = measured
    assert two["small"][1] / two["small"][0] == pytest.approx(2 * one["small"][1] / one["small"][0])
