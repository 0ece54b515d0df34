"""Are the arguments of a compiled model read as they are when it is called?"""

import numpy as np
import pytest
from trainyard import model

jax = pytest.importorskip("jax")


@pytest.fixture(scope="module")
def add_one():
    return model.compile(lambda x: x + 1, np.zeros((4, 4), np.float32))


def test_an_array_changed_in_place_is_seen(add_one):
    x = np.zeros((4, 4), np.float32)
    assert (add_one(x) == 1).all()
    x[1] = 5
    np.testing.assert_array_equal(add_one(x), x + 1)


def test_a_view_of_an_array_changed_elsewhere_is_seen(add_one):
    whole = np.zeros((8, 8), np.float32)
    part = whole[::2, ::2]
    part.flags.writeable = False
    assert (add_one(part) == 1).all()
    whole[:] = 7
    assert (add_one(part) == 8).all()


def test_the_same_content_is_not_written_again(add_one):
    x = np.ones((4, 4), np.float32)
    add_one(x)
    held = add_one._held[0][1]
    add_one(x)
    assert add_one._held[0][1] is held
    add_one(x.copy())
    assert add_one._held[0][1] is not held


def test_arrays_of_jax_are_taken_as_they_are(add_one):
    x = jax.numpy.ones((4, 4))
    assert (add_one(x) == 2).all() and (add_one(x) == 2).all()
