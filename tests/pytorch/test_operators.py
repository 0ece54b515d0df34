"""Operators by PyTorch's own samples, and the kinds that were wrong or ended the process."""

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
import torch_neuronx  # noqa: E402

SUITE = Path(__file__).parents[2] / "tools" / "torch_suite" / "ops.py"


def test_a_sample_of_pytorchs_operators_has_no_wrong_number(tmp_path):
    output = tmp_path / "ops.jsonl"
    command = [sys.executable, SUITE, "--every", "25", "--samples", "1", "--output", output]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout
    rows = [json.loads(line) for line in output.read_text().splitlines()]
    outcomes = [kind for row in rows for kind, _ in row["samples"]]
    assert len(outcomes) > 50 and outcomes.count("ok") >= 0.9 * len(outcomes), run.stdout


def test_an_error_in_a_backward_pass_is_raised_at_its_end(monkeypatch):
    from trainyard.torch import eager

    plain = eager.dispatch

    def dispatch(overload, args, kwargs):
        if overload is torch.ops.aten.threshold_backward.default:
            raise ValueError("no such gradient")
        return plain(overload, args, kwargs)

    x = torch.ones(3, device="neuron", requires_grad=True)
    with monkeypatch.context() as patch:
        patch.setattr(eager, "dispatch", dispatch)
        with pytest.raises(ValueError, match="no such gradient"):
            torch.relu(x).sum().backward()
    torch_neuronx.discard()
    y = torch.ones(3, device="neuron", requires_grad=True)
    torch.relu(y * 2).sum().backward()
    assert y.grad.tolist() == [2.0] * 3


CHANGED_SIZES = {
    "arange": lambda d: torch.arange(3, device=d),
    "linspace": lambda d: torch.linspace(0, 1, 3, device=d),
    "squeeze_": lambda d: torch.ones(1, 3, 1).to(d).squeeze_(),
    "unsqueeze_": lambda d: torch.ones(3).to(d).unsqueeze_(1),
    "t_": lambda d: torch.arange(6.0).reshape(2, 3).to(d).t_(),
    "transpose_": lambda d: torch.arange(6.0).reshape(2, 3, 1).to(d).transpose_(0, 2),
    "out": lambda d: torch.add(torch.ones(3).to(d), 1, out=torch.empty(0, device=d)),
    "quantile": lambda d: torch.tensor(3.0).to(d).quantile(0.5),
}


@pytest.mark.parametrize("name", CHANGED_SIZES)
def test_tensors_that_change_their_size(name):
    ours, theirs = CHANGED_SIZES[name]("neuron"), CHANGED_SIZES[name]("cpu")
    assert ours.shape == theirs.shape and ours.stride() == theirs.stride()
    assert torch.equal((ours + 0).cpu(), theirs)


AS_STRIDED = {
    "overlapping": lambda x: x.as_strided((3, 2), (1, 2), 1),
    "of a view": lambda x: x[1:].as_strided((2, 2), (1, 3)),
    "of a transposed": lambda x: x.t().as_strided((2, 3), (4, 1), 2),
}


@pytest.mark.parametrize("name", AS_STRIDED)
def test_as_strided_is_of_memory(name):
    theirs = torch.arange(12.0).reshape(3, 4)
    ours = theirs.to("neuron")
    assert torch.equal(AS_STRIDED[name](ours).cpu(), AS_STRIDED[name](theirs))
    if name != "overlapping":
        AS_STRIDED[name](ours).mul_(-1)
        AS_STRIDED[name](theirs).mul_(-1)
        assert torch.equal(ours.cpu(), theirs)


def test_lists_as_indices_and_as_tensors():
    x = torch.arange(12.0).reshape(3, 4)
    ours = x.to("neuron")
    for index in ([0, 2], ([0, 1], [1, 3]), (slice(None), [3, 0]), [True, False, True], [[0, 1]]):
        assert torch.equal(ours[index].cpu(), x[index])
    ours[[0, 2]] = 5.0
    x[[0, 2]] = 5.0
    assert torch.equal(ours.cpu(), x)
    assert ours.new_tensor([1, 2]).device.type == "neuron"


def test_sizes_that_depend_on_data():
    x = torch.tensor([3, 1, 3, 3, 0, 1])
    ours = x.to("neuron")
    for function in (
        lambda x: torch.unique(x, return_inverse=True, return_counts=True),
        lambda x: torch.unique_consecutive(x, return_inverse=True, return_counts=True),
        lambda x: torch.unique(x.reshape(3, 2), dim=0, return_counts=True),
        lambda x: (torch.bincount(x, minlength=6), torch.bincount(x, x.float())),
    ):
        for a, b in zip(function(ours), function(x), strict=True):
            assert torch.equal(a.cpu(), b.float() if a.dtype == torch.float32 else b)


def test_extremes_of_integers_where_elements_meet():
    x, places = torch.arange(4), torch.tensor([0, 0, 2])
    source = torch.tensor([7, 3, 9])
    for how in ("amin", "amax", "prod", "sum", "mean"):
        ours = [each.to("neuron") for each in (x, places, source)]
        made = ours[0].scatter_reduce(0, ours[1], ours[2], how, include_self=False)
        theirs = x.scatter_reduce(0, places, source, how, include_self=False)
        assert torch.equal(made.cpu(), theirs)


def test_files_are_loaded_to_the_device():
    weight = torch.nn.Parameter(torch.arange(3.0).to("neuron"))
    file = io.BytesIO()
    torch.save({"a": torch.ones(2), "b": [weight, weight.detach().bfloat16()]}, file)
    for where, device in (("neuron", "neuron"), ("cpu", "cpu"), ({"cpu": "neuron:0"}, "neuron")):
        file.seek(0)
        made = torch.load(file, map_location=where)
        assert made["a"].device.type == device and made["a"].tolist() == [1.0, 1.0]
        assert isinstance(made["b"][0], torch.nn.Parameter)
        assert made["b"][0].tolist() == [0.0, 1.0, 2.0]


def test_modules_that_move_keep_their_parameters():
    model = torch.nn.Sequential(torch.nn.Embedding(4, 3), torch.nn.Linear(3, 4, bias=False))
    model[1].weight = model[0].weight
    optimizer = torch.optim.SGD(model.parameters(), lr=1.0)
    before = model[0].weight
    model.to("neuron")
    assert model[0].weight is model[1].weight is before and before.device.type == "neuron"
    content = before.detach().cpu()
    model(torch.tensor([1]).to("neuron")).sum().backward()
    optimizer.step()
    assert not torch.equal(before.detach().cpu(), content)
    model.cpu()
    assert model[0].weight is model[1].weight and before.device.type == "cpu"


def test_a_parameter_takes_the_data_of_a_tensor_on_the_device():
    """As ways of initializing adapters do."""
    layer = torch.nn.Linear(3, 2, bias=False)
    before = layer.weight
    layer.weight.data = torch.ones(2, 3).to("neuron")
    assert layer.weight is before and before.device.type == "neuron" and before.requires_grad
    layer(torch.ones(1, 3).to("neuron")).sum().backward()
    assert before.grad.device.type == "neuron" and before.grad.cpu().tolist() == [[1.0] * 3] * 2
    plain = torch.nn.Parameter(torch.zeros(2))
    plain.data = torch.ones(3)
    assert plain.tolist() == [1.0] * 3


@pytest.mark.parametrize("kind", ["fused", "foreach"])
@pytest.mark.parametrize("name", ["AdamW", "Adam", "SGD"])
def test_optimizers_of_lists(name, kind):
    def fit(device):
        torch.manual_seed(0)
        model = torch.nn.Linear(3, 2).to(device)
        named = {"momentum": 0.9} if name == "SGD" else {}
        optimizer = getattr(torch.optim, name)(
            model.parameters(), lr=0.1, weight_decay=0.1, **named, **{kind: True}
        )
        for _ in range(3):
            optimizer.zero_grad()
            (model(torch.ones(2, 3).to(device)) ** 2).sum().backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0, foreach=True)
            optimizer.step()
        return model.weight.detach().cpu()

    torch.testing.assert_close(fit("neuron"), fit("cpu"), rtol=1e-5, atol=1e-5)


def test_what_has_no_operator_is_refused_with_the_line():
    x = torch.eye(4).to("neuron")
    with pytest.raises(torch_neuronx.TorchError, match=r"test_operators\.py:\d+ in"):
        torch.linalg.eigvals(x).cpu()
    torch_neuronx.discard()


POLYNOMIALS = ("hermite_polynomial_h", "hermite_polynomial_he", "laguerre_polynomial_l")
POLYNOMIALS += ("legendre_polynomial_p", "chebyshev_polynomial_t")


@pytest.mark.parametrize("compiled", [False, True], ids=["eager", "compiled"])
@pytest.mark.parametrize("name", POLYNOMIALS)
def test_polynomials_whose_degrees_are_data(name, compiled):
    x, n = torch.linspace(-2, 2, 24), torch.arange(24) - 1
    x[:2] = torch.tensor([1.0, -1.0])
    function = getattr(torch.special, name)
    used = torch.compile(function, backend="neuron") if compiled else function
    made = used(x.to("neuron"), n.to("neuron")).cpu()
    torch.testing.assert_close(made, function(x, n), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("compiled", [False, True], ids=["eager", "compiled"])
def test_zeta_of_places_below_zero_and_where_it_has_none(compiled):
    s = torch.tensor([2.0, 3.0, 2.5, 2.5, 1.0, 0.5, 2.0, 4.0, 3.0, torch.nan])
    x = torch.tensor([1.0, -3.3, 0.2, -0.5, 2.0, 2.0, -2.0, -7.7, 40.0, 1.0])
    function = torch.special.zeta
    used = torch.compile(function, backend="neuron") if compiled else function
    made = used(s.to("neuron"), x.to("neuron")).cpu()
    torch.testing.assert_close(made, function(s, x), rtol=1e-5, atol=1e-6, equal_nan=True)


@pytest.mark.parametrize("compiled", [False, True], ids=["eager", "compiled"])
@pytest.mark.parametrize("name", ["gammainc", "gammaincc"])
def test_incomplete_gamma_functions(name, compiled):
    """On both sides of the place where the series ends, of small, middle and large parameters, and
    where they have no number."""
    a = torch.tensor([0.01, 0.5, 0.5, 2, 2, 9.9, 10.1, 120, 120, 2000, 0, 1, 0, -1, 1, torch.inf])
    x = torch.tensor([0.1, 0.2, 6.0, 1, 9, 8.0, 14.0, 90, 130, 2040, 1, 0, 0, 1, torch.inf, 1])
    function = getattr(torch.special, name)
    used = torch.compile(function, backend="neuron") if compiled else function
    made = used(a.to("neuron"), x.to("neuron")).cpu()
    torch.testing.assert_close(made, function(a, x), rtol=5e-5, atol=1e-6, equal_nan=True)


@pytest.mark.parametrize("compiled", [False, True], ids=["eager", "compiled"])
def test_quantiles_of_the_normal_distribution(compiled):
    p = torch.tensor(
        [0, 1e-38, 1e-9, 0.02, 0.26, 0.5, 0.7, 0.76, 0.999, 1 - 6e-8, 1, -1, torch.nan]
    )
    function = torch.special.ndtri
    used = torch.compile(function, backend="neuron") if compiled else function
    made = used(p.to("neuron")).cpu()
    torch.testing.assert_close(made, function(p), rtol=1e-5, atol=1e-6, equal_nan=True)


BESSEL = [f"bessel_{kind}{order}" for kind in "jy" for order in (0, 1)]
BESSEL += [f"{scaled}modified_bessel_k{n}" for scaled in ("", "scaled_") for n in (0, 1)]


@pytest.mark.parametrize("compiled", [False, True], ids=["eager", "compiled"])
@pytest.mark.parametrize("name", BESSEL)
def test_bessel_functions(name, compiled):
    """On both sides of the place where the power series end, and where they have no number."""
    x = torch.cat((torch.linspace(-9, 30, 300), torch.tensor([0, 1e-20, 2, 5, 5.001, torch.nan])))
    function = getattr(torch.special, name)
    used = torch.compile(function, backend="neuron") if compiled else function
    made = used(x.to("neuron")).cpu()
    exact = function(x.double()).float()
    torch.testing.assert_close(made, exact, rtol=2e-6, atol=1e-6, equal_nan=True)


@pytest.mark.parametrize("compiled", [False, True], ids=["eager", "compiled"])
@pytest.mark.parametrize("by", ["lengths", "offsets"])
@pytest.mark.parametrize("reduce", ["sum", "mean", "max", "min", "prod"])
def test_segments_whose_lengths_are_data(reduce, by, compiled):
    """One is empty, of the products some numbers are zero, of the extremes some are equal."""
    given = torch.tensor([[3, 0, 2], [1, 4, 0]])
    if by == "offsets":
        given = torch.nn.functional.pad(given.cumsum(-1), (1, 0))
    data = torch.tensor([1.0, 2, 2, 0, -1, 0, 0, 3, 3, 3]).reshape(2, 5, 1) * torch.ones(3)

    def function(data, where):
        return torch.segment_reduce(data, reduce, **{by: where}, axis=1, initial=2, unsafe=True)

    used = torch.compile(function, backend="neuron") if compiled else function
    made = []
    for device, compute in (("cpu", function), ("neuron", used)):
        x = data.to(device, copy=True).requires_grad_()
        y = compute(x, given.to(device))
        (y * (1 + torch.arange(18.0).reshape(2, 3, 3).to(device))).sum().backward()
        made.append([y.detach().cpu(), x.grad.cpu()])
    torch.testing.assert_close(made[1], made[0])


FAKE_QUANTIZED = {
    "per tensor": lambda x, to: torch.fake_quantize_per_tensor_affine(x, 0.03, 5, -128, 127),
    "of tensors": lambda x, to: torch.fake_quantize_per_tensor_affine(
        x, to(torch.tensor(0.02)), to(torch.tensor(3, dtype=torch.int32)), 0, 127
    ),
    "per channel": lambda x, to: torch.fake_quantize_per_channel_affine(
        x, to(torch.tensor([0.01, 0.1, 0.5])), to(torch.tensor([0, 7, -3]).int()), 1, -128, 127
    ),
}


@pytest.mark.parametrize("compiled", [False, True], ids=["eager", "compiled"])
@pytest.mark.parametrize("name", FAKE_QUANTIZED)
def test_training_that_knows_of_quantized_types(name, compiled):
    function = FAKE_QUANTIZED[name]
    given = 2 * torch.randn(5, 3, 4)
    made = []
    for device in ("cpu", "neuron"):
        x = given.to(device, copy=True).requires_grad_()
        is_ours = compiled and device == "neuron"
        used = torch.compile(function, backend="neuron") if is_ours else function
        y = used(x, lambda t, device=device: t.to(device))
        y.square().sum().backward()
        made.append([y.detach().cpu(), x.grad.cpu()])
    torch.testing.assert_close(made[1], made[0], rtol=1e-6, atol=1e-6)
