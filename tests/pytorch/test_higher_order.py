"""Operators that run functions: attention by functions of scores, branches, loops."""

import pytest

torch = pytest.importorskip("torch")
import torch_neuronx  # noqa: E402, F401
from torch.nn.attention.flex_attention import (  # noqa: E402
    create_block_mask,
    flex_attention,
)


def _causal(batch, head, query, key):
    return query >= key


def _window(batch, head, query, key):
    return (query >= key) & (query - key < 5)


def _soft(score, batch, head, query, key):
    return 20 * torch.tanh(score / 20)


def _sloped(slopes):
    return lambda score, batch, head, query, key: score + slopes[head] * (key - query)


def _in_documents(documents):
    return lambda batch, head, query, key: documents[query] == documents[key]


def _attended(q, k, v, score, mask):
    """The definition, on the CPU."""
    k, v = (x.repeat_interleave(q.shape[1] // x.shape[1], 1) for x in (k, v))
    made = q @ k.mT / q.shape[-1] ** 0.5
    places = [
        torch.arange(n).view([-1 if i == dim else 1 for i in range(4)])
        for dim, n in enumerate(made.shape)
    ]
    made = score(made, *places) if score else made
    made = torch.where(mask(*places), made, -torch.inf) if mask else made
    return made.softmax(-1) @ v


SLOPES, DOCUMENTS = torch.tensor([0.5, 0.25, 0.1, 0.0]), torch.tensor([0] * 5 + [1] * 11)
FORMS = {  # functions of scores and of masks, by device; heads of keys
    "plain": (None, None, 4),
    "causal": (None, lambda device: _causal, 4),
    "window and a soft cap": (lambda device: _soft, lambda device: _window, 4),
    "slopes of heads, heads shared": (
        lambda device: _sloped(SLOPES.to(device)),
        lambda device: _causal,
        2,
    ),
    "documents": (None, lambda device: _in_documents(DOCUMENTS.to(device)), 4),
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("compiled", [False, True], ids=["eager", "compiled"])
@pytest.mark.parametrize("name", FORMS)
def test_flex_attention_and_its_gradients(name, compiled):
    score, mask, heads = FORMS[name]
    sizes = [(2, 4, 16, 8), (2, heads, 16, 8), (2, heads, 16, 8)]
    given = [torch.randn(size) for size in sizes]
    made = []
    for device in ("neuron", "cpu"):
        inputs = [x.to(device).detach().requires_grad_() for x in given]
        scored, masked = (each(device) if each else None for each in (score, mask))
        if device == "cpu":
            result = _attended(*inputs, scored, masked)
        else:
            used = torch.compile(flex_attention, backend="neuron") if compiled else flex_attention
            blocks = masked and create_block_mask(masked, None, None, 16, 16, device=device)
            result = used(*inputs, score_mod=scored, block_mask=blocks, enable_gqa=True)
        result.sin().sum().backward()
        made.append([result.detach().cpu(), *(x.grad.cpu() for x in inputs)])
    torch.testing.assert_close(*made, rtol=1e-4, atol=1e-5)


def _branch(x, limit):
    return torch.cond(x.sum() > limit, lambda x: x.sin() @ x, lambda x: x * 2 + limit, (x,))


@pytest.mark.parametrize("compiled", [False, True], ids=["eager", "compiled"])
@pytest.mark.parametrize("limit", [-100.0, 100.0])
def test_branches(limit, compiled):
    x, limit = torch.randn(4, 4), torch.tensor(limit)
    used = torch.compile(_branch, backend="neuron") if compiled else _branch
    made = used(x.to("neuron"), limit.to("neuron"))
    torch.testing.assert_close(made.cpu(), _branch(x, limit), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("compiled", [False, True], ids=["eager", "compiled"])
def test_gradients_of_branches(compiled):
    made = []
    for device in ("neuron", "cpu"):
        torch._dynamo.reset()
        x = torch.arange(9.0).reshape(3, 3).to(device).requires_grad_()
        is_ours = compiled and device == "neuron"
        used = torch.compile(_branch, backend="neuron") if is_ours else _branch
        used(x, torch.tensor(3.0, device=device)).square().sum().backward()
        made.append(x.grad.cpu())
    torch.testing.assert_close(*made, rtol=1e-4, atol=1e-4)


def _root(x):
    """Newton's iteration until it stands still: how often depends on the numbers."""
    from torch._higher_order_ops.while_loop import while_loop

    def goes_on(turn, y, before):
        return (turn < 50) & ((y - before).abs().max() > 1e-6)

    def step(turn, y, before):
        return turn + 1, (y + x / y) / 2, y.clone()

    turn = torch.zeros((), dtype=torch.int64, device=x.device)
    return while_loop(goes_on, step, (turn, (x + 1) / 2, -x))


@pytest.mark.parametrize("compiled", [False, True], ids=["eager", "compiled"])
def test_loops_until_numbers_say_so(compiled):
    x = torch.tensor([2.0, 9.0, 1e4])
    used = torch.compile(_root, backend="neuron") if compiled else _root
    turns, root, _ = used(x.to("neuron"))
    assert 5 < turns.item() < 50 and turns.dtype == torch.int64
    torch.testing.assert_close(root.cpu(), x.sqrt(), rtol=1e-6, atol=0)


def test_loops_and_branches_of_sizes_that_change():
    """They are compiled for each size, as nothing says what padding does in them."""
    invert = torch.compile(lambda x: torch.linalg.inv(x) * 2, backend="neuron")
    branch = torch.compile(_branch, backend="neuron")
    for size in (2, 3, 5):
        x, limit = torch.randn(size, 4, 4) + 3 * torch.eye(4), torch.tensor(1.0)
        ours, theirs = x.to("neuron").requires_grad_(), x.clone().requires_grad_()
        made, wanted = invert(ours), torch.linalg.inv(theirs) * 2
        made.sum().backward()
        wanted.sum().backward()
        torch.testing.assert_close(made.detach().cpu(), wanted.detach(), rtol=1e-4, atol=1e-4)
        torch.testing.assert_close(ours.grad.cpu(), theirs.grad, rtol=1e-3, atol=1e-3)
        square = torch.randn(size, size)
        made = branch(square.to("neuron"), limit.to("neuron"))
        torch.testing.assert_close(made.cpu(), _branch(square, limit), rtol=1e-4, atol=1e-4)
