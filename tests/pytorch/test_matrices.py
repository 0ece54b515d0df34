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


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("upper", [False, True])
def test_cholesky(upper, compiled):
    x = torch.randn(2, 5, 5)

    def triangle(x):
        return torch.linalg.cholesky(x @ x.mT + torch.eye(5, device=x.device), upper=upper)

    made = []
    for device in ("neuron", "cpu"):
        a = x.to(device).detach().requires_grad_()
        is_ours = compiled and device == "neuron"
        result = (torch.compile(triangle, backend="neuron") if is_ours else triangle)(a)
        result.sin().sum().backward()
        made.append([result.detach().cpu(), a.grad.cpu()])
    torch.testing.assert_close(*made, rtol=1e-4, atol=1e-4)


def test_a_matrix_that_is_not_positive_is_told():
    x = torch.diag_embed(torch.tensor([[1.0, 1, 1], [2, -1, 3]]))
    made, info = torch.linalg.cholesky_ex(x.to("neuron"))
    assert info.tolist() == [0, 1] and torch.equal(made[0].cpu(), torch.eye(3))
    with pytest.raises(torch.linalg.LinAlgError, match="element 1"):
        torch.linalg.cholesky(x.to("neuron"))
    with pytest.raises(RuntimeError, match="positive"):
        torch.compile(torch.linalg.cholesky, backend="neuron")(x.to("neuron")).cpu()


def test_a_normal_distribution_of_several_dimensions():
    where = {"device": "neuron"}
    given = torch.zeros(2, **where), torch.tensor([[2.0, 0.5], [0.5, 1.0]], **where)
    ours = torch.distributions.MultivariateNormal(*given)
    theirs = torch.distributions.MultivariateNormal(*(x.cpu() for x in given))
    x = torch.tensor([[0.3, -1.0]])
    torch.testing.assert_close(ours.log_prob(x.to("neuron")).cpu(), theirs.log_prob(x))
    assert ours.sample((3,)).shape == (3, 2)
