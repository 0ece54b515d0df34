"""What the tests of serving share: a small model on the exact engine, compiled once; and
http_server.py."""

import sys
from pathlib import Path

import numpy as np
import pytest
from trainyard.serving import exact, models, stepping

sys.path.insert(0, str(Path(__file__).parent))

LIMITS = exact.Limits(blocks=64, chunks=(16, 64), contexts=(64, 128, 256))


@pytest.fixture(scope="session")
def engine():
    """Two layers of random weights."""
    return exact.Engine(models.load("random-2x64"), limits=LIMITS)


@pytest.fixture(scope="session")
def narrow_engine():
    """The same in bfloat16."""
    return exact.Engine(models.load("random-2x64", "bfloat16"), limits=LIMITS)


@pytest.fixture(scope="session")
def requests_of():
    """Draws requests: random prompts, arriving at a rate."""

    def drawn(seed, many, rate=2000.0, prompt=(4, 90), output=(3, 14)):
        random = np.random.default_rng(seed)
        arrivals = np.cumsum(random.exponential(1 / rate, many))
        return [
            stepping.Asked(
                random.integers(0, 500, random.integers(*prompt)).tolist(),
                int(random.integers(*output)),
                arrival=float(at),
            )
            for at in arrivals
        ]

    return drawn
