"""Does importing our packages leave the classes of the core as they are bound?"""

import importlib
import inspect

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
