"""Histograms, hashes of tensors and Airy's function have the CPU's values, eager and compiled."""

import pytest

torch = pytest.importorskip("torch")
import torch_neuronx  # noqa: E402, F401

WAYS = pytest.mark.parametrize("compiled", [False, True], ids=["eager", "compiled"])


def check(function, given, compiled, rtol=0.0, atol=0.0):
    used = torch.compile(function, backend="neuron") if compiled else function
    made = used(*[each.to("neuron") for each in given])
    flat = torch.utils._pytree.tree_leaves
    ours = [each.cpu() for each in flat(made)]
    torch.testing.assert_close(ours, flat(function(*given)), rtol=rtol, atol=atol, equal_nan=True)


@WAYS
def test_airys_function(compiled):
    """On both sides of the places where its parts end, and where it has no number."""
    places = [0, 1e-20, 2.999, 3, 3.001, -2.999, -3, -3.001, 110, torch.nan, torch.inf]
    x = torch.cat((torch.linspace(-20, 20, 401), torch.tensor(places)))
    used = torch.special.airy_ai
    used = torch.compile(used, backend="neuron") if compiled else used
    exact = torch.special.airy_ai(x.double()).float()
    torch.testing.assert_close(
        used(x.to("neuron")).cpu(), exact, rtol=1e-5, atol=2e-6, equal_nan=True
    )


HASHED = {
    "float32": lambda: torch.randn(4, 33),
    "extremes": lambda: torch.tensor([0.0, -0.0, 1e-40, -1e-45, 1.2e-38, 3e38, -torch.inf]),
    "nan": lambda: torch.tensor(torch.nan),
    "float64": lambda: torch.randn(5, dtype=torch.float64),
    "bfloat16": lambda: torch.randn(33).bfloat16(),
    "int64": lambda: torch.randint(-(2**60), 2**60, (3, 5)),
    "uint8": lambda: torch.arange(7, dtype=torch.uint8),
    "bool": lambda: torch.tensor([True, False, True, True]),
}


@WAYS
@pytest.mark.parametrize("kind", HASHED)
def test_a_hash_is_every_bit_of_the_cpus(kind, compiled):
    check(torch.hash_tensor, [HASHED[kind]()], compiled)


@WAYS
def test_hashes_along_dimensions(compiled):
    def function(x):
        return (
            torch.hash_tensor(x, 1),
            torch.hash_tensor(x, (0, -1), keepdim=True),
            torch.hash_tensor(x, 2, keepdim=True),
        )

    check(function, [torch.randn(3, 5, 6)], compiled)


COUNTED = {
    "bins": (lambda x: torch.histogram(x, 5), 1),
    "range and density": (
        lambda x, w: torch.histogram(x, 5, range=(-1.0, 1.5), weight=w, density=True),
        2,
    ),
    "equal limits": (lambda x: torch.histogram(x, 3, range=(0.5, 0.5)), 1),
    "edges": (lambda x: torch.histogram(x, torch.tensor([-1, -0.5, 0.1, 2]).to(x.device)), 1),
    "two dimensions": (lambda x: torch.histogramdd(x.reshape(-1, 2), [3, 4]), 1),
    "of ranges": (
        lambda x: torch.histogramdd(x.reshape(-1, 2), [2, 3], range=[-1.0, 1, -2, 2], density=True),
        1,
    ),
    "of edges": (
        lambda x: torch.histogramdd(
            x.reshape(-1, 2), [torch.tensor([-1.0, 0, 1]).to(x.device)] * 2
        ),
        1,
    ),
}


@WAYS
@pytest.mark.parametrize("name", COUNTED)
def test_histograms(name, compiled):
    function, count = COUNTED[name]
    check(function, [torch.randn(40), torch.rand(40)][:count], compiled, 1e-6, 1e-6)


@WAYS
@pytest.mark.parametrize("x", [torch.ones(3), torch.zeros(0), torch.arange(5.0)])
def test_histograms_of_equal_elements_of_none_and_at_edges(x, compiled):
    check(lambda x: torch.histogram(x, 4), [x], compiled)
