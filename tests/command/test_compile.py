"""Does `trainyard compile` show what each pass does, and refuse what it cannot compile?"""

import importlib.util
import json
import runpy
from pathlib import Path

import pytest
from trainyard import _core

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = Path(__file__).with_name("jax_script.py")
needs_jax = pytest.mark.skipif(importlib.util.find_spec("jax") is None, reason="JAX is missing")

# silu, written out, and a product that is computed twice.
PROGRAM = """
module @silu {
  func.func @main(%x: tensor<128x64xf32>) -> (tensor<128x64xf32>, tensor<128x64xf32>) {
    %one = stablehlo.constant dense<1.0> : tensor<128x64xf32>
    %0 = stablehlo.negate %x : tensor<128x64xf32>
    %1 = stablehlo.exponential %0 : tensor<128x64xf32>
    %2 = stablehlo.add %1, %one : tensor<128x64xf32>
    %3 = stablehlo.divide %one, %2 : tensor<128x64xf32>
    %4 = stablehlo.multiply %x, %3 : tensor<128x64xf32>
    %5 = stablehlo.multiply %x, %x : tensor<128x64xf32>
    %6 = stablehlo.multiply %x, %x : tensor<128x64xf32>
    %7 = stablehlo.add %5, %6 : tensor<128x64xf32>
    return %4, %7 : tensor<128x64xf32>, tensor<128x64xf32>
  }
}
"""


@pytest.fixture
def program(tmp_path):
    path = tmp_path / "silu.mlir"
    path.write_text(PROGRAM)
    return path


def names():
    return [name for _, name, _ in _core.compiler_passes()]


def test_every_pass_is_listed_with_what_it_does(trainyard):
    done = trainyard("compile", "--list-passes")
    assert done.code == 0, done.err
    listed = [line.split()[0] for line in done.out.splitlines() if line.startswith("  ")]
    assert listed == names()
    assert len(listed) == len(set(listed)) >= 17


def test_what_becomes_of_operations_is_listed(trainyard):
    done = trainyard("compile", "--legality")
    assert done.code == 0, done.err
    (add,) = [line for line in done.out.splitlines() if line.startswith("add ")]
    assert "instructions" in add
    assert "routine" in add


def test_the_page_of_operations_is_fresh():
    made = runpy.run_path(str(ROOT / "tools/operations_reference.py"))["page"]()
    assert (ROOT / "docs/reference/operations.md").read_text() == made


def test_the_page_of_the_compiler_is_fresh():
    made = runpy.run_path(str(ROOT / "tools/compiler_page.py"))["page"]()
    assert (ROOT / "docs/compiler.md").read_text() == made, "run: python tools/compiler_page.py"


def test_groups_are_explained(trainyard, program):
    done = trainyard("compile", "--explain", program)
    assert done.code == 0, done.err
    first = done.out.splitlines()[0]
    assert first.startswith("silu: ")
    assert first.endswith(("1 group", "2 groups"))
    assert "128 x 64 elements in tiles of 128 x 64: its rows fill the partitions" in done.out
    assert "silu.mlir:" in done.out
    assert "32 KiB from HBM" in done.out


@needs_jax
def test_groups_of_a_function_carry_the_models_operations(trainyard, monkeypatch):
    monkeypatch.delenv("JAX_PLATFORMS", raising=False)
    done = trainyard("compile", "--json", "--explain", "--only", "layer", SCRIPT)
    assert done.code == 0, done.err
    (groups,) = done.data["functions"][0]["groups"]
    assert "jit(layer)/dense/dot_general" in [name for one in groups for name in one["operations"]]
    assert any("rows of 32 elements" in one["how"] for one in groups)
    # Each core has half of the rows, and all weights.
    assert sum(one["bytes_read"] for one in groups) == 4 * (128 // 2 * 64 + 64 * 32)
    assert sum(one["bytes_written"] for one in groups) == 4 * 128 // 2 * 32
    for group in groups:
        assert 0 <= group["begin_ns"] < group["end_ns"]
        assert max(group["busy_ns"].values()) <= group["end_ns"] - group["begin_ns"]


def test_a_program_is_compiled_without_running(trainyard, program):
    done = trainyard("compile", program)
    assert done.code == 0, done.err
    assert done.out.startswith("silu: 1 program, ")


def test_a_dump_shows_what_the_pass_left(trainyard, program):
    done = trainyard("compile", "--dump-after", "remove-repeats", program)
    assert done.code == 0, done.err
    assert done.out.count('"stablehlo.multiply"') == 2  # three before
    assert "stablehlo.exponential" in done.out
    done = trainyard("compile", "--dump-after", "drop-unread", program)
    assert "trainyard.silu" in done.out
    assert "stablehlo.exponential" not in done.out


def test_a_dump_behind_a_program_pass_is_the_programs_text(trainyard, program):
    done = trainyard("compile", "--dump-after", "lower", "--dump-after", "allocate", program)
    assert done.code == 0, done.err
    lowered, allocated = done.out.split("// --- after ")[1:]
    assert lowered.startswith("lower: silu")
    assert " any dma_copy " in lowered
    assert " any " not in allocated
    assert " at 0 loc" in allocated


def test_a_pass_that_did_not_run_is_named(trainyard, program):
    done = trainyard("compile", "--dump-after", "balance-engines", program)
    assert done.code == 0, done.err
    assert "none goes through balance-engines" in done.err


def test_all_dumps_come_in_order_and_the_same_text_once(trainyard, program):
    done = trainyard("compile", "--dump-after", "all", program)
    assert done.code == 0, done.err
    heads = [line for line in done.out.splitlines() if line.startswith("// --- after ")]
    order = [head.removeprefix("// --- after ").split(":")[0] for head in heads]
    assert order == [name for name in names() if name in order]
    assert heads[0] == "// --- after cast: silu"
    assert heads[1] == "// --- after expand-custom-calls: silu, unchanged"


def test_passes_are_timed(trainyard, program):
    done = trainyard("compile", "--time-passes", program)
    assert done.code == 0, done.err
    rows = [line.split() for line in done.out.splitlines() if line.startswith("  ")][1:]
    assert [row[0] for row in rows] == [name for name in names() if name in {r[0] for r in rows}]
    assert {"cast", "lower", "schedule", "build-streams"} <= {row[0] for row in rows}
    assert sum(float(row[3]) for row in rows) == pytest.approx(100, abs=1)


def deep_program(layers, depth=15):
    """Layers that look alike, too short to be shared, each with a sum."""
    wide, thin = "tensor<8x8xf32>", "tensor<8xf32>"
    lines = [
        f"%m0 = stablehlo.constant dense<1.0> : {wide}",
        "%zero = stablehlo.constant dense<0.0> : tensor<f32>",
    ]
    for i in range(layers):
        lines.append(
            f"%p{i} = stablehlo.dot_general %m{i}, %w, contracting_dims = [1] x [0]"
            f" : ({wide}, {wide}) -> {wide}"
        )
        last = f"%p{i}"
        for k in range(depth):
            lines.append(f"%t{i}_{k} = stablehlo.multiply {last}, %w : {wide}")
            lines.append(f"%u{i}_{k} = stablehlo.add %t{i}_{k}, %p{i} : {wide}")
            last = f"%u{i}_{k}"
        lines += [
            f"%s{i} = stablehlo.reduce({last} init: %zero) applies stablehlo.add"
            f" across dimensions = [1] : ({wide}, tensor<f32>) -> {thin}",
            f"%b{i} = stablehlo.broadcast_in_dim %s{i}, dims = [0] : ({thin}) -> {wide}",
            f"%m{i + 1} = stablehlo.subtract {last}, %b{i} : {wide}",
        ]
    lines.append(f"return %m{layers} : {wide}")
    body = "\n".join(lines)
    return f"module @deep {{ func.func @main(%w: {wide}) -> {wide} {{\n{body}\n}} }}\n"


def test_no_pass_looks_at_all_operations_for_each_of_a_deep_program(trainyard, tmp_path):
    """Beside another pass of the same run. Of 4,000 operations, these took 13, 20 and 0.2 times
    what lowering takes."""
    path = tmp_path / "deep.mlir"
    path.write_text(deep_program(120))
    done = trainyard("compile", "--time-passes", path)
    assert done.code == 0, done.err
    rows = [line.split() for line in done.out.splitlines() if line.startswith("  ")][1:]
    times = {row[0]: float(row[2]) for row in rows}
    assert times["share-layers"] < 5 * times["lower"]
    assert times["share-dims"] < 3 * times["lower"]
    assert times["run-recurrences"] < times["lower"] / 20


def test_what_was_made_can_be_written(trainyard, program, tmp_path):
    binary = tmp_path / "silu.typrog"
    done = trainyard("compile", "--emit", "binary", "--output", binary, program)
    assert done.code == 0, done.err
    printed = trainyard("isa", "disassemble", "--exact", binary).out
    assert trainyard("compile", "--emit", "program", program).out.strip() == printed.strip()
    module = tmp_path / "lowered.mlir"
    done = trainyard("compile", "--emit", "module", "--output", module, program)
    assert done.code == 0, done.err
    assert "trainyard.silu" in module.read_text()


def test_a_cast_that_is_asked_for_is_a_pass(trainyard, program):
    done = trainyard("compile", "--auto-cast", "all", "--dump-after", "cast", program)
    assert done.code == 0, done.err
    assert "tensor<128x64xbf16>" in done.out


def test_the_document_has_passes_and_dumps(trainyard, program):
    done = trainyard("compile", "--json", "--dump-after", "cast", program)
    assert done.code == 0, done.err
    assert done.data["schema"] == "trainyard.compile/1"
    (function,) = done.data["functions"]
    assert function["name"] == "silu"
    assert [dump["after"] for dump in function["dumps"]] == ["cast"]
    assert all(each["ms"] >= 0 and each["runs"] > 0 for each in function["passes"])


def test_an_unknown_pass_is_answered_with_all_of_them(trainyard, program):
    done = trainyard("compile", "--dump-after", "fold-everything", program)
    assert done.code == 2
    assert done.err.startswith(
        "trainyard: --dump-after: there is no pass fold-everything; there are: cast, "
    )
    assert all(name in done.err for name in names())


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("--emit", "binary", "silu.mlir"), 2, "needs --output"),
        (("--output", "x", "silu.mlir"), 2, "add --emit"),
        (("missing.mlir",), 2, "there is no script missing.mlir"),
        (("broken.mlir",), 3, "broken.mlir:1:"),
        (("--only", "other", "silu.mlir"), 2, "no function other; there are: silu"),
        (("kernels.py:softmax",), 2, "trainyard run --save-programs"),
    ],
)
def test_a_mistake_is_one_clear_error(trainyard, program, arguments, code, said):
    program.with_name("broken.mlir").write_text("module {")
    done = trainyard("compile", *arguments)
    assert done.code == code, done.err
    assert said in done.err
    assert "Traceback" not in done.err


def test_a_file_that_cannot_be_written_is_said(trainyard, program, tmp_path):
    missing = tmp_path / "missing/silu.typrog"
    done = trainyard("compile", "--emit", "binary", "--output", missing, program)
    assert done.code == 74, done.err


@needs_jax
def test_functions_of_a_script_are_compiled_as_it_runs(trainyard, monkeypatch):
    monkeypatch.delenv("JAX_PLATFORMS", raising=False)
    done = trainyard("compile", "--json", "--only", "layer", "--dump-after", "lower", SCRIPT)
    assert done.code == 0, done.err
    (layer,) = done.data["functions"]
    assert layer["name"] == "jit_layer"
    assert f'"{SCRIPT}":12 in "jit(layer)/dense/dot_general"' in layer["dumps"][0]["text"]
    assert json.loads(done.out)["error"] is None


@needs_jax
def test_a_script_that_compiles_nothing_is_told_so(trainyard, tmp_path):
    script = tmp_path / "nothing.py"
    script.write_text("print('hello')\n")
    done = trainyard("compile", script)
    assert done.code == 2, done.err


TIGHT = ("--set", "sbuf.partition_size=16400B")


def test_dumps_are_kept_up_to_the_pass_that_fails(trainyard, program):
    done = trainyard(
        "compile", *TIGHT, "--dump-after", "lower", "--dump-after", "build-streams", program
    )
    assert done.code != 0
    assert "sbuf.capacity" in done.err
    assert "// --- after lower: silu" in done.out
    assert " any dma_copy " in done.out
    assert "after build-streams" not in done.out


@needs_jax
def test_dumps_of_a_script_that_fails_follow_those_that_it_finished(trainyard, monkeypatch):
    monkeypatch.delenv("JAX_PLATFORMS", raising=False)
    done = trainyard("compile", *TIGHT, "--dump-after", "lower", SCRIPT)
    assert done.code != 0
    assert "sbuf.capacity" in done.err
    assert "// --- after lower: " in done.out
