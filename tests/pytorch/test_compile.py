"""Does torch.compile(backend="neuron") give the CPU's numbers, and say what it cannot do?"""

import inspect
import warnings

import pytest

torch = pytest.importorskip("torch")
import torch_neuronx  # noqa: E402
from torch import nn  # noqa: E402
from torch.nn import functional as F  # noqa: E402
from trainyard.torch import table  # noqa: E402


class Block(nn.Module):
    """Convolution, norm, pooling, attention and a product."""

    def __init__(self):
        super().__init__()
        self.convolution = nn.Conv2d(3, 8, 3, 2, 1, bias=False)
        self.norm = nn.BatchNorm2d(8)
        self.attention = nn.MultiheadAttention(8, 2, batch_first=True)
        self.head = nn.Linear(8, 5)

    def forward(self, x):
        x = F.max_pool2d(F.gelu(self.norm(self.convolution(x))), 2)
        x = x.flatten(2).transpose(1, 2)
        x = x + self.attention(x, x, x, need_weights=False)[0]
        return self.head(x.mean(1))


def train(model, optimizer, step, x, y, steps=4):
    losses = []
    for _ in range(steps):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        step()
        losses.append(loss.item())
    return losses


@pytest.mark.parametrize("device", ["cpu", "neuron"])
def test_training_with_a_compiled_optimizer_has_the_losses_of_the_cpu(device):
    model = Block()
    expected = Block()
    expected.load_state_dict(model.state_dict())
    x, y = torch.randn(2, 3, 16, 16), torch.tensor([1, 4])
    reference = torch.optim.SGD(expected.parameters(), lr=0.05, momentum=0.9)
    theirs = train(expected, reference, reference.step, x, y)
    model = model.to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    compiled = torch.compile(model, backend="neuron")
    step = torch.compile(optimizer.step, backend="neuron") if device == "neuron" else optimizer.step
    before = torch_neuronx.statistics.launches
    ours = train(compiled, optimizer, step, x.to(device), y.to(device))
    assert torch_neuronx.statistics.launches > before
    assert ours == pytest.approx(theirs, abs=1e-4)
    assert theirs[0] != pytest.approx(theirs[-1], abs=1e-3)


def test_a_parameter_that_is_changed_behind_its_counter_is_copied_again():
    weight = nn.Parameter(torch.ones(64))
    double = torch.compile(lambda: weight * 2, backend="neuron")
    with torch.no_grad():
        assert double().sum().item() == 128
        weight.data.mul_(3)
        assert double().sum().item() == 384


def test_numbers_that_change_places_behind_the_counter_are_copied_again():
    weight = nn.Parameter(torch.arange(64.0))
    double = torch.compile(lambda: weight * 2, backend="neuron")
    content = weight.detach().numpy()
    with torch.no_grad():
        for a, b in ((0, 1), (2, 4), (10, 13), (62, 63)):
            assert torch.equal(double(), weight * 2)
            content[[a, b]] = content[[b, a]]
            assert torch.equal(double(), weight * 2)


def test_a_tensor_that_is_unchanged_is_copied_once():
    from trainyard.torch import buffers

    double = torch.compile(lambda x, y: x * y, backend="neuron")
    x, y = torch.ones(64), torch.arange(64)
    double(x, y)
    before = buffers.totals["copies_in"].count
    double(x, y)
    assert buffers.totals["copies_in"].count == before


def test_each_shape_is_compiled_once():
    function = torch.compile(lambda x: (x * 2).sum(0), backend="neuron")
    for rows in (2, 3, 4, 3):
        x = torch.arange(rows * 3.0).reshape(rows, 3)
        assert torch.equal(function(x), (x * 2).sum(0))


def test_what_is_not_there_is_refused_with_place_and_a_way_round():
    def function(x):
        return torch.linalg.eigvals(x)

    with pytest.raises(Exception, match=r"torch\.operator") as caught:
        torch.compile(function, backend="neuron")(torch.eye(3))
    assert "aten.linalg_eig" in str(caught.value)
    assert "test_compile.py" in str(caught.value) and "torch.linalg.eigh" in str(caught.value)


@pytest.mark.parametrize(
    "options", [{"dynamic": True}, {"mode": "max-autotune"}], ids=["dynamic", "mode"]
)
def test_options_that_the_chip_does_not_take_are_refused(options):
    with pytest.raises(Exception, match=r"torch\.option"):
        torch.compile(lambda x: x + 1, backend="neuron", **options)(torch.ones(3))


def test_large_integers_are_exact():
    def function(x):
        return x * x + 1

    x = torch.tensor([3, 2**31 + 5, -(2**30)])
    assert torch.equal(torch.compile(function, backend="neuron")(x), function(x))


def test_every_core_operator_has_a_record_a_decomposition_or_a_reason():
    missing = []
    for name in dir(torch.ops.aten):
        packet = getattr(torch.ops.aten, name)
        for overload in getattr(packet, "overloads", list)():
            found = getattr(packet, overload)
            known = found in table.operators() or found in table.decompositions()
            if torch.Tag.core in found.tags and not known and str(found) not in table.WITHOUT:
                missing.append(str(found))
    assert missing == []


def test_no_operator_has_two_records():
    names = [record.name for record in table.OPERATORS]
    assert len(names) == len(set(names))
    unknown = [record.name for record in table.OPERATORS if record.overload is None]
    assert unknown == []


def test_results_have_the_strides_that_tracing_saw():
    def function(x):
        return x.expand(4, 3), x.expand(2, 3).t() * 2, x.expand(2, 3).t()

    x = torch.arange(3.0)
    for ours, theirs in zip(torch.compile(function, backend="neuron")(x), function(x), strict=True):
        assert torch.equal(ours, theirs) and ours.stride() == theirs.stride()


def test_graph_breaks_are_told_with_line_and_cost():
    def function(x):
        y = x * 2
        if y.sum() > 0:  # the host reads a value: a break
            return y + 1
        return y - 1

    made = torch_neuronx.explain(function)(torch.ones(8))
    assert made.graphs == 2 and len(made.seconds) == 2 and min(made.seconds) > 0
    (found,) = made.breaks
    line = function.__code__.co_firstlineno + 2
    assert f"test_compile.py:{line} in function" in found.place and found.bytes >= 8 * 4
    assert found.place in made.text and "2 graphs" in made.text


def test_exported_programs_run():
    import io

    model = nn.Sequential(nn.Linear(4, 8), nn.GELU(), nn.BatchNorm1d(8)).eval()
    batch = torch.export.Dim("batch", min=2, max=16)
    file = io.BytesIO()
    exported = torch.export.export(model, (torch.randn(3, 4),), dynamic_shapes=({0: batch},))
    torch.export.save(exported, file)
    file.seek(0)
    loaded = torch.export.load(file).module()
    compiled = torch.compile(loaded, backend="neuron")
    with torch.no_grad():
        for rows in (2, 5):
            x = torch.randn(rows, 4)
            torch.testing.assert_close(compiled(x), model(x), rtol=1e-4, atol=1e-5)
        moved = loaded.to("neuron")(x.to("neuron")).cpu()
        torch.testing.assert_close(moved, model.cpu()(x), rtol=1e-4, atol=1e-5)


def test_operators_of_pytorchs_own_modules_stand_where_they_are_called():
    """No line of the user's is within them; hooks that follow modules are not talked of."""
    model = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.ReLU()).to("neuron")
    model = torch.compile(model, backend="neuron")
    x = torch.ones(2, 4).to("neuron")
    with torch_neuronx.timing() as launches, warnings.catch_warnings(record=True) as said:
        warnings.filterwarnings("default", category=UserWarning, append=True)
        line = inspect.currentframe().f_lineno + 1
        model(x).sum().backward()
        torch.neuron.synchronize()
    text = "".join(launch.text for launch in launches if launch.name.startswith("graph"))
    assert f"test_compile.py:{line}" in text and "0/backward/mm" in text
    assert ":0 " not in text and not [each for each in said if "hooks" in str(each.message)]
