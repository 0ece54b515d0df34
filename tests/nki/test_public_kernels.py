"""Do kernels that nobody here wrote run unmodified and compute what NumPy computes?

Skipped where their repositories are not; public_kernels.py says how to name their places.
"""

import os
import runpy
from pathlib import Path

import public_kernels
import public_library
import pytest


def root(source: str) -> Path:
    variable = public_kernels.SOURCES[source]
    path = os.environ.get(variable)
    if not path or not Path(path).is_dir():
        pytest.skip(f"{variable} does not name a folder")
    return Path(path)


@pytest.fixture(autouse=True)
def default_platform(monkeypatch):
    """Some of the files choose a platform when they are imported."""
    monkeypatch.setenv("NEURON_PLATFORM_TARGET_OVERRIDE", "trn3")


ALL = [*public_kernels.CASES, *public_library.CASES]


@pytest.mark.parametrize("case", ALL, ids=lambda case: case.name)
def test_a_public_kernel_computes_its_result(case):
    assert public_kernels.run(case, root(case.source)) <= case.tolerance


@pytest.mark.parametrize(("source", "file"), public_kernels.SCRIPTS)
def test_a_public_script_passes_its_own_checks(source, file, monkeypatch):
    path = root(source) / file
    monkeypatch.syspath_prepend(str(path.parent))
    runpy.run_path(str(path), run_name="__main__")
