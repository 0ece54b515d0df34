"""Does a fresh process find the plugin, and does the environment choose its devices?"""

import json
import os
import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import jax_plugins.neuron as plugin
import pytest


def run(program: str, **environment: str) -> str:
    """What a new Python prints, with JAX left to find its platform."""
    inherited = {key: value for key, value in os.environ.items() if key != "JAX_PLATFORMS"}
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", program],
        env=inherited | environment, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


DEVICES = "import jax; d = jax.devices(); print(d[0].platform, d[0].device_kind, len(d))"


@pytest.mark.parametrize(
    ("environment", "printed"),
    [
        ({}, "neuron NC_v4 4"),
        ({"NEURON_LOGICAL_NC_CONFIG": "1"}, "neuron NC_v4 8"),
        ({"TRAINYARD_MACHINE": "trn2", "TRAINYARD_CHIPS": "2"}, "neuron NC_v3 8"),
        ({"TRAINYARD_MACHINE": "trn1"}, "neuron NC_v2 2"),
    ],
)
def test_the_environment_chooses_the_devices(environment, printed):
    assert run(DEVICES, **environment) == printed


def test_a_wrong_setting_is_an_error_that_names_it():
    program = (
        "import jax\ntry: jax.devices('neuron')\n"
        "except RuntimeError as error: print('NEURON_LOGICAL_NC_CONFIG is' in str(error))"
    )
    assert run(program, NEURON_LOGICAL_NC_CONFIG="3") == "True"


def test_a_cached_executable_is_found_by_the_next_process(tmp_path: Path):
    program = (
        "import jax, jax.numpy as jnp, numpy as np, logging\n"
        "hits = []\n"
        "jax.monitoring.register_event_listener(lambda e, **k: hits.append(e))\n"
        "print(jax.jit(lambda x: jnp.sin(x) @ x)(np.eye(3, dtype='f')).sum(),"
        " '/jax/compilation_cache/cache_hits' in hits)"
    )
    settings = {
        "JAX_COMPILATION_CACHE_DIR": str(tmp_path),
        "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
        "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1",
    }
    first, second = run(program, **settings).split(), run(program, **settings).split()
    assert first[1:] == ["False"]
    assert second[1:] == ["True"]
    assert first[0] == second[0]


@pytest.mark.parametrize("devices", [1, 4])
def test_programs_with_shardings_are_cached(devices: int, tmp_path: Path):
    program = (
        "import jax, numpy as np, os\n"
        "from jax.sharding import NamedSharding, PartitionSpec as P\n"
        f"mesh = jax.sharding.Mesh(jax.devices('neuron')[:{devices}], 'x')\n"
        "pin = lambda x: jax.lax.with_sharding_constraint(x * 2, NamedSharding(mesh, P('x')))\n"
        "add = jax.shard_map(lambda x: x + 1, mesh=mesh, in_specs=P('x'), out_specs=P('x'))\n"
        "for f in (pin, add): assert jax.jit(f)(np.ones(8, 'f')).shape == (8,)\n"
        "print(len(os.listdir(os.environ['JAX_COMPILATION_CACHE_DIR'])) > 1)"
    )
    settings = {
        "JAX_COMPILATION_CACHE_DIR": str(tmp_path),
        "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
        "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1",
        "JAX_RAISE_PERSISTENT_CACHE_ERRORS": "true",
    }
    assert run(program, **settings) == "True"


def test_programs_are_compiled_ahead_of_time_for_a_topology():
    program = (
        "import jax, json, numpy as np\n"
        "from jax.experimental import topologies\n"
        "t = topologies.get_topology_desc('trn2:16', platform='neuron')\n"
        "s = jax.sharding.SingleDeviceSharding(t.devices[5])\n"
        "x = jax.ShapeDtypeStruct((8, 8), np.float32, sharding=s)\n"
        "c = jax.jit(lambda x: x @ x).lower(x).compile()\n"
        "print(json.dumps([len(t.devices), t.devices[0].device_kind,"
        " c.memory_analysis().argument_size_in_bytes]))"
    )
    assert json.loads(run(program)) == [64, "NC_v3", 256]


class _Original:
    name = "libneuronxla"


def test_an_installed_original_is_not_shadowed(monkeypatch: pytest.MonkeyPatch):
    theirs = EntryPoint("neuron", "libneuronxla.jax", "jax_plugins")
    vars(theirs).update(dist=_Original())
    monkeypatch.setattr(plugin.importlib.metadata, "entry_points", lambda group: [theirs])
    with pytest.raises(RuntimeError, match="libneuronxla and trainyard both register"):
        plugin.initialize()


# The checks compile a program as text; ours is the artifact that JAX makes of the same program.
CONFORM = """
import sys, jax, numpy as np
from jaxlib.mlir.dialects import stablehlo
from pypjrt import conform
x = np.zeros(4, np.float32)
module = jax.jit(lambda a, b: a + b).trace(x, x).lower(lowering_platforms=("cpu",))
conform.ADD_MLIR = stablehlo.serialize_portable_artifact(
    module.compiler_ir("stablehlo"), "1.13.7", True)
conform.main(sys.argv[1:])
"""


def test_the_conformance_checks_of_pypjrt_pass(tmp_path: Path):
    report = tmp_path / "report.json"
    subprocess.run(
        [sys.executable, "-c", CONFORM, plugin.library_path(), "--json", report],
        check=True, capture_output=True, timeout=300, env=os.environ | {"JAX_PLATFORMS": "cpu"},
    )  # fmt: skip
    results = [check["result"] for check in json.loads(report.read_text())["checks"]]
    assert results.count("fail") == 0
    assert results.count("pass") >= 51


def test_runs_round_stochastically_where_the_runtimes_variable_says_so():
    """A value a quarter of the way between two neighbours of bfloat16 goes up in a quarter of the
    elements, in other ones in each run."""
    script = """
import jax, jax.numpy as jnp, numpy as np
x = jnp.full((128, 256), 1 + 2**-9, jnp.float32)
cast = jax.jit(lambda x: (x + 0.0).astype(jnp.bfloat16))
first, second = (np.asarray(cast(x)).astype(np.float32) > 1 for _ in range(2))
print(abs(first.mean() - 0.25) < 0.02, abs(second.mean() - 0.25) < 0.02, (first != second).any())
"""
    variables = {"NEURON_RT_STOCHASTIC_ROUNDING_EN": "1", "TRAINYARD_MODE": "machine"}
    assert run(script, **variables) == "True True True"
