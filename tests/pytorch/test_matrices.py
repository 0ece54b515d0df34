"""Systems of linear equations, with their gradients."""

import itertools

import pytest

torch = pytest.importorskip("torch")
import torch_neuronx  # noqa: E402, F401


@pytest.mark.parametrize("upper, left, unit", [*itertools.product([False, True], repeat=3)])
def test_triangular_systems(upper, left, unit):
    """What is in the other triangle does not count; one matrix is used for several."""
    matrix = torch.rand(1, 5, 5) + 2 * torch.eye(5)
    right = torch.rand(2, 5, 3) if left else torch.rand(2, 3, 5)

    def solve(a, b):
        given = {"upper": upper, "left": left, "unitriangular": unit}
        return torch.linalg.solve_triangular(a, b, **given)

    made = []
    for device in ("neuron", "cpu"):
        a, b = (x.to(device).requires_grad_() for x in (matrix, right))
        used = torch.compile(solve, backend="neuron") if device == "neuron" else solve
        result = used(a, b)
        result.square().sum().backward()
        made.append([result.detach().cpu(), a.grad.cpu(), b.grad.cpu()])
    torch.testing.assert_close(*made, rtol=1e-4, atol=1e-5)
