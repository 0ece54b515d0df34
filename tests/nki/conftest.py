"""What the tests of nki share: a kernel that is being traced, without a function around it."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from nki import _context, _target

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture
def trace() -> Iterator[_context.Context]:
    """A trace that is open during the test; nki.isa and nki.language append to it."""
    with _context.tracing(_context.new_context(_target.machine(), "test")) as context:
        yield context
