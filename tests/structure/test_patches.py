"""Does importing our packages leave the classes of the core as they are bound, and others' modules
as they are?"""

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


# What importing AWS's package sets, too, and public test harnesses use (python/neuronxcc).
AS_AWS_HAS_IT = {"logging.OFF"}
COMPARE = """
import sys, types
import json, logging, pathlib, typing, warnings
import ml_dtypes, numpy
from concurrent.futures import ProcessPoolExecutor

def names():
    return {
        (module, name): id(value)
        for module, own in [*sys.modules.items()]
        for name, value in [*vars(own).items()]
        if not isinstance(value, types.ModuleType) and module not in ("__main__", "__mp_main__")
    }

before = names()
there = {module for module, _ in before}
import neuronxcc.nki, nki.isa, nki.language, trainyard.model
for (module, name), value in names().items():
    if module in there and before.get((module, name)) != value:
        print(f"{module}.{name}")
"""


def test_no_package_changes_a_module_of_somebody_else():
    found = subprocess.run(
        [sys.executable, "-c", COMPARE], check=True, capture_output=True, text=True
    )
    assert set(found.stdout.split()) == AS_AWS_HAS_IT
