"""Is what an unmodified JAX script runs on `neuron` timed, profiled and checked?"""

import importlib.util
import json
import os
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(importlib.util.find_spec("jax") is None, reason="JAX is missing")
SCRIPT = Path(__file__).with_name("jax_script.py")
PRINTED = "sum: 128.000, [15. 15. 15. 15.]"


@pytest.fixture
def neuron(monkeypatch):
    """JAX finds its platform by itself, as for a user."""
    monkeypatch.delenv("JAX_PLATFORMS", raising=False)


def test_each_function_is_timed_with_its_operations(trainyard, neuron):
    done = trainyard("time", SCRIPT, "--of-its-own", "7")
    assert done.code == 0, done.err
    assert "arguments: ['--of-its-own', '7']" in done.out
    assert PRINTED in done.out
    assert "jit_layer on trn3: " in done.out
    assert "Engine time by operation of the model" in done.out
    assert "dense/dot_general" in done.out
    assert "jax_script.py:12" in done.out
    summary = done.out[done.out.index("JAX on trn3") :]
    (layer,) = [line.split() for line in summary.splitlines() if line.startswith("  jit_layer")]
    assert layer[1] == "3"
    assert "launches" in summary
    assert "copies over PCIe" in summary
    assert "leaked" not in done.err


def test_formats_that_no_function_has_a_use_for_are_said(trainyard, neuron):
    formats = "optimizer_state=bf16,weights=bf16"
    done = trainyard("time", "--precision", formats, SCRIPT)
    assert done.code == 0, done.err
    assert "no effect in any of these functions: --precision optimizer_state=bf16" in done.out


def test_the_document_has_every_program_and_the_host_apart(trainyard, neuron):
    done = trainyard("time", "--json", SCRIPT)
    assert done.code == 0, done.err
    jax = done.data["jax"]
    by_name = {one["name"]: one for one in jax["programs"]}
    assert by_name["jit_layer"]["launches"] == 3
    assert by_name["jit_layer"]["device_ns"] > 0
    assert jax["device_ns"] == pytest.approx(sum(one["device_ns"] for one in jax["programs"]))
    launches = sum(one["launches"] for one in jax["programs"])
    first = len(jax["programs"])
    assert jax["launch_ns"] == 50_000 * first + 15_000 * (launches - first)  # trn3.toml [host]
    copies = jax["copies_in"]["count"] + jax["copies_out"]["count"]
    moved = jax["copies_in"]["bytes"] + jax["copies_out"]["bytes"]
    assert jax["copy_ns"] == pytest.approx(5000 * copies + moved / 50, abs=1)
    (layer,) = [one for one in done.data["kernels"] if one["kernel"] == "jit_layer"]
    assert 3 * layer["time_ns"] == pytest.approx(by_name["jit_layer"]["device_ns"])
    scopes = {one["function"] for one in layer["report"]["operations"]}
    assert "jit(layer)/dense/dot_general" in scopes


def test_a_what_if_is_asked_of_its_programs(trainyard, neuron):
    done = trainyard("time", "--what-if", "hbm.bandwidth=x2", SCRIPT)
    assert done.code == 0, done.err
    assert "hbm.bandwidth=x2" in done.out


def test_a_profile_is_written_for_each_large_program(trainyard, neuron, tmp_path):
    done = trainyard("profile", "--output", tmp_path, SCRIPT)
    assert done.code == 0, done.err
    assert json.loads((tmp_path / "jit_layer.json").read_text())["operations"]
    assert (tmp_path / "jit_layer.pftrace").stat().st_size > 1000


def test_checks_are_run(trainyard, neuron):
    done = trainyard("check", SCRIPT)
    assert done.code == 0, done.err
    assert "6 kernel calls finished" in done.out.splitlines()[-1]
    assert "jax_script.py" in done.out


def test_another_platform_is_said(trainyard, monkeypatch):
    monkeypatch.setitem(os.environ, "JAX_PLATFORMS", "cpu")
    done = trainyard("time", SCRIPT)
    assert done.code == 2
    assert "JAX_PLATFORMS is cpu" in done.err


def test_what_does_not_fit_names_its_largest_values(trainyard, neuron, tmp_path):
    script = tmp_path / "big.py"
    script.write_text(
        "import jax, jax.numpy as jnp\n"
        "def big():\n"
        "    return jnp.zeros((1 << 18, 1 << 18)) + 1\n"
        "jax.jit(big)()\n"
    )
    done = trainyard("time", script)
    assert done.code == 6, done.err  # the script failed
    assert "RESOURCE_EXHAUSTED" in done.err
    assert "262144.0 MiB  tensor<262144x262144xf32>" in done.err
    assert "big.py:3" in done.err


def test_what_awss_compiler_refuses_is_listed(trainyard, neuron, tmp_path):
    script = tmp_path / "integers.py"
    script.write_text(
        "import jax, jax.numpy as jnp\nx = jnp.ones((8, 8), jnp.int32)\njax.jit(jnp.dot)(x, x)\n"
    )
    done = trainyard("time", script)
    assert done.code == 0, done.err
    assert "NCC_EVRF035" in done.out
    assert "dot_general on tensor<8x8xi32>" in done.out


PROGRAM = """
module @half {
  func.func @main(%x: tensor<128x64xf32>) -> tensor<128x64xf32> {
    %c = stablehlo.constant dense<0.5> : tensor<128x64xf32>
    %0 = stablehlo.multiply %x, %c : tensor<128x64xf32>
    return %0 : tensor<128x64xf32>
  }
}
"""


def test_a_program_in_a_file_is_timed_by_its_lines(trainyard, tmp_path):
    (tmp_path / "half.mlir").write_text(PROGRAM)
    done = trainyard("time", tmp_path / "half.mlir")
    assert done.code == 0, done.err
    assert "half on trn3: " in done.out
    assert "half.mlir:5" in done.out


def test_an_error_in_a_file_is_named_by_line_and_column(trainyard, tmp_path):
    (tmp_path / "half.mlir").write_text(PROGRAM.replace("%x, %c", "%x, %d"))
    done = trainyard("time", tmp_path / "half.mlir")
    assert done.code == 3, done.err
    assert "half.mlir:5:" in done.err
    assert "%d is not defined" in done.err


def test_lines_are_the_users_own_and_name_the_library_that_they_call(trainyard, neuron):
    pytest.importorskip("flax")
    script = SCRIPT.with_name("flax_script.py")
    own = [
        number
        for number, line in enumerate(script.read_text().splitlines(), 1)
        if "nn.Dense" in line
    ]
    done = trainyard("time", "--json", script)
    assert done.code == 0, done.err
    (step,) = [one for one in done.data["kernels"] if one["kernel"] == "jit_step"]
    rows = [*step["report"]["operations"], *step["report"]["lines"]]
    assert not [row["place"] for row in rows if "site-packages" in row["place"]]
    dense = [row for row in rows if row["place"] == f"{script}:{own[0]}"]
    assert any(row.get("library", "").startswith("flax/linen/") for row in dense)
    assert any("jvp(Layer)/Dense_0/dot_general" in row["function"] for row in dense)
