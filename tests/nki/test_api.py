"""Does the package have the names and parameters of NKI 0.7, and say so where it lacks one?

api_table.json is the list of 0.6; make_api_table.py makes it from AWS's public stubs.
api_changes_0_7.json has what the pages of 0.7 add or write otherwise.
"""

import ast
import inspect
import json
import os
from pathlib import Path

import make_api_table
import nki
import nki.isa as nisa
import nki.language as nl
import pytest

# Names of older releases, of Python, and of other modules.
BESIDES = {"nki.language": {"bool", "cast", "par_dim", "range"}, "nki.isa": {"NkiTensor"}}
TABLE = json.loads(Path(__file__).with_name("api_table.json").read_text())
CHANGES = json.loads(Path(__file__).with_name("api_changes_0_7.json").read_text())
MODULES = {"nki": nki, "nki.language": nl, "nki.isa": nisa, "nki.collectives": nki.collectives}


def published(module: str, kind: str) -> dict:
    """The functions, classes or constants of a module in NKI 0.7."""
    older, newer = TABLE[module][kind], CHANGES[module][kind]
    return {**older, **newer} if isinstance(older, dict) else [*older, *newer]


FUNCTIONS = [
    (module, name, parameters)
    for module in MODULES
    for name, parameters in published(module, "functions").items()
]
CLASSES = [
    (module, name, members)
    for module in MODULES
    for name, members in published(module, "classes").items()
]


def expected(parameters: str) -> inspect.Signature:
    """The signature written in the table; its defaults are names of nki.isa or nki.language."""
    scope = {**vars(nl), **vars(nisa)}
    exec(f"def function({parameters}): pass", scope)
    return inspect.signature(scope["function"])


@pytest.mark.parametrize(
    ("module", "name", "parameters"), FUNCTIONS, ids=[f"{m}.{n}" for m, n, _ in FUNCTIONS]
)
def test_a_function_has_the_published_parameters(module, name, parameters):
    found = inspect.signature(getattr(MODULES[module], name)).parameters.values()
    wanted = expected(parameters).parameters.values()
    assert [(p.name, p.kind) for p in found] == [(p.name, p.kind) for p in wanted]
    for ours, theirs in zip(found, wanted, strict=True):
        if theirs.default is not Ellipsis:
            assert ours.default == theirs.default, ours.name


@pytest.mark.parametrize(
    ("module", "name", "members"), CLASSES, ids=[f"{m}.{n}" for m, n, _ in CLASSES]
)
def test_a_class_has_the_published_members(module, name, members):
    cls = getattr(MODULES[module], name)
    for member, meaning in members.items():
        if isinstance(meaning, (int, str)) and not callable(getattr(cls, member)):
            assert getattr(cls, member).value == meaning
        else:
            assert hasattr(cls, member), member


@pytest.mark.parametrize("module", MODULES)
def test_a_module_has_the_published_constants(module):
    for name in published(module, "constants"):
        assert hasattr(MODULES[module], name), name


@pytest.mark.skipif("TRAINYARD_NKI_STUBS" not in os.environ, reason="no stubs of AWS's are given")
def test_the_table_is_fresh():
    """TRAINYARD_NKI_STUBS is the folder nki/api/nki of a checkout of aws-neuron-sdk."""
    assert make_api_table.tables(Path(os.environ["TRAINYARD_NKI_STUBS"])) == TABLE


@pytest.mark.parametrize("module", [nl, nisa], ids=["nki.language", "nki.isa"])
def test_a_module_has_no_public_functions_besides(module):
    """What AWS's API lacks is in trainyard.experimental, so that no name is taken from it."""
    there = {name for kind in TABLE[module.__name__] for name in published(module.__name__, kind)}
    ours = {name for name, value in vars(module).items() if callable(value) and name[0] != "_"}
    assert ours - there <= BESIDES[module.__name__]


def test_the_table_says_where_it_is_from():
    assert "NKI 0.6" in TABLE["source"]
    generator = ast.parse(Path(__file__).with_name("make_api_table.py").read_text())
    assert "api_table.json" in ast.get_docstring(generator)
