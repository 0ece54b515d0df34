"""What the tests of nki share: a kernel that is being traced, without a function around it."""

from collections.abc import Iterator

import pytest
from nki import _context, _target


@pytest.fixture
def trace() -> Iterator[_context.Context]:
    """A trace that is open during the test; nki.isa and nki.language append to it."""
    with _context.tracing(_context.new_context(_target.machine(), "test")) as context:
        yield context
