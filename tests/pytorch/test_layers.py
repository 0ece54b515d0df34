"""Layers and functions of PyTorch that have ways of their own on other devices."""

import copy

import pytest

torch = pytest.importorskip("torch")
import torch_neuronx  # noqa: E402, F401
from torch import nn  # noqa: E402

PAD = torch.tensor([[False] * 5, [False] * 3 + [True] * 2])
CAUSAL = nn.Transformer.generate_square_subsequent_mask(5)
MASKS = {
    "none": {},
    "padding": {"src_key_padding_mask": PAD},
    "causal": {"mask": CAUSAL, "is_causal": True},
    "both": {"mask": CAUSAL, "src_key_padding_mask": torch.zeros(2, 5).masked_fill(PAD, -1e30)},
}


@pytest.mark.parametrize("name", MASKS)
def test_an_encoder_that_does_not_train(name):
    """PyTorch's fused layer and its nested tensors are for other devices."""
    layer = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True, activation="gelu")
    theirs = nn.TransformerEncoder(layer, 2).eval()
    ours = copy.deepcopy(theirs).to("neuron")
    x = torch.randn(2, 5, 8)
    given = {k: v.to("neuron") if torch.is_tensor(v) else v for k, v in MASKS[name].items()}
    with torch.no_grad():
        made, right = ours(x.to("neuron"), **given).cpu(), theirs(x, **MASKS[name])
    torch.testing.assert_close(made[~PAD], right[~PAD], rtol=1e-5, atol=1e-5)


def test_attention_that_does_not_train():
    theirs = nn.MultiheadAttention(8, 2, batch_first=True).eval()
    ours, x = copy.deepcopy(theirs).to("neuron"), torch.randn(2, 5, 8)
    with torch.no_grad():
        made, right = ours(*[x.to("neuron")] * 3), theirs(x, x, x)
    for mine, other in zip(made, right, strict=True):
        torch.testing.assert_close(mine.cpu(), other, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("dim", [0, 1, 2])
def test_a_normed_weight_and_its_gradient(dim):
    theirs = nn.utils.parametrizations.weight_norm(nn.Conv1d(3, 4, 2), dim=dim)
    ours, x = copy.deepcopy(theirs).to("neuron"), torch.randn(2, 3, 6)
    for model, given in ((ours, x.to("neuron")), (theirs, x)):
        model(given).square().sum().backward()
    for mine, right in zip(ours.parameters(), theirs.parameters(), strict=True):
        torch.testing.assert_close(mine.grad.cpu(), right.grad, rtol=1e-4, atol=1e-5)


def test_a_tensor_of_lists_of_tensors():
    x = torch.arange(4.0).to("neuron")
    assert torch.tensor([x[0], x[2]]).tolist() == [0, 2]
    assert torch.tensor([[x[0], 5], [x[3], 7]], device="neuron").tolist() == [[0, 5], [3, 7]]
    assert torch.tensor([x, x + 1]).tolist() == [[0, 1, 2, 3], [1, 2, 3, 4]]


def test_numbers_of_a_dirichlet_distribution_are_parts_of_one():
    x = torch.distributions.Dirichlet(torch.full((8, 3), 2.0, device="neuron")).sample().cpu()
    torch.testing.assert_close(x.sum(1), torch.ones(8))
    assert x.unique().numel() > 20 and float(x.min()) > 0


@pytest.mark.parametrize("shape", [0.5, 1.0, 3.0])
def test_numbers_of_a_gamma_distribution_have_its_mean_and_variance(shape):
    x = torch.distributions.Gamma(torch.full((4096,), shape, device="neuron"), 2.0).sample().cpu()
    assert float(x.mean()) == pytest.approx(shape / 2, rel=0.1)
    assert float(x.var()) == pytest.approx(shape / 4, rel=0.2)
    assert float(x.min()) > 0
