"""Does the text of a program give the same module as its artifact, whoever printed it?"""

from __future__ import annotations

import jax
import jax_programs
import numpy as np
import pytest
import trainyard
from jax._src.interpreters import mlir as jax_mlir
from jaxlib.mlir.dialects import stablehlo
from trainyard import graph

VERSION = "1.17.0"


def forms_of(artifact: bytes) -> dict[str, str]:
    """The program as MLIR prints it, in both forms, with and without locations."""
    with jax_mlir.make_ir_context() as context:
        module = stablehlo.deserialize_portable_artifact(context, artifact)
        operation = getattr(module, "operation", module)
        return {
            "pretty": operation.get_asm(),
            "generic": operation.get_asm(print_generic_op_form=True),
            "located": operation.get_asm(enable_debug_info=True),
        }


@pytest.mark.parametrize("name", jax_programs.PROGRAMS)
@pytest.mark.parametrize("form", ["pretty", "generic", "located"])
def test_the_text_is_the_artifact(name: str, form: str):
    function, arguments = jax_programs.PROGRAMS[name]
    artifact = jax_programs.artifact_of(function, *arguments, version=VERSION)
    wanted = graph.read(artifact)
    found = graph.read(forms_of(artifact)[form].encode())
    locations = form == "located"
    assert found.text(locations=locations) == wanted.text(locations=locations)


@pytest.mark.parametrize("name", jax_programs.PROGRAMS)
def test_what_jax_prints_computes_the_same(name: str):
    function, arguments = jax_programs.PROGRAMS[name]
    fresh = jax.jit(lambda *arguments: function(*arguments))
    lowered = fresh.trace(*arguments).lower(lowering_platforms=("cpu",))
    flat = [np.asarray(leaf) for leaf in jax.tree.leaves(arguments)]
    text = lowered.as_text()
    artifact = jax_programs.artifact_of(function, *arguments, version=VERSION)
    kept = lowered._lowering.compile_args["kept_var_idx"]
    flat = [leaf for i, leaf in enumerate(flat) if i in kept]
    wanted = graph.evaluate(graph.read(artifact), *flat)
    found = graph.evaluate(graph.read(text.encode()), *flat)
    for ours, theirs in zip(found, wanted, strict=True):
        assert ours.tobytes() == theirs.tobytes()


@pytest.mark.parametrize("name", jax_programs.PROGRAMS)
def test_what_we_print_is_read_back(name: str):
    function, arguments = jax_programs.PROGRAMS[name]
    module = graph.read(jax_programs.artifact_of(function, *arguments, version=VERSION))
    assert graph.read(module.text().encode()).text() == module.text()


def test_an_operation_without_a_location_stands_on_its_line():
    text = """
module @m {
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.tanh %x : tensor<4xf32>  // the sixth line, counted from one: the fourth
    return %0 : tensor<4xf32>
  }
}
"""
    assert graph.read(text.encode()).places("main") == ["text:4", "text:5"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", "no program.*text:1:1"),
        ("module {", r"text:1:9.*`end|neither"),
        ("func.func @main() { %0 = stablehlo.fly %1 : f32 }", r"stablehlo.fly.*text:1:\d+"),
        ("func.func @main(%x: tensor<4xf32>) { return %y : tensor<4xf32> }", "%y is not defined"),
        ("func.func @main(%x: tensor<4xf32>) { return %x : tensor<5xf32> }", "tensor<4xf32>, used"),
        (
            "func.func @main() { %0 = stablehlo.constant dense<[1, 2]> : tensor<3xi32> return }",
            "2 numbers for tensor<3xi32>",
        ),
        (
            "func.func @main() { %0 = stablehlo.constant dense_resource<r> : tensor<3xi32> }",
            "dense",
        ),
        ("func.func @main(%x: tensor<4xf99>) { return }", "f99"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(text: str, found: str):
    with pytest.raises(trainyard.InputError, match=f"(?s)graph.text.*{found}"):
        graph.read(text.encode())
