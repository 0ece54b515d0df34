"""What reads values of the device in a function: formats, sizes that depend on data, constants."""

import pytest

torch = pytest.importorskip("torch")
import torch_neuronx  # noqa: E402
from torch import fx  # noqa: E402
from torch._dynamo.utils import counters  # noqa: E402
from trainyard.torch import programs  # noqa: E402


def test_a_number_is_formatted_as_its_value():
    x = torch.tensor(2.5).to("neuron")
    assert f"{x:.2f} {x} expert_{torch.tensor(3).to('neuron')}" == "2.50 2.5 expert_3"
    with pytest.raises(TypeError):
        f"{torch.ones(2).to('neuron'):.2f}"


def test_behind_a_break_only_the_users_functions_are_compiled():
    """What the device's tensors do as they are read is no frame of the user's."""
    counters.clear()

    def experts(x, hit):
        out = torch.zeros_like(x)
        for each in hit.nonzero():
            out = out + x * each[0]
        return out, f"{out.sum():.1f}"

    used = torch.compile(experts, backend="neuron")
    for hits, total in (([1, 0, 1, 0], 2.0), ([1, 1, 1, 0], 3.0)):
        out, text = used(torch.ones(3).to("neuron"), torch.tensor(hits).to("neuron"))
        assert out.tolist() == [total] * 3 and text == f"{3 * total:.1f}"
    text = " ".join(map(str, counters["graph_break"]))
    assert "nonzero" in text
    for ours in ("host", "sys._getframe", "nb_method", "super()", "trainyard"):
        assert ours not in text


def test_a_graph_that_computes_nothing_is_no_program():
    graph = fx.Graph()
    graph.placeholder("x").meta["val"] = torch.empty(3, device="meta")
    graph.output(())
    before = torch_neuronx.statistics.launches
    assert programs.Graph(fx.GraphModule({}, graph), "empty")([]) == []
    assert torch_neuronx.statistics.launches == before


def test_small_constants_are_computed_once():
    """As the 1 that each backward pass begins with; large ones and random numbers are not kept."""
    x = torch.zeros(()).to("neuron")
    large = torch.zeros(64, 64).to("neuron")
    torch.neuron.synchronize()
    before = torch_neuronx.statistics.launches
    for _ in range(3):
        assert torch.ones_like(x).item() == 1
    assert torch_neuronx.statistics.launches == before + 1
    for _ in range(3):
        torch.ones_like(large).sum().item()
    numbers = {torch.rand_like(x).item() for _ in range(3)}
    assert len(numbers) == 3
    kept = torch.ones_like(x)
    kept.add_(1)
    assert (kept.item(), torch.ones_like(x).item()) == (2, 1)


REPEATS = {
    "known": lambda x, n: torch.repeat_interleave(x, n, 0, output_size=5) * 2,
    "read": lambda x, n: torch.repeat_interleave(x * 2, n, 0) + 1,
    "places": lambda x, n: torch.repeat_interleave(n) + x.sum().long(),
}


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("name", REPEATS)
def test_repeats_by_numbers_that_are_data(name, compiled):
    x, n = torch.arange(6.0).reshape(3, 2), torch.tensor([2, 0, 3])
    used = torch.compile(REPEATS[name], backend="neuron") if compiled else REPEATS[name]
    made = used(x.to("neuron"), n.to("neuron")).cpu()
    assert torch.equal(made, REPEATS[name](x, n))


def test_negative_repeats_are_an_error():
    with pytest.raises(RuntimeError, match="negative"):
        torch.repeat_interleave(torch.tensor([1, -1]).to("neuron"))
