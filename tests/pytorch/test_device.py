"""Do tensors of the device `neuron` behave as those of the CPU, without torch.compile?"""

import copy
import io
import itertools
import math

import pytest

torch = pytest.importorskip("torch")
import torch_neuronx  # noqa: E402
from torch.nn import functional as F  # noqa: E402
from trainyard.torch.queue import queue  # noqa: E402

VIEWS = {
    "slice": lambda x: x[1:3],
    "step": lambda x: x[::2],
    "select": lambda x: x[:, 1],
    "transpose": lambda x: x.t(),
    "diagonal": lambda x: x.diagonal(),
    "chunk": lambda x: x.chunk(2)[1],
    "unbind": lambda x: x.unbind(1)[2],
    "of a view": lambda x: x[1:].t()[0],
}


@pytest.mark.parametrize("name", VIEWS)
def test_a_write_to_a_view_shows_in_what_it_views(name):
    theirs = torch.arange(16.0).reshape(4, 4)
    ours = theirs.to("neuron")
    for x in (theirs, ours):
        VIEWS[name](x).mul_(-2).add_(1)
    assert torch.equal(ours.cpu(), theirs)


def test_nothing_runs_before_a_value_is_read():
    x = torch.ones(4).to("neuron")
    before = torch_neuronx.statistics.launches
    y = (x * 3 + 1).relu().sum()
    assert torch_neuronx.statistics.launches == before
    assert y.item() == 16
    assert torch_neuronx.statistics.launches == before + 1


def test_numbers_that_change_become_arguments():
    x = torch.ones(4).to("neuron")
    for step in range(5):
        before = torch_neuronx.statistics.compilations
        total = (x * (0.5 + step)).sum().item()
        assert total == 4 * (0.5 + step)
        if step >= 2:
            assert torch_neuronx.statistics.compilations == before


NUMBERS = {
    "mul": lambda x, number: x * number,
    "add": lambda x, number: x + number,
    "add alpha": lambda x, number: torch.add(x, x, alpha=number),
    "sub": lambda x, number: x - number,
    "div": lambda x, number: x / number,
    "addcmul": lambda x, number: torch.addcmul(x, x, x, value=number),
    "addcdiv": lambda x, number: torch.addcdiv(x, x, x + 1, value=number),
    "lerp": lambda x, number: torch.lerp(x, x * x, number),
}


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16, torch.float16])
@pytest.mark.parametrize("shape", [(), (7,)], ids=["scalar", "vector"])
@pytest.mark.parametrize("name", NUMBERS)
def test_results_are_those_of_numbers_that_do_not_change(name, shape, dtype):
    function = NUMBERS[name]
    theirs = (torch.arange(1, 8) * 1.37).to(dtype)[: shape[0] if shape else 1].reshape(shape)
    ours, numbers = theirs.to("neuron"), (0.1, 0.3, 0.7, 0.9, 1e-3)
    changing = [function(ours, number).cpu() for number in numbers]
    for number, made in zip(numbers, changing, strict=True):
        queue._sequences.clear()  # so that the number is a part of the program
        assert made.dtype == dtype and torch.equal(made, function(ours, number).cpu())
        wide = function(theirs.double(), number).to(dtype)
        torch.testing.assert_close(made, wide)


def test_gradients_and_in_place_steps():
    def fit(device):
        torch.manual_seed(0)
        layer = torch.nn.Linear(4, 3).to(device)
        x, y = torch.ones(2, 4).to(device), torch.tensor([0, 2]).to(device)
        optimizer = torch.optim.AdamW(layer.parameters(), lr=0.1)
        for _ in range(3):
            optimizer.zero_grad()
            loss = F.cross_entropy(layer(x), y)
            loss.backward()
            optimizer.step()
        return loss.item(), layer.weight.detach().cpu()

    ours, theirs = fit("neuron"), fit("cpu")
    assert ours[0] == pytest.approx(theirs[0], abs=1e-5)
    torch.testing.assert_close(ours[1], theirs[1], rtol=1e-4, atol=1e-5)


def test_places_that_a_mask_marks():
    x = torch.tensor([[1.0, -2.0], [3.0, -4.0]])
    ours = x.to("neuron")
    assert torch.equal(ours[ours > 0].cpu(), x[x > 0])
    assert torch.equal((ours > 0).nonzero().cpu(), (x > 0).nonzero())
    ours[ours < 0] = 0
    assert torch.equal(ours.cpu(), x.clamp(min=0))


def test_places_in_a_tensor_without_elements():
    for shape in ((0, 3), (2, 0), (0,)):
        x = torch.zeros(shape)
        assert torch.equal(x.to("neuron").nonzero().cpu(), x.nonzero())
    a, b = torch.zeros(0, 3), torch.zeros(0, 2)
    assert torch.cat([a.to("neuron"), b.to("neuron")], 1).cpu().shape == (0, 5)


def test_parameters_take_other_values():
    layer = torch.nn.Linear(4, 3)
    expected = layer.weight.detach().bfloat16()
    layer = layer.to("neuron").bfloat16()
    assert torch.equal(layer.weight.detach().cpu(), expected)
    layer.weight.data = torch.ones(3, 4, dtype=torch.bfloat16).to("neuron")
    layer.weight.data[1] = 2
    assert layer.weight.tolist() == [[1.0] * 4, [2.0] * 4, [1.0] * 4]


def test_each_block_of_timing_has_its_own_launches():
    x = torch.ones(4).to("neuron")
    with torch_neuronx.timing() as outer:
        with torch_neuronx.timing() as inner:
            pass
        (x + 1).cpu()
    assert len(outer) == 1 and inner == []


def test_saved_tensors_come_back():
    file = io.BytesIO()
    torch.save({"x": torch.arange(3).to("neuron")}, file)
    file.seek(0)
    x = torch.load(file, weights_only=False)["x"]
    assert x.device.type == "neuron" and x.tolist() == [0, 1, 2]


def test_tensors_are_made_on_the_device():
    assert torch.tensor([1, 2], device="neuron").device.type == "neuron"
    assert torch.zeros(2, 3, device="neuron").tolist() == [[0.0] * 3] * 2
    with torch.device("meta"):
        assert torch.tensor([]).device.type == "meta"  # what transformers asks


def test_random_numbers_follow_the_seed():
    torch.manual_seed(3)
    a = torch.rand(1000, device="neuron")
    first = a.cpu()
    b = torch.rand(1000, device="neuron")
    torch.manual_seed(3)
    assert torch.equal(torch.rand(1000, device="neuron").cpu(), first)
    assert 0.45 < first.mean().item() < 0.55 and not torch.equal(first, b.cpu())
    normal = torch.randn(4000, device="neuron")
    assert abs(normal.mean().item()) < 0.1 and 0.9 < normal.std().item() < 1.1


@pytest.mark.parametrize("bits", [0, 2**32 - 1])
def test_the_least_and_the_largest_bits_give_numbers_in_range(monkeypatch, bits):
    from trainyard.torch.operators import randoms

    monkeypatch.setattr(randoms, "_bits", lambda w, shape: w.constant(bits, shape, torch.uint32))
    queue._sequences.clear()
    assert 0 <= torch.rand(3, device="neuron").max().item() < 1
    assert 0 < torch.empty(3, device="neuron").exponential_().min().item() < 100
    assert torch.randn(3, device="neuron").isfinite().all().item()
    rates = torch.tensor([0.0, 0.0, 1.0, 0.0]).to("neuron")
    assert torch.multinomial(rates, 1).item() == 2  # never one that has no chance
    queue._sequences.clear()


def test_memory_is_counted_and_told():
    before = torch.neuron.memory_allocated()
    x = torch.ones(1024, 256).to("neuron")
    assert torch.neuron.memory_allocated() - before == 1024 * 256 * 4
    assert "float32[1024, 256]" in torch.neuron.memory_summary()
    del x
    assert torch.neuron.memory_allocated() == before


def test_what_does_not_fit_is_refused_with_what_holds_the_memory(monkeypatch):
    from trainyard.torch import buffers

    monkeypatch.setattr(buffers, "capacity", lambda: torch.neuron.memory_allocated() + 100)
    with pytest.raises(torch.OutOfMemoryError, match=r"float32\[64\] of 256 bytes"):
        torch.ones(64).to("neuron")


def test_tensors_of_two_devices_are_refused():
    with pytest.raises(torch_neuronx.TorchError, match="one device"):
        torch.ones(3).to("neuron") + torch.ones(3)


def test_statistics_that_a_norm_writes():
    def norm(device):
        torch.manual_seed(0)
        x, mean, var = torch.randn(4, 3), torch.zeros(3), torch.ones(3)
        given = [each.to(device) for each in (x, torch.ones(3), torch.zeros(3), mean, var)]
        made = torch.ops.aten._batch_norm_with_update(*given, 0.1, 1e-5)
        return [made[0].cpu(), given[3].cpu(), given[4].cpu()]

    torch.testing.assert_close(norm("neuron"), norm("cpu"))


def test_numbers_at_the_edges_of_functions():
    x = torch.tensor([0.0, -0.0, 2.0, float("nan"), float("inf")])
    y = torch.tensor([1.0, float("nan"), 3.0, 1.0, 0.0])
    for function in (torch.fmax, torch.fmin, torch.hypot):
        ours = function(x.to("neuron"), y.to("neuron")).cpu()
        torch.testing.assert_close(ours, function(x, y), equal_nan=True)
    torch.testing.assert_close(x[:3].to("neuron").digamma().cpu(), x[:3].digamma())


def test_a_convolution_of_integers():
    x, kernel = torch.arange(12).reshape(1, 2, 6), torch.arange(12).reshape(2, 2, 3)
    ours = F.conv1d(x.to("neuron"), kernel.to("neuron")).cpu()
    assert torch.equal(ours, F.conv1d(x, kernel))


def test_means_of_windows_of_integers_and_what_is_close():
    x = torch.arange(16).reshape(1, 16)
    ours = F.avg_pool1d(x.to("neuron"), 3, 2, 1, count_include_pad=False)
    assert torch.equal(ours.cpu(), F.avg_pool1d(x, 3, 2, 1, count_include_pad=False))
    assert torch.allclose(ours.float(), ours.float()) and not torch.allclose(ours, ours + 1)


class TestProfiler:
    """torch.profiler has the device's simulated time, by range and by module of the model."""

    @pytest.mark.parametrize("compiled", [False, True])
    def test_time_of_ranges_and_operators(self, compiled, tmp_path):
        import json

        from torch.profiler import ProfilerActivity, profile, record_function

        model = torch.nn.Sequential(torch.nn.Linear(64, 64), torch.nn.Linear(64, 8)).to("neuron")
        used = torch.compile(model, backend="neuron") if compiled else model
        x = torch.randn(16, 64).to("neuron")
        with torch_neuronx.timing() as launches, torch.no_grad():
            used(x).cpu()
        wanted = launches[0].seconds * 1e6
        activities = [ProfilerActivity.CPU, ProfilerActivity.PrivateUse1]
        with profile(activities=activities) as taken, torch.no_grad():
            with record_function("first"):
                y = used(x)
            with record_function("nothing"):
                pass
            y.cpu()
        rows = {each.key: each for each in taken.key_averages() if each.device_time_total}
        assert rows["first"].device_time_total == pytest.approx(wanted)
        assert "nothing" not in rows
        names = {"0/addmm", "1/addmm"}
        assert names <= rows.keys()
        kind = torch.autograd.DeviceType.PrivateUse1
        operations = [each for each in taken.events() if each.device_type == kind]
        assert sum(each.device_time_total for each in operations) == pytest.approx(wanted)
        assert "NEURON total" in taken.key_averages().table()
        taken.export_chrome_trace(str(tmp_path / "trace.json"))
        events = json.loads((tmp_path / "trace.json").read_text())["traceEvents"]
        ours = [each for each in events if each.get("pid") == "neuron" and each["ph"] == "X"]
        assert names <= {each["name"] for each in ours}
        assert sum(each["dur"] for each in ours) == pytest.approx(wanted)

    def test_a_profiler_of_the_host_alone_has_no_device(self):
        from torch.profiler import ProfilerActivity, profile

        x = torch.ones(4).to("neuron")
        with profile(activities=[ProfilerActivity.CPU]) as taken:
            (x + 1).cpu()
        assert not any(each.device_time_total for each in taken.key_averages())


def test_operators_are_named_by_module_in_both_directions():
    """In the eager mode, too: forward by the call, backward by the operator that it belongs to."""
    model = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.ReLU(), torch.nn.Linear(8, 4))
    model.to("neuron")
    with torch_neuronx.timing() as launches:
        model(torch.ones(2, 8).to("neuron")).pow(2).sum().backward()
        torch.neuron.synchronize()
    operations = {x["function"] for each in launches for x in each.reports[0]["operations"]}
    assert {"0/addmm", "2/addmm", "0/backward/mm", "2/backward/mm"} <= operations


@pytest.mark.skipif(
    torch.__version__ >= "2.15", reason="PyTorch knows the shapes of float32's grouped products"
)
def test_shapes_of_grouped_products_are_ours_for_this_device_alone():
    """PyTorch's own rule stays for other backends, before and after one of ours was traced."""
    from torch._subclasses import FakeTensorMode

    def make(**where):
        ends = torch.tensor([2, 4], dtype=torch.int32)
        given = torch.ones(4, 16, **where), torch.ones(2, 16, 16, **where), ends.to(**where)
        return torch.nn.functional.grouped_mm(given[0], given[1], offs=given[2])

    def theirs():
        with FakeTensorMode(), pytest.raises(RuntimeError, match="BF16"):
            make(device="cpu")
        with pytest.raises(RuntimeError, match="BF16"):
            make(device="meta")

    theirs()
    assert make(device="neuron").cpu().unique().tolist() == [16.0]
    compiled = torch.compile(lambda x: make(device="cpu") + x, backend="neuron")
    assert compiled(torch.zeros(1)).unique().tolist() == [16.0]
    theirs()
    torch._dynamo.reset()
    with pytest.raises(Exception, match="BF16"):
        torch.compile(lambda x: make(device="cpu") + x, backend="aot_eager")(torch.zeros(1))


RECURRENT = {
    "LSTM": lambda: torch.nn.LSTM(4, 6, 2, batch_first=True, bidirectional=True),
    "projected": lambda: torch.nn.LSTM(4, 6, proj_size=3, batch_first=True),
    "GRU": lambda: torch.nn.GRU(4, 6, batch_first=True),
    "RNN": lambda: torch.nn.RNN(4, 6, batch_first=True),
    "LSTMCell": lambda: torch.nn.LSTMCell(4, 6),
    "GRUCell": lambda: torch.nn.GRUCell(4, 6),
}


@pytest.mark.parametrize("name", list(RECURRENT))
def test_recurrent_layers_and_their_gradients(name):
    """PyTorch's own way on such a device are fused cells, which it has no shapes of."""
    theirs = RECURRENT[name]()
    ours = copy.deepcopy(theirs).to("neuron")
    x = torch.randn(3, 4) if name.endswith("Cell") else torch.randn(3, 5, 4)
    made = []
    for model, given in ((ours, x.to("neuron")), (theirs, x)):
        first = torch.utils._pytree.tree_leaves(model(given))[0]
        first.pow(2).sum().backward()
        made.append([first.detach().cpu(), *(p.grad.cpu() for p in model.parameters())])
    torch.testing.assert_close(made[0], made[1], rtol=1e-4, atol=1e-5)


def test_a_compiled_function_may_leave_the_graph_for_a_recurrent_layer():
    """Dynamo breaks the graph there; operators of the eager mode are not traced."""
    torch._dynamo.reset()
    model = torch.nn.LSTM(4, 6, batch_first=True)
    x = torch.randn(3, 5, 4)
    wanted = model(x)[0]
    compiled = torch.compile(model.to("neuron"), backend="neuron")
    torch.testing.assert_close(compiled(x.to("neuron"))[0].cpu(), wanted, rtol=1e-4, atol=1e-5)


def test_a_number_that_moves_to_the_device_while_it_is_traced():
    """PyTorch computes with such constants itself, which no operator of the device is for."""
    torch._dynamo.reset()

    def scaled(x):
        return x * torch.sqrt(torch.FloatTensor([0.5]).to(x.device))

    compiled = torch.compile(scaled, backend="neuron", fullgraph=True)
    x = torch.randn(3).to("neuron")
    torch.testing.assert_close(compiled(x).cpu(), scaled(x.cpu()))


def test_shapes_are_asked_once_for_arguments_of_a_kind(monkeypatch):
    from trainyard.torch import metas

    asked = []
    ask = metas.ask
    monkeypatch.setattr(metas, "ask", lambda *given: asked.append(1) or ask(*given))
    x = torch.ones(3, 5).to("neuron")

    def function(number):
        return (x.cumsum(1) * number + number).relu()

    function(0.5)
    before = len(asked)
    function(1.5)
    assert len(asked) == before


def test_numbers_that_shapes_depend_on_are_told_apart():
    x = torch.ones(4).to("neuron")
    assert torch.arange(0, 1, 0.25, device="neuron").shape == (4,)
    assert torch.arange(0, 1, 0.5, device="neuron").shape == (2,)
    assert [(x * 2).dtype, (x.int() * 2).dtype, (x.int() * 2.0).dtype, (x.int() * True).dtype] == [
        torch.float32,
        torch.int32,
        torch.float32,
        torch.int32,
    ]
    assert torch.full((2,), True, device="neuron").dtype == torch.bool
    assert torch.full((2,), 1, device="neuron").dtype == torch.int64
    torch.set_default_dtype(torch.float64)
    try:
        assert (x.int() * 2.0).dtype == torch.float64
    finally:
        torch.set_default_dtype(torch.float32)
    assert (x.int() * 2.0).dtype == torch.float32


def test_distributions_check_their_parameters():
    # Dynamo switches the checks off where nobody asks for them.
    p = torch.tensor([[0.2, 0.8], [0.5, 0.5]]).to("neuron").requires_grad_()
    chosen = torch.tensor([1, 0]).to("neuron")
    total = torch.distributions.Categorical(p, validate_args=True).log_prob(chosen).sum()
    total.backward()
    assert total.item() == pytest.approx(math.log(0.4), abs=1e-6)
    mean = torch.tensor([1.0, 2.0]).to("neuron")
    normal = torch.distributions.Normal(mean, 1.0, validate_args=True)
    expected = [-0.5 * math.log(2 * math.pi)] * 2
    assert normal.log_prob(mean).tolist() == pytest.approx(expected, abs=1e-6)
    with pytest.raises(ValueError, match="Simplex"):
        torch.distributions.Categorical(p.detach() - chosen, validate_args=True)


@pytest.mark.parametrize("is_sorted", [True, False])
def test_packed_sequences_are_those_of_the_cpu(is_sorted):
    lengths = torch.tensor([5, 4, 4, 1] if is_sorted else [1, 4, 5, 4])
    layer = torch.nn.LSTM(3, 4, batch_first=True, bidirectional=True)
    made = []
    for device in ("cpu", "neuron"):
        x = torch.arange(60.0).reshape(4, 5, 3).cos().to(device).requires_grad_()
        rnn = copy.deepcopy(layer).to(device)
        packed = torch.nn.utils.rnn.pack_padded_sequence(
            x, lengths, batch_first=True, enforce_sorted=is_sorted
        )
        results, (h, _) = rnn(packed)
        padded, counts = torch.nn.utils.rnn.pad_packed_sequence(results, batch_first=True)
        assert counts.tolist() == lengths.tolist()
        (padded.square().sum() + h.sum()).backward()
        made.append([padded.detach().cpu(), x.grad.cpu(), rnn.weight_hh_l0.grad.cpu()])
    for theirs, ours in zip(*made, strict=True):
        torch.testing.assert_close(ours, theirs, rtol=1e-5, atol=1e-5)
    with pytest.raises(RuntimeError, match="decreasing order"):
        torch.nn.utils.rnn.pack_padded_sequence(x, torch.tensor([1, 2, 3, 4]), batch_first=True)


def test_results_that_do_not_fit_are_refused_before_they_are_computed(monkeypatch):
    from trainyard.torch import buffers, programs

    torch.ones(64).to("neuron")  # compiled, so that the limit is all that stops the next one
    kept = torch.ones(32, device="neuron") + 1
    torch.neuron.synchronize()
    before = torch.neuron.memory_allocated()
    monkeypatch.setattr(buffers, "capacity", lambda: before + 300)
    monkeypatch.setattr(programs.Executable, "_launch", None)
    made = [torch.ones(64, device="neuron") for _ in range(2)]
    with pytest.raises(torch.OutOfMemoryError, match="256 bytes by other results") as caught:
        torch.neuron.synchronize()
    assert "128 bytes by 1 x float32[32]" in str(caught.value)
    torch_neuronx.discard()
    del made
    assert torch.neuron.memory_allocated() == before and kept is not None


def test_libraries_find_tensors_that_share_memory_by_its_place():
    """As safetensors and peft ask before they save a model."""
    x = torch.arange(256.0, device="neuron").reshape(16, 16)
    y = torch.arange(3, device="neuron")
    parts = [x, x.detach(), x.T, x[3:], torch.nn.Parameter(x)]
    assert len({each.untyped_storage().data_ptr() for each in parts}) == 1
    assert x[3, 2:].data_ptr() - x.data_ptr() == (3 * 16 + 2) * 4
    ends = sorted((each.data_ptr(), each.data_ptr() + each.nbytes) for each in (x, y, x.clone()))
    assert ends[0][0] > 0 and all(a[1] <= b[0] for a, b in itertools.pairwise(ends))
    assert x.storage().data_ptr() == x.untyped_storage().data_ptr()


def test_an_adapter_is_saved_from_the_device(tmp_path):
    peft = pytest.importorskip("peft")
    model = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.Linear(4, 2)).to("neuron")
    model = peft.get_peft_model(model, peft.LoraConfig(r=2, target_modules=["0", "1"]))
    with torch.no_grad():
        for each in model.parameters():
            each.add_(0.25)
    model.save_pretrained(tmp_path)
    kept = peft.get_peft_model_state_dict(model)
    read = peft.load_peft_weights(str(tmp_path), device="cpu")
    assert read and all(torch.equal(read[name], kept[name].cpu()) for name in read)
