"""What the tests of serving share: a small model on the exact engine, compiled once."""

import pytest
from trainyard.serving import exact, models

LIMITS = exact.Limits(blocks=64, chunks=(16, 64), contexts=(64, 128, 256))


@pytest.fixture(scope="session")
def engine():
    """Two layers of random weights."""
    return exact.Engine(models.load("random-2x64"), limits=LIMITS)


@pytest.fixture(scope="session")
def narrow_engine():
    """The same in bfloat16."""
    return exact.Engine(models.load("random-2x64", "bfloat16"), limits=LIMITS)
