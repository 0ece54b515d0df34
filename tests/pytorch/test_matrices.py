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


def _square(*batch, n=5):
    return torch.randn(*batch, n, n) + 3 * torch.eye(n)


def _of_svd(x):
    u, s, vh = torch.linalg.svd(x, full_matrices=False)
    return (u * s[..., None, :]) @ vh, s, u.abs(), vh.abs()


def _of_eigh(x):
    values, vectors = torch.linalg.eigh(x @ x.mT)
    return values, vectors.abs(), (vectors * values[..., None, :]) @ vectors.mT


FUNCTIONS = {
    "inv": (torch.linalg.inv, lambda: _square(2, 3)),
    "inv of a transposed": (lambda x: torch.linalg.inv(x.mT), lambda: _square(2)),
    "det": (torch.linalg.det, lambda: _square(3, 2)),
    "det of a transposed": (lambda x: torch.linalg.det(x.mT), lambda: _square(3)),
    "slogdet": (torch.linalg.slogdet, lambda: _square(3)),
    "logdet": (lambda x: torch.logdet(x @ x.mT), lambda: _square(3)),
    "lu": (torch.linalg.lu, lambda: torch.randn(2, 5, 3)),
    "lu, wide": (torch.linalg.lu, lambda: torch.randn(2, 3, 5)),
    "lu_factor and lu_solve": (
        lambda x: torch.linalg.lu_solve(*torch.linalg.lu_factor(x), x[..., :2]),
        lambda: _square(2),
    ),
    "solve": (lambda x: torch.linalg.solve(x, x[..., :2].square()), lambda: _square(2)),
    "solve of a transposed": (
        lambda x: torch.linalg.solve(x.mT, x[..., :2].square()),
        lambda: _square(2),
    ),
    "solve from the right": (
        lambda x: torch.linalg.solve(x, x[..., :2, :].square(), left=False),
        lambda: _square(2),
    ),
    "solve of one row": (lambda x: torch.linalg.solve(x, x[0].square()), lambda: _square()),
    "qr, tall": (torch.linalg.qr, lambda: torch.randn(2, 6, 4)),
    "qr, wide": (torch.linalg.qr, lambda: torch.randn(3, 5)[:, :3]),
    "qr, complete": (lambda x: torch.linalg.qr(x, mode="complete"), lambda: _square(2)),
    "lstsq, tall": (
        lambda x: torch.linalg.lstsq(x, x[..., :2].square(), driver="gels").solution,
        lambda: torch.randn(2, 6, 4),
    ),
    "lstsq, wide": (
        lambda x: torch.linalg.lstsq(x, x[..., :2].square(), driver="gels").solution,
        lambda: torch.randn(2, 4, 6),
    ),
    "pinv": (torch.linalg.pinv, lambda: torch.randn(2, 5, 3)),
    "svd": (_of_svd, lambda: torch.randn(2, 6, 4)),
    "svd, wide and odd": (_of_svd, lambda: torch.randn(3, 7)),
    "svdvals": (torch.linalg.svdvals, lambda: torch.randn(2, 5, 5)),
    "spectral norm": (lambda x: torch.linalg.matrix_norm(x, 2), lambda: torch.randn(2, 5, 4)),
    "nuclear norm": (lambda x: torch.linalg.matrix_norm(x, "nuc"), lambda: torch.randn(2, 5, 4)),
    "cond": (torch.linalg.cond, lambda: _square(2)),
    "eigh": (_of_eigh, lambda: _square(2)),
    "eigh of an odd size": (_of_eigh, lambda: _square(n=3)),
    "eigvalsh": (lambda x: torch.linalg.eigvalsh(x + x.mT), lambda: _square(2)),
    "matrix_exp": (torch.linalg.matrix_exp, lambda: torch.randn(2, 4, 4)),
    "matrix_power": (lambda x: torch.linalg.matrix_power(x, -2), lambda: _square(2)),
    "cholesky_solve": (
        lambda x: torch.cholesky_solve(x[..., :2], torch.linalg.cholesky(x @ x.mT)),
        lambda: _square(2),
    ),
    "cholesky_inverse": (
        lambda x: torch.cholesky_inverse(torch.linalg.cholesky(x @ x.mT)),
        lambda: _square(2),
    ),
    "householder_product": (
        lambda x: torch.linalg.householder_product(x.tril(-1) / 5, x.diagonal(dim1=-2, dim2=-1)),
        lambda: _square(2),
    ),
    "tensorinv": (lambda x: torch.linalg.tensorinv(x.reshape(2, 3, 6)), lambda: _square(n=6)),
}


@pytest.mark.parametrize("compiled", [False, True], ids=["eager", "compiled"])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_matrices_and_their_gradients(name, compiled):
    function, make = FUNCTIONS[name]
    x = make()
    made = []
    for device in ("neuron", "cpu"):
        a = x.to(device).detach().requires_grad_()
        is_ours = compiled and device == "neuron"
        used = torch.compile(function, backend="neuron") if is_ours else function
        result = used(a)
        results = [y for y in (result if isinstance(result, tuple) else [result])]
        results = [y for y in results if y.is_floating_point()]
        sum(y.sin().sum() for y in results if y.requires_grad).backward()
        made.append([*(y.detach().cpu() for y in results), a.grad.cpu()])
    torch.testing.assert_close(*made, rtol=2e-4, atol=2e-4)


def test_pivots_and_factors_are_lapacks():
    x = torch.randn(3, 6, 4)
    for ours, theirs in zip(
        torch.linalg.lu_factor_ex(x.to("neuron")), torch.linalg.lu_factor_ex(x), strict=True
    ):
        torch.testing.assert_close(ours.cpu(), theirs, rtol=1e-4, atol=1e-5)
    for ours, theirs in zip(torch.geqrf(x.to("neuron")), torch.geqrf(x), strict=True):
        torch.testing.assert_close(ours.cpu(), theirs, rtol=1e-4, atol=1e-5)


def test_rows_that_must_be_exchanged_and_values_of_zero():
    x = torch.tensor([[0.0, 2, 1], [1, 0, 0], [0, 0, 3]])
    torch.testing.assert_close(torch.linalg.inv(x.to("neuron")).cpu(), torch.linalg.inv(x))
    assert torch.linalg.det(x.to("neuron")).item() == pytest.approx(-6)
    low = torch.randn(5, 2) @ torch.randn(2, 5)  # of rank 2
    assert torch.linalg.matrix_rank(low.to("neuron")).item() == 2
    u, s, vh = (y.cpu() for y in torch.linalg.svd(low.to("neuron")))
    torch.testing.assert_close((u * s) @ vh, low, rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(u.mT @ u, torch.eye(5), rtol=1e-4, atol=1e-5)
    assert torch.linalg.svdvals(torch.zeros(3, 3, device="neuron")).tolist() == [0, 0, 0]


@pytest.mark.parametrize("compiled", [False, True], ids=["eager", "compiled"])
@pytest.mark.parametrize("function", [torch.linalg.inv, lambda x: torch.linalg.solve(x, x[0])])
def test_a_singular_matrix_is_told(function, compiled):
    x = torch.tensor([[1.0, 2], [2, 4]], device="neuron")
    used = torch.compile(function, backend="neuron") if compiled else function
    with pytest.raises(RuntimeError, match="singular"):
        used(x).cpu()


@pytest.mark.parametrize("n", [2, 17, 40])
def test_larger_matrices(n):
    """Their loops turn once a column, and sweep over all pairs."""
    x = torch.randn(n, n)
    there = x.to("neuron")
    inverse = torch.linalg.inv(there).cpu()
    torch.testing.assert_close(inverse @ x, torch.eye(n), rtol=0, atol=2e-3)
    values, vectors = (y.cpu() for y in torch.linalg.eigh(there + there.mT))
    torch.testing.assert_close((vectors * values) @ vectors.mT, x + x.mT, rtol=1e-4, atol=1e-4)
    torch.testing.assert_close(
        torch.linalg.svdvals(there).cpu(), torch.linalg.svdvals(x), rtol=1e-4, atol=1e-4
    )


def test_exponentials_of_matrices_of_large_norm_are_as_exact_as_the_cpus():
    """Each squaring doubles an error."""
    given = 2 * torch.randn(8, 12, 12)
    right = torch.matrix_exp(given.double())
    size = right.abs().amax((-1, -2), keepdim=True)
    ours, theirs = (
        ((torch.matrix_exp(given.to(device)).cpu().double() - right).abs() / size).mean()
        for device in ("neuron", "cpu")
    )
    assert ours < 2 * theirs


@pytest.mark.parametrize("compiled", [False, True], ids=["eager", "compiled"])
def test_symmetric_matrices_are_factored_and_solved(compiled):
    """Some with blocks of two on their diagonals, as where a number there is small; rows are
    exchanged."""
    a = torch.randn(4, 6, 6, generator=torch.Generator().manual_seed(3))
    a = a + a.mT
    a[1] = a[1] * (1 - torch.eye(6))
    a[2] = torch.diag(torch.arange(1.0, 7))
    ld, pivots = torch.linalg.ldl_factor(a)
    assert (pivots[1] < 0).any() and (pivots[2] > 0).all()
    b = torch.randn(4, 6, 2, generator=torch.Generator().manual_seed(4))
    factor, solve = torch.linalg.ldl_factor_ex, torch.linalg.ldl_solve
    if compiled:
        factor, solve = (torch.compile(each, backend="neuron") for each in (factor, solve))
    made, places, info = factor(a.to("neuron"))
    torch.testing.assert_close(made.cpu(), ld, rtol=1e-5, atol=1e-5)
    assert torch.equal(places.cpu(), pivots) and not info.any()
    solved = solve(made, places, b.to("neuron")).cpu()
    torch.testing.assert_close(a @ solved, b, rtol=1e-4, atol=1e-4)
