"""Programs in forms that PyTorch's users know, beside the CPU, in eager mode and compiled."""

import os
import subprocess
import sys

import pytest

torch = pytest.importorskip("torch")
import torch_neuronx  # noqa: E402
from torch import nn  # noqa: E402

BOTH = pytest.mark.parametrize("compiled", [False, True], ids=["eager", "compiled"])


def beside_the_cpu(run, compiled, tolerance=1e-4):
    """run(device, wrap) gives numbers."""

    def wrap(function):
        return torch.compile(function, backend="neuron")

    ours = run("neuron", wrap if compiled else lambda x: x)
    theirs = run("cpu", lambda x: x)
    assert ours == pytest.approx(theirs, rel=tolerance, abs=1e-5)


def drawn(*shape, seed=0):
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed))


def steps(model, given, wrap, count=3):
    """Losses of training steps."""
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    used, losses = wrap(model), []
    for _ in range(count):
        optimizer.zero_grad()
        loss = used(*given).square().mean()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


@BOTH
def test_transformations_of_functions(compiled):
    """torch.func: gradients of each sample, Hessians, forward mode, ensembles."""
    from torch.func import functional_call, grad, hessian, jacrev, jvp, stack_module_state, vmap

    def run(device, wrap):
        torch.manual_seed(0)
        model = nn.Sequential(nn.Linear(3, 5), nn.Tanh(), nn.Linear(5, 2)).to(device)
        x, y = drawn(6, 3).to(device), drawn(6, 2, seed=1).to(device)

        def loss(p, x, y):
            return (functional_call(model, p, (x,)) - y).square().mean()

        each = wrap(vmap(grad(loss), in_dims=(None, 0, 0)))
        found = each({name: p.detach() for name, p in model.named_parameters()}, x, y)
        numbers = [g.square().sum() for g in found.values()]
        numbers.append(hessian(lambda x: (x.sin() * x.cumsum(0)).sum())(x[0]).sum())
        numbers.append(jacrev(model)(x[0]).square().sum())
        numbers.append(jvp(model, (x,), (torch.ones_like(x),))[1].square().sum())
        layers = [nn.Linear(3, 2).to(device) for _ in range(3)]
        parameters, _ = stack_module_state(layers)
        ensemble = vmap(lambda p, x: functional_call(layers[0], p, (x,)), in_dims=(0, None))
        numbers.append(ensemble(parameters, x).square().sum())
        return [each.item() for each in numbers]

    beside_the_cpu(run, compiled)


@BOTH
def test_data_parallel_of_one_process(compiled):
    def run(device, wrap):
        os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT="0")
        store = torch.distributed.HashStore()
        torch.distributed.init_process_group("gloo", rank=0, world_size=1, store=store)
        try:
            torch.manual_seed(0)
            model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2)).to(device)
            parallel = nn.parallel.DistributedDataParallel(model)
            losses = steps(parallel, [drawn(5, 4).to(device)], wrap)
            total = torch.ones(3, device=device)
            torch.distributed.all_reduce(total)
            parts = [torch.zeros_like(total)]
            torch.distributed.all_gather(parts, total * 2)
            return [*losses, *total.tolist(), *parts[0].tolist()]
        finally:
            torch.distributed.destroy_process_group()

    beside_the_cpu(run, compiled)


@torch.library.custom_op("trainyard_test::gated", mutates_args=())
def gated(x: torch.Tensor, scale: float) -> torch.Tensor:
    return x * torch.sigmoid(scale * x)


@gated.register_fake
def _(x, scale):
    return torch.empty_like(x)


def _gated_backward(ctx, gradient):
    (x,) = ctx.saved_tensors
    share = torch.sigmoid(ctx.scale * x)
    return gradient * share * (1 + ctx.scale * x * (1 - share)), None


def _keep(ctx, inputs, output):
    ctx.save_for_backward(inputs[0])
    ctx.scale = inputs[1]


gated.register_autograd(_gated_backward, setup_context=_keep)


@BOTH
def test_operators_that_python_functions_make(compiled):
    def run(device, wrap):
        x = drawn(4, 3).to(device).requires_grad_()
        loss = wrap(lambda x: gated(x, 1.5).sum())(x)
        loss.backward()
        return [loss.item(), *x.grad.reshape(-1).tolist()]

    beside_the_cpu(run, compiled)


@BOTH
@pytest.mark.parametrize("mode", ["sum", "mean", "max"])
def test_gradients_of_bags(mode, compiled):
    class Bags(nn.Module):
        def __init__(self):
            super().__init__()
            self.table = nn.EmbeddingBag(10, 4, mode=mode, padding_idx=1)
            self.weights = nn.Parameter(torch.rand(9)) if mode == "sum" else None

        def forward(self, places, offsets):
            return self.table(places, offsets, per_sample_weights=self.weights)

    def run(device, wrap):
        torch.manual_seed(0)
        model = Bags().to(device)
        places = torch.tensor([1, 2, 2, 9, 0, 4, 1, 7, 2])
        given = places.to(device), torch.tensor([0, 3, 5], device=device)
        losses = steps(model, given, wrap)
        return [*losses, *(x for p in model.parameters() for x in p.detach().reshape(-1).tolist())]

    beside_the_cpu(run, compiled)


@BOTH
def test_sizes_and_numbers_that_change_across_graph_breaks(compiled):
    """A backward pass knows fewer sizes than its forward pass."""

    def halved(x):
        y = (x * 1.5).square()
        y = y * 2 if y.sum() > 3 else y - 1
        count = 0
        while y.abs().max() > 1:
            y = y / 2
            count += 1
        return y.sum() + count

    def run(device, wrap):
        used, numbers = wrap(halved), []
        for batch in (2, 3, 5):
            x = drawn(batch, 3, seed=batch).to(device).requires_grad_()
            loss = used(x)
            loss.backward()
            numbers += [loss.item(), x.grad.sum().item()]
        return numbers

    beside_the_cpu(run, compiled)


@pytest.mark.parametrize("limit", [0.1, 0.3, 0.6])
@pytest.mark.parametrize("count", [1, 8, 60])
def test_boxes_that_better_ones_hide(count, limit):
    ops = pytest.importorskip("torchvision.ops")
    boxes = torch.rand(count, 4) * 10
    boxes[:, 2:] += boxes[:, :2]
    scores = torch.rand(count)
    kept = ops.nms(boxes.to("neuron"), scores.to("neuron"), limit)
    assert kept.tolist() == ops.nms(boxes, scores, limit).tolist()


@BOTH
@pytest.mark.parametrize("ratio", [2, -1])
def test_regions_of_pictures(ratio, compiled):
    ops = pytest.importorskip("torchvision.ops")
    boxes = torch.tensor([[0, 1.0, 1, 5, 6], [1, 0.5, 2, 7, 7.5], [0, 2, 2, 3, 3]])

    def run(device, wrap):
        x = drawn(2, 3, 8, 8).to(device).requires_grad_()

        def take(x, boxes):
            return ops.roi_align(x, boxes, (2, 2), sampling_ratio=ratio, aligned=True)

        made = wrap(take)(x, boxes.to(device))
        made.sin().sum().backward()
        return [*made.detach().reshape(-1).tolist(), *x.grad.reshape(-1).tolist()]

    beside_the_cpu(run, compiled)


def test_a_module_that_somebody_looked_for_before_is_told_when_it_is_imported():
    """As transformers looks for torchvision."""
    pytest.importorskip("torchvision")
    script = """
import importlib.util, sys, torch, torch_neuronx
finders = len(sys.meta_path)
assert importlib.util.find_spec("torchvision") and "torchvision" not in sys.modules
from torchvision.ops import roi_align
assert len(sys.meta_path) < finders
x, boxes = torch.ones(1, 1, 4, 4), torch.tensor([[0.0, 1, 1, 3, 3]])
print(roi_align(x.to("neuron"), boxes.to("neuron"), (1, 1)).tolist())
"""
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert run.stdout == "[[[[1.0]]]]\n", run.stderr


def test_collectives_of_more_processes_are_refused(monkeypatch):
    from trainyard.torch import collectives

    class Group:
        def size(self):
            return 2

    monkeypatch.setattr(torch.distributed.ProcessGroup, "unbox", lambda each: Group())
    monkeypatch.setattr(collectives.torch, "ScriptObject", Group)
    with pytest.raises(torch_neuronx.TorchError, match="one process"):
        collectives._refuse_others("c10d.allreduce_", [Group()])


@pytest.mark.parametrize("rate", [0.0, 0.5, 9.9, 10.0, 50.0, 1e4])
def test_poisson_counts(rate):
    made = torch.poisson(torch.full((2000,), rate, device="neuron")).cpu()
    assert bool(((made == made.floor()) & (made >= 0)).all())
    assert abs(made.mean().item() - rate) <= 4 * (rate / 2000) ** 0.5
    assert made.var().item() == pytest.approx(rate, rel=0.15)


@pytest.mark.parametrize("n, p", [(10, 0.3), (1, 0.7), (100, 0.05), (1000, 0.9), (50, 1.0)])
def test_binomial_counts(n, p):
    given = (torch.full((2000,), value, device="neuron") for value in (float(n), p))
    made = torch.binomial(*given).cpu()
    assert bool(((made == made.floor()) & (made >= 0) & (made <= n)).all())
    assert abs(made.mean().item() - n * p) <= 4 * (n * p * (1 - p) / 2000) ** 0.5
    assert made.var().item() == pytest.approx(n * p * (1 - p), rel=0.15)
