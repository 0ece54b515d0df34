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


@jax.tree_util.register_pytree_node_class
class Layer:
    """A node that JAX knows, as modules of Equinox are; a part of it may be None."""

    def __init__(self, weight, bias):
        self.weight, self.bias = weight, bias

    def tree_flatten(self):
        return (self.weight, self.bias), None

    @classmethod
    def tree_unflatten(cls, _, leaves):
        return cls(*leaves)


def test_arguments_are_nodes_that_jax_knows():
    def function(layers, x):
        for layer in layers:
            x = x @ layer.weight + (0 if layer.bias is None else layer.bias)
        return x

    numbers = np.random.default_rng(3)
    weights = numbers.normal(size=(2, 4, 4)).astype(np.float32)
    layers = [Layer(weights[0], np.ones(4, np.float32)), Layer(weights[1], None)]
    x = numbers.normal(size=(3, 4)).astype(np.float32)
    found = model.compile(function, layers, x).run(layers, x).results
    np.testing.assert_allclose(found, (x @ weights[0] + 1) @ weights[1], rtol=1e-5, atol=1e-5)
