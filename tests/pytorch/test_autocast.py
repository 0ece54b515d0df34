"""Does torch.autocast("neuron") give the types that a script has on CUDA?"""

import pytest

torch = pytest.importorskip("torch")
import torch_neuronx  # noqa: E402, F401
from torch import nn  # noqa: E402
from torch.nn import functional as F  # noqa: E402


def train(device, compiled):
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(16, 32), nn.LayerNorm(32), nn.GELU(), nn.Linear(32, 4))
    model = model.to(device)
    used = torch.compile(model, backend="neuron") if compiled else model
    x, y = torch.randn(8, 16).to(device), (torch.arange(8) % 4).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    losses = []
    for _ in range(3):
        optimizer.zero_grad()
        with torch.autocast(device, dtype=torch.bfloat16):
            made = used(x)
            loss = F.cross_entropy(made, y)
        assert made.dtype == torch.bfloat16 and loss.dtype == torch.float32
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert model[0].weight.grad.dtype == torch.float32
    return losses


@pytest.mark.parametrize("compiled", [False, True])
def test_training_in_mixed_precision_is_near_the_cpus(compiled):
    assert train("neuron", compiled) == pytest.approx(train("cpu", False), abs=2e-2)


def test_types_of_results():
    x = torch.rand(4, 4).to("neuron")
    half = x.bfloat16()
    with torch.autocast("neuron"):  # bfloat16, as on the chip
        assert (x @ x).dtype == torch.bfloat16
        assert F.scaled_dot_product_attention(x[None], x[None], x[None]).dtype == torch.bfloat16
        assert half.softmax(1).dtype == torch.float32
        assert half.softmax(1, dtype=torch.bfloat16).dtype == torch.bfloat16
        assert half.exp().dtype == torch.float32
        assert torch.cat([x, half]).dtype == torch.float32
        assert (half + half).dtype == torch.bfloat16
        assert (x.double() @ x.double()).dtype == torch.float64
        with torch.autocast("neuron", enabled=False):
            assert (x @ x).dtype == torch.float32
        with pytest.raises(RuntimeError, match="unsafe to autocast"):
            F.binary_cross_entropy(x, x)
    assert (x @ x).dtype == torch.float32


def test_gradients_are_scaled_and_a_step_with_infinity_is_left_out():
    weight = torch.ones(3, device="neuron", requires_grad=True)
    optimizer = torch.optim.SGD([weight], lr=0.1)
    scaler = torch.amp.GradScaler("neuron", init_scale=8.0, growth_interval=1)
    for factor, expected in ((1.0, 0.9), (float("inf"), 0.9)):
        optimizer.zero_grad()
        scaler.scale((weight * factor).sum()).backward()
        scaler.step(optimizer)
        scaler.update()
        assert weight.tolist() == pytest.approx([expected] * 3)
    assert scaler.get_scale() == 8.0  # twice as much, then half
