"""Is the CTC loss the CPU's, with its gradients?"""

import pytest

torch = pytest.importorskip("torch")
import torch_neuronx  # noqa: E402, F401
from torch.nn import functional as F  # noqa: E402

TARGETS = torch.tensor([[1, 2, 2, 3], [4, 0, 0, 0], [3, 1, 0, 0]])
LENGTHS = torch.tensor([4, 1, 2])
TIMES = torch.tensor([9, 6, 7])
ROWS = torch.cat([row[:length] for row, length in zip(TARGETS, LENGTHS, strict=True)])
# Two equal labels need a blank between them: the first row has too few times for its four.
SHORT = torch.tensor([4, 6, 7])

CASES = {
    "mean": lambda x, to: F.ctc_loss(x, to(TARGETS), to(TIMES), to(LENGTHS)),
    "sum, one behind the other": lambda x, to: F.ctc_loss(
        x, to(ROWS), tuple(TIMES.tolist()), tuple(LENGTHS.tolist()), reduction="sum"
    ),
    "each": lambda x, to: F.ctc_loss(x, to(TARGETS), TIMES, LENGTHS, reduction="none").cos().sum(),
    "another blank": lambda x, to: F.ctc_loss(
        x, to(TARGETS.clamp(min=1) - 1), to(TIMES), to(LENGTHS), blank=5
    ),
    "what cannot be": lambda x, to: F.ctc_loss(
        x, to(TARGETS), to(SHORT), to(LENGTHS), zero_infinity=True
    ),
    "no target": lambda x, to: F.ctc_loss(x, to(TARGETS), to(TIMES), to(torch.tensor([4, 0, 2]))),
    "one row": lambda x, to: F.ctc_loss(
        x[:, 0], to(TARGETS[0]), to(TIMES[:1]).reshape(()), to(LENGTHS[:1]).reshape(())
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_the_loss_and_its_gradients_are_those_of_the_cpu(name):
    given = torch.randn(9, 3, 6)
    made = []
    for device in ("cpu", "neuron"):
        x = given.to(device, copy=True).requires_grad_()
        loss = CASES[name](F.log_softmax(x, 2), lambda t, device=device: t.to(device))
        loss.backward()
        made += [loss.detach().cpu(), x.grad.cpu()]
    torch.testing.assert_close(made[2], made[0], rtol=1e-5, atol=1e-5)
    torch.testing.assert_close(made[3], made[1], rtol=1e-4, atol=1e-5)


def test_what_cannot_be_is_infinitely_unlikely():
    x = torch.zeros(9, 3, 6).to("neuron")
    loss = F.ctc_loss(x, TARGETS.to("neuron"), SHORT, LENGTHS, reduction="none")
    assert torch.isinf(loss.cpu()).tolist() == [True, False, False]


@pytest.mark.parametrize("reduction", ["mean", "none"])
def test_the_gradient_of_what_no_softmax_made_is_that_of_the_cpu(reduction):
    """PyTorch's is not the derivative of its function there, but what a softmax before it takes."""
    given = torch.randn(9, 3, 6)
    made = []
    for device in ("cpu", "neuron"):
        x = given.to(device, copy=True).requires_grad_()
        loss = F.ctc_loss(x, TARGETS.to(device), TIMES, LENGTHS, reduction=reduction)
        loss.sum().backward()
        made += [loss.detach().cpu(), x.grad.cpu()]
    torch.testing.assert_close(made[2], made[0], rtol=1e-5, atol=1e-5)
    torch.testing.assert_close(made[3], made[1], rtol=1e-4, atol=1e-5)
