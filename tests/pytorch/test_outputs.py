"""Do compiled graphs write and return their arguments without copies?"""

import pytest

torch = pytest.importorskip("torch")
import torch_neuronx  # noqa: E402, F401
from trainyard.torch import programs  # noqa: E402
from trainyard.torch.tensor import NeuronTensor  # noqa: E402


@pytest.fixture
def results(monkeypatch):
    """How many results each program gave."""
    counts = []
    run = programs.Executable.run

    def counted(self, arguments):
        made = run(self, arguments)
        counts.append(len(made))
        return made

    monkeypatch.setattr(programs.Executable, "run", counted)
    return counts


@pytest.fixture
def eager_operators(monkeypatch):
    """The operators that were dispatched one by one."""
    names = []
    dispatch = NeuronTensor.dispatch

    def named(overload, args, kwargs):
        names.append(str(overload))
        return dispatch(overload, args, kwargs)

    monkeypatch.setattr(NeuronTensor, "dispatch", staticmethod(named))
    return names


def layers(device):
    torch.manual_seed(0)
    parts = [torch.nn.Linear(8, 8) for _ in range(4)]
    return torch.nn.Sequential(*parts).to(device)


@pytest.mark.parametrize("name", ["SGD", "AdamW"])
def test_a_compiled_step_writes_its_parameters_at_once(name, eager_operators):
    trained = {}
    for device in ("cpu", "neuron"):
        model = layers(device)
        optimizer = getattr(torch.optim, name)(model.parameters(), lr=0.1)
        step = optimizer.step
        if device == "neuron":
            step = torch.compile(step, backend="neuron")
        x = torch.ones(2, 8).to(device)
        for _ in range(3):
            optimizer.zero_grad()
            model(x).square().sum().backward()
            eager_operators.clear()
            version = model[0].weight._version
            step()
            assert model[0].weight._version > version
        if device == "neuron":  # the first step made the optimizer's state
            assert eager_operators == []
        trained[device] = [each.detach().cpu() for each in model.parameters()]
    for ours, theirs in zip(trained["neuron"], trained["cpu"], strict=True):
        torch.testing.assert_close(ours, theirs, rtol=1e-4, atol=1e-4)


def test_a_forward_pass_returns_no_parameter(results):
    """Nor what is a view of one: the results are the loss and what each layer was given."""
    model = layers("neuron")
    loss = torch.compile(lambda x: model(x).square().sum(), backend="neuron")
    loss(torch.ones(2, 8).to("neuron")).backward()
    assert results[0] == 1 + len(model)


def test_a_view_that_the_backward_pass_takes_again_has_the_right_gradients():
    def function(x, w):
        y = (x @ w.t()).view(2, 2, 4).transpose(1, 2)
        return (y.unsqueeze(1).expand(2, 3, 4, 2) * y.exp().unsqueeze(1)).sum()

    given = [torch.randn(2, 8), torch.randn(8, 8)]
    gradients = []
    for device in ("cpu", "neuron"):
        moved = [x.to(device).requires_grad_() for x in given]
        used = torch.compile(function, backend="neuron") if device == "neuron" else function
        gradients.append([x.cpu() for x in torch.autograd.grad(used(*moved), moved)])
    for theirs, ours in zip(*gradients, strict=True):
        torch.testing.assert_close(ours, theirs, rtol=1e-4, atol=1e-4)


def write(x, y):
    x.add_(y)
    x[0].mul_(2)
    return y.sum()


@pytest.mark.parametrize("device", ["cpu", "neuron"])
def test_an_argument_that_is_a_view_is_written_in_what_it_is_of(device):
    whole, y = torch.arange(24.0).reshape(4, 6), torch.ones(4, 3)
    expected = whole.clone()
    write(expected[:, :3], y)
    moved = whole.to(device, copy=True)
    torch.compile(write, backend="neuron")(moved[:, :3], y.to(device))
    assert torch.equal(moved.cpu(), expected)


def test_arguments_of_sizes_that_change_are_written():
    compiled = torch.compile(write, backend="neuron")
    for size in (3, 5, 6, 9):
        x = torch.arange(4.0 * size).reshape(size, 4)
        expected, ours = x.clone(), x.to("neuron")
        write(expected, x)
        compiled(ours, x.to("neuron"))
        assert torch.equal(ours.cpu(), expected)


def test_an_argument_that_is_returned_and_written_keeps_neither_value_from_the_other():
    def function(x, w):
        y = (x * w).sum()
        return y, w

    x = torch.ones(4).to("neuron").requires_grad_()
    w = torch.full((4,), 2.0).to("neuron")
    total, same = torch.compile(function, backend="neuron")(x, w)
    with torch.no_grad():
        same.add_(1)
    assert w.tolist() == [3.0] * 4
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        total.backward()


def test_what_a_backward_pass_reads_is_kept_once():
    """tanh's gradient reads its result through a detach, the next product reads it as it is."""
    x = torch.randn(4, 8).to("neuron")
    layers = torch.nn.ModuleList(torch.nn.Linear(8, 8) for _ in range(3)).to("neuron")

    def forward(x):
        for layer in layers:
            x = torch.tanh(layer(x))
        return x.sum()

    compiled = torch.compile(forward, backend="neuron")
    compiled(x).backward()
    before = torch.neuron.memory_allocated()
    loss = compiled(x)
    assert torch.neuron.memory_allocated() - before == 3 * x.nbytes + loss.nbytes


def test_a_written_tensor_of_the_host_is_copied_to_the_device_once():
    """Its new value is in HBM already, unless something else writes it."""
    from trainyard.torch import buffers

    @torch.compile(backend="neuron")
    def count(x):
        return x.add_(1) * 2

    x = torch.zeros(3)
    count(x)
    before = buffers.totals["copies_in"].count
    assert count(x).tolist() == [4.0] * 3
    assert buffers.totals["copies_in"].count == before
    x.mul_(10)
    assert count(x).tolist() == [42.0] * 3
    assert buffers.totals["copies_in"].count == before + 1
