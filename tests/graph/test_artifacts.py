"""Does the reader see the operations, types and places that jaxlib's own reader sees?"""

from __future__ import annotations

from collections import Counter

import jax_programs
import numpy as np
import pytest
import trainyard
from jax._src.interpreters import mlir as jax_mlir
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo
from trainyard import graph

# Of which nothing is left on one device.
GONE = {
    "sdy.mesh",
    "sdy.sharding_constraint",
    "builtin.module",
    "builtin.unrealized_conversion_cast",
}


def ops_by_jaxlib(artifact: bytes) -> Counter:
    module = stablehlo.deserialize_portable_artifact(jax_mlir.make_ir_context(), artifact)
    counts: Counter = Counter()

    def walk(op) -> None:
        name = op.name
        if name not in GONE | {"func.func"}:
            if name.startswith("chlo."):
                name = "composite"
            counts[name.split(".")[-1]] += 1
        for region in op.regions:
            for block in region.blocks:
                for inner in block.operations:
                    walk(inner.operation)

    walk(module.operation if hasattr(module, "operation") else module)
    return counts


@pytest.mark.parametrize("name", jax_programs.PROGRAMS)
@pytest.mark.parametrize("version", ["1.17.0", "1.13.7", "1.9.0", "1.0.0"])
def test_the_same_operations_as_jaxlib(name: str, version: str):
    function, arguments = jax_programs.PROGRAMS[name]
    artifact = jax_programs.artifact_of(function, *arguments, version=version)
    assert graph.read(artifact).op_counts() == dict(ops_by_jaxlib(artifact))


def test_donated_and_aliased_arguments_are_kept():
    artifact = jax_programs.artifact_of(
        lambda x, y: (x + y, y * 2), *[np.ones((2, 3), np.float32)] * 2, donate_argnums=0
    )
    assert "tf.aliasing_output = 0 : i64" in graph.read(artifact).text()


def test_an_operation_knows_its_scope_and_source_line():
    def forward(x):
        with jax_programs.jax.named_scope("layer_0"):
            return jax_programs.jnp.tanh(x)

    module = graph.read(jax_programs.artifact_of(forward, np.ones(3, np.float32)))
    (place, *_) = module.places("main")
    assert "test_artifacts.py:" in place
    assert place.endswith("in jit(forward)/layer_0/tanh")
    assert "(test_an_operation_knows_its_scope_and_source_line.<locals>.forward)" in place


def test_a_deep_call_stack_is_read():
    def recurse(x, depth):
        return recurse(x, depth - 1) if depth else jax_programs.jnp.tanh(x)

    jax = jax_programs.jax
    limit = jax.config.jax_traceback_in_locations_limit
    jax.config.update("jax_traceback_in_locations_limit", -1)
    try:
        artifact = jax_programs.artifact_of(lambda x: recurse(x, 150), np.ones(3, np.float32))
    finally:
        jax.config.update("jax_traceback_in_locations_limit", limit)
    (place, *_) = graph.read(artifact).places("main")
    assert "recurse" in place


def test_damaged_bytes_are_named_with_their_offset():
    function, arguments = jax_programs.PROGRAMS["loop"]
    artifact = jax_programs.artifact_of(function, *arguments)
    with pytest.raises(trainyard.InputError, match=r"artifact, byte \d+"):
        graph.read(artifact[:-7])


MANUAL = """module attributes {{mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32}} {{
  sdy.mesh @mesh = <["x"=1]>
  func.func public @main(%a: tensor<4x{0}>) -> tensor<4x{0}> {{
    %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{{"x"}}]>]
        out_shardings=[<@mesh, [{{"x"}}]>] manual_axes={{"x"}} (%b: tensor<4x{0}>) {{
      %1 = stablehlo.reverse %b, dims = [0] : tensor<4x{0}>
      sdy.return %1 : tensor<4x{0}>
    }} : (tensor<4x{0}>) -> tensor<4x{0}>
    return %0 : tensor<4x{0}>
  }}
}}"""
F8 = (*("E5M2", "E4M3", "E4M3FN", "E5M2FNUZ"), *("E4M3FNUZ", "E4M3B11FNUZ", "E3M4", "E8M0FNU"))
NARROW = (*("bf16", "f4E2M1FN", "f6E2M3FN", "f6E3M2FN"), *(f"f8{one}" for one in F8))


@pytest.mark.parametrize("element", NARROW)
def test_narrow_types_within_a_manual_computation(element: str):
    """Whose own types are MLIR's, and not those of StableHLO's artifacts."""
    with jax_mlir.make_ir_context() as context:
        module = ir.Module.parse(MANUAL.format(element), context)
        artifact = stablehlo.serialize_portable_artifact(module, "1.13.7", True)
    assert f"tensor<4x{element}>" in graph.read(artifact).text()
