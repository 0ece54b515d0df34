"""Runs that the tests of the page look at."""

import sys
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
from trainyard import settings

sys.path.insert(0, str(Path(__file__).parent))


def _module(name: str):
    from view_pages import module

    return module(name)


@pytest.fixture(scope="session")
def slowdowns():
    """By name, the recorded result of each kernel of slowdowns.py, slow_link's with a fault."""
    return _module("slowdowns").results()


@pytest.fixture(scope="session")
def attention():
    """Causal attention of 512 tokens, recorded."""
    shape = {"q": (128, 512), "k": (128, 512), "v": (512, 128)}
    inputs = {name: np.zeros(size, ml_dtypes.bfloat16) for name, size in shape.items()}
    return _module("attention").attention.bench(**inputs, values=False, record=True)


@pytest.fixture(scope="session")
def saved(attention, tmp_path_factory):
    """The directory in which profile leaves it."""
    folder = tmp_path_factory.mktemp("saved")
    attention.save(folder / "attention")
    return folder


@pytest.fixture(scope="session")
def late_rank():
    """A sum over sixteen chips, of which rank 3 comes 50 us late."""
    x = np.zeros((128, 8192), np.float32)
    options = {"machine": "trn3-gen2", "timed": True, "values": False, "record": True}
    with settings.using(faults=("rank:3@50us=late",)):
        return _module("slowdowns").slow_link.run_ranks([{"x": x}] * 16, **options)[1]
