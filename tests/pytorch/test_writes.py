"""What compiled graphs read and write by places of memory and by masks, and how errors of backward
passes end."""

import pytest

torch = pytest.importorskip("torch")
import torch_neuronx  # noqa: E402, F401


def results(function, *given, device="cpu"):
    """What it gives, and the gradients of its arguments."""
    compiled = torch.compile(function, backend="neuron", fullgraph=True)
    used = function if device == "cpu" else compiled
    leaves = [x.to(device).detach() for x in given]
    for each in leaves:
        each.requires_grad_(each.is_floating_point())
    made = used(*leaves)
    made.pow(2).sum().backward()
    return [x.detach().cpu() for x in (made, *(x.grad for x in leaves if x.grad is not None))]


def assert_same(function, *given):
    want = results(function, *given)
    for ours, right in zip(results(function, *given, device="neuron"), want, strict=True):
        torch.testing.assert_close(ours, right)


def turned(x):
    """The same numbers, in another order in memory."""
    return x.transpose(0, 1).contiguous().transpose(0, 1)


READS = {
    "windows": lambda x: turned(x).as_strided((6, 3, 8), (8, 24, 1)) + 1,
    "of_a_part": lambda x: (x * 2)[2:].as_strided((3,), (1,), 5) + 1,
    "over_gaps": lambda x: (x * 2)[:, ::2].as_strided((3, 5), (20, 1)) + 1,
}


@pytest.mark.parametrize("name", READS)
def test_places_are_those_of_memory(name):
    assert_same(READS[name], torch.randn(6, 4, 8))


def test_places_of_an_argument_are_those_of_its_memory():
    assert_same(lambda x: x.as_strided((3, 4), (2, 7), 1) + 1, turned(torch.randn(6, 4, 8)))


def test_places_are_written_in_memory():
    x, rows = turned(torch.randn(6, 4)), torch.ones(3, 3)
    want = torch.as_strided_scatter(x, rows, (3, 3), (1, 7), 2)
    compiled = torch.compile(torch.as_strided_scatter, backend="neuron", fullgraph=True)
    made = compiled(x.to("neuron"), rows.to("neuron"), (3, 3), (1, 7), 2)
    assert torch.equal(made.cpu(), want)


def test_places_of_memory_whose_sizes_change():
    def windows(x):
        return turned(x).as_strided((len(x), 3, 8), (8, 8 * len(x), 1)) + 1

    compiled = torch.compile(windows, backend="neuron")
    for rows in (6, 7, 9):
        x = torch.randn(rows, 4, 8)
        torch.testing.assert_close(compiled(x.to("neuron")).cpu(), windows(x))


def test_memory_of_others_is_refused():
    x = torch.randn(8, 4).to("neuron")[:, ::2]
    with pytest.raises(Exception, match="as_strided is of a tensor's own memory"):
        torch.compile(lambda x: x.as_strided((3,), (1,)) + 1, backend="neuron")(x)


MASK = torch.tensor([[True, False, True], [False, True, True]])


def write(x, mask, rows):
    h = x * 2
    h[mask] = rows
    return h.cos()


@pytest.mark.parametrize("shape", [(4,), (1, 4), (4, 4), (4, 1), ()])
def test_rows_where_a_mask_marks_break_no_graph(shape):
    assert_same(write, torch.randn(2, 3, 4), MASK, torch.randn(shape))


def test_rows_of_another_number_than_the_mask_marks_are_an_error():
    given = [x.to("neuron") for x in (torch.randn(2, 3, 4), MASK, torch.randn(5, 4))]
    with pytest.raises(RuntimeError, match="shape mismatch: 5 rows"):
        torch.compile(write, backend="neuron")(*given).sum().item()


def fail(_):
    raise ValueError("of a hook")


def test_an_exception_in_a_backward_pass_is_raised():
    x = torch.ones(3, device="neuron").requires_grad_()
    y = x * 2
    y.register_hook(fail)
    with pytest.raises(ValueError, match="of a hook"):
        y.sum().backward()
    (x * 2).sum().backward()  # the next one is as before
    assert x.grad.tolist() == [2.0, 2.0, 2.0]
