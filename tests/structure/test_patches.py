"""Does importing our packages leave the classes of the core as they are bound, and the modules and
classes of others as they are?"""

import importlib
import inspect
import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    "package", ["trainyard", "nki", "nki.isa", "neuronxcc.nki", "trainyard.model"]
)
def test_no_package_adds_functions_to_a_class_of_the_core(package: str):
    importlib.import_module(package)
    core = importlib.import_module("trainyard._core")
    added = [
        f"{name}.{member}"
        for name, cls in vars(core).items()
        if inspect.isclass(cls)
        for member, value in vars(cls).items()
        if inspect.isfunction(value.fget if isinstance(value, property) else value)
    ]
    assert added == []


# What importing AWS's package sets, too, and public test harnesses use (docs/decisions/0002).
AS_AWS_HAS_IT = {"logging.OFF"}
OURS = "import neuronxcc.nki, nki.isa, nki.language, trainyard.model, trainyard.jax_runs"
PLUGIN = "import jax_plugins.neuron; jax_plugins.neuron.initialize()"
COMPARE = """
import sys, types
import json, logging, pathlib, typing, warnings
import jax, jax.export, jax.numpy, ml_dtypes, numpy
from concurrent.futures import ProcessPoolExecutor

def names():
    values = {
        (module, name): value
        for module, own in [*sys.modules.items()]
        for name, value in [*vars(own).items()]
        if not isinstance(value, types.ModuleType) and module not in ("__main__", "__mp_main__")
    }
    of_classes = {
        (module, f"{name}.{member}"): value
        for (module, name), owner in values.items()
        if isinstance(owner, type) and owner.__module__ == module
        for member, value in vars(owner).items()
    }
    return {key: id(value) for key, value in (values | of_classes).items()}

before = names()
there = {module for module, _ in before}
exec(sys.argv[1])
for (module, name), value in names().items():
    if module in there and before.get((module, name)) != value:
        print(f"{module}.{name}")
"""


def changed_by(statements: str) -> set[str]:
    """The names that these statements set in modules and classes that were there before."""
    command = [sys.executable, "-c", COMPARE, statements]
    found = subprocess.run(command, check=True, capture_output=True, text=True)
    return set(found.stdout.split())


@pytest.mark.parametrize(
    ("statements", "changed"),
    [
        (f"{OURS}\n{PLUGIN}", AS_AWS_HAS_IT),
        ("json.JSONDecoder.mine = 1", {"json.decoder.JSONDecoder.mine"}),
        ("jax.jit = print", {"jax.jit"}),
    ],
    ids=["ours", "a class", "a module"],
)
def test_no_package_changes_a_module_or_class_of_somebody_else(statements: str, changed: set[str]):
    assert changed_by(statements) == changed
