"""Writes docs/compiler.md: one small program through every pass of the compiler.

PYTHONPATH=build/release/python python tools/compiler_page.py
"""

# ruff: noqa: E501  the text is Markdown

from __future__ import annotations

import difflib
from collections.abc import Iterator
from pathlib import Path

from trainyard import _core, alternatives, compilations, explanations, graph

PAGE = Path(__file__).resolve().parents[1] / "docs/compiler.md"

# A linear layer with gelu (written out, as frameworks do), then softmax.
PROGRAM = """\
module @layer {
  func.func @main(%x: tensor<128x64xf32>, %w: tensor<64x256xf32>) -> tensor<128x256xf32> {
    %half = stablehlo.constant dense<0.5> : tensor<128x256xf32>
    %one = stablehlo.constant dense<1.0> : tensor<128x256xf32>
    %a = stablehlo.constant dense<0.044715> : tensor<128x256xf32>
    %b = stablehlo.constant dense<0.7978845608> : tensor<128x256xf32>
    %h = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<128x64xf32>, tensor<64x256xf32>) -> tensor<128x256xf32>
    %g = func.call @gelu(%h, %half, %one, %a, %b) : (tensor<128x256xf32>, tensor<128x256xf32>, tensor<128x256xf32>, tensor<128x256xf32>, tensor<128x256xf32>) -> tensor<128x256xf32>
    %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %m = stablehlo.reduce(%g init: %low) applies stablehlo.maximum across dimensions = [1] : (tensor<128x256xf32>, tensor<f32>) -> tensor<128xf32>
    %mw = stablehlo.broadcast_in_dim %m, dims = [0] : (tensor<128xf32>) -> tensor<128x256xf32>
    %d = stablehlo.subtract %g, %mw : tensor<128x256xf32>
    %e = stablehlo.exponential %d : tensor<128x256xf32>
    %s = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<128x256xf32>, tensor<f32>) -> tensor<128xf32>
    %sw = stablehlo.broadcast_in_dim %s, dims = [0] : (tensor<128xf32>) -> tensor<128x256xf32>
    %y = stablehlo.divide %e, %sw : tensor<128x256xf32>
    return %y : tensor<128x256xf32>
  }
  func.func private @gelu(%h: tensor<128x256xf32>, %half: tensor<128x256xf32>, %one: tensor<128x256xf32>, %a: tensor<128x256xf32>, %b: tensor<128x256xf32>) -> tensor<128x256xf32> {
    %0 = stablehlo.multiply %h, %h : tensor<128x256xf32>
    %1 = stablehlo.multiply %0, %h : tensor<128x256xf32>
    %2 = stablehlo.multiply %1, %a : tensor<128x256xf32>
    %3 = stablehlo.add %h, %2 : tensor<128x256xf32>
    %4 = stablehlo.multiply %3, %b : tensor<128x256xf32>
    %5 = stablehlo.tanh %4 : tensor<128x256xf32>
    %6 = stablehlo.add %5, %one : tensor<128x256xf32>
    %7 = stablehlo.multiply %6, %half : tensor<128x256xf32>
    %8 = stablehlo.multiply %h, %7 : tensor<128x256xf32>
    return %8 : tensor<128x256xf32>
  }
}
"""

HEAD = """\
# One program through the compiler

Written by `tools/compiler_page.py`; do not edit. The same for a program of yours:
`trainyard compile --dump-after all --explain model.mlir`. The passes stand in two lists,
[module_passes.cpp](../src/compiler/lowering/module_passes.cpp) and [program_passes.cpp](../src/compiler/program_passes.cpp); how to
add one is said in [ARCHITECTURE.md](../ARCHITECTURE.md).

A linear layer with gelu and softmax, as StableHLO:
"""

PASSES = """\
## On the tensor program

Behind each pass the program is checked against StableHLO's rules ([verify.h](../src/graph/verify.h)). Lines that a pass takes out
begin with `-`, those that it puts in with `+`.
"""

LOWERED = """\
## Lowered

Each operation is looked up in a table ([operations.md](reference/operations.md)). What is only read once stays uncomputed until its
reader computes it tile by tile; values of the last operations stay in SBUF where they find room. How a value that only products read
lies, rows or features on partitions, is chosen for all products that hang together, by time-only runs of these alone
([decision 0016](decisions/0016-layouts-between-products-are-searched.md)). The result is a program of
instructions in one order, without engines or addresses ([its form](formats/program.md)):
"""

PROGRAM_PASSES = """\
## On each program
"""

EXPLAINED = """\
## What it takes

The program on trn3, by groups of operations that are computed together:
"""


def _fenced(text: str, language: str = "") -> str:
    return f"```{language}\n{text.rstrip()}\n```\n"


def _difference(before: str, after: str) -> str:
    """The lines that changed, without their surroundings."""
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=0)
    kept = [line for line in lines if not line.startswith(("---", "+++", "@@"))]
    return "\n".join(kept)


def _steps(model: object, of: str) -> Iterator[str]:
    """What each pass over modules, or programs, did."""
    summaries = {each.name: each for each in compilations.passes()}
    dumps = [compilations.Dump(*each) for each in model.pass_dumps]  # type: ignore[attr-defined]
    before = graph.read(PROGRAM.encode(), "layer.mlir").text() if of == "module" else ""
    for dump in dumps:
        if summaries[dump.after].of != of or dump.after == "lower":
            before = dump.text if dump.after == "lower" and of == "program" else before
            continue
        yield f"### {dump.after}\n\n{summaries[dump.after].summary[0].upper()}{summaries[dump.after].summary[1:]}.\n"
        changed = _difference(before, dump.text)
        yield _fenced(changed, "diff") if changed else "Nothing to do here.\n"
        before = dump.text


def page() -> str:
    """The whole page."""
    module = graph.read(PROGRAM.encode(), "layer.mlir")
    machine = _core.load_machine("trn3")
    model = _core.compile_model(module, machine, "list", "", ["all"])
    options = _core.RunOptions()
    options.timed, options.values, options.checks, options.record = True, False, False, True
    inputs = [
        model.buffer(i, array.tobytes()) for i, array in enumerate(graph.random_inputs(module))
    ]
    run = model.run_as(inputs, options)
    groups = explanations.groups_of(
        model.programs[0].program, run.programs[0].run.intervals(), model.groups[0]
    )
    alternatives.add_alternatives(groups, alternatives.Regions(model))
    (lowered,) = (text for name, _, text in model.pass_dumps if name == "lower")
    parts = [
        HEAD,
        _fenced(PROGRAM, "mlir"),
        PASSES,
        *_steps(model, "module"),
        LOWERED,
        _fenced(lowered),
        PROGRAM_PASSES,
        *_steps(model, "program"),
        EXPLAINED,
        _fenced("\n".join(explanations.lines(model.name, groups, alternatives.lines))),
    ]
    return "\n".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page())
