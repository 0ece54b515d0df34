"""Does an exception that is raised while the core asks Python leave nothing behind?"""

import weakref

import pytest
from nki import _context, _target
from trainyard import _core


class Held:
    """Something that the author's function holds."""


def test_a_place_that_could_not_be_looked_up_is_looked_up_again_and_keeps_nothing_alive():
    asked, kept = [], []

    def describe(code):
        asked.append(code.co_name)
        if len(asked) == 1:
            raise KeyboardInterrupt
        return []

    trace = _core.new_trace(
        _target.machine(), _context.vocabulary, "k", describe, _context.run_traced.__code__
    )

    def author():
        held = Held()
        kept.append(weakref.ref(held))
        return trace.tensor([4, 4], "float32", "sbuf")

    with pytest.raises(KeyboardInterrupt):
        _context.run_traced(author, (), {})
    assert kept[0]() is None
    _context.run_traced(author, (), {})
    assert asked == ["author", "author"]
    assert "test_interruptions.py" in trace.describe_here()


def test_a_loop_index_of_more_than_64_bits_is_left_out(trace):
    for i in range(2**70, 2**70 + 2):
        tensor = trace.trace.tensor([4, 4], "float32", "sbuf")
        assert tensor.shape == (4, 4), i
