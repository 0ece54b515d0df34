"""Do NKI kernels run on tensors of the device and inside torch.compile, with gradients?"""

import pytest

torch = pytest.importorskip("torch")
import nki  # noqa: E402
import torch_neuronx  # noqa: E402
from nki import isa as nisa  # noqa: E402
from nki import language as nl  # noqa: E402
from torch_neuronx import nki_op  # noqa: E402


@nki.jit
def add_scaled(a, b, scale=1.0):
    out = nl.ndarray(a.shape, dtype=a.dtype, buffer=nl.shared_hbm)
    left = nl.ndarray(a.shape, dtype=a.dtype, buffer=nl.sbuf)
    right = nl.ndarray(a.shape, dtype=a.dtype, buffer=nl.sbuf)
    nisa.dma_copy(dst=left, src=a)
    nisa.dma_copy(dst=right, src=b)
    nisa.tensor_scalar(dst=right, data=right, op0=nl.multiply, operand0=scale)
    nisa.tensor_tensor(dst=left, data1=left, data2=right, op=nl.add)
    nisa.dma_copy(dst=out, src=left)
    return out


@nki_op("trainyard_tests::add_scaled", mutates_args={})
def add_operator(a: torch.Tensor, b: torch.Tensor, scale: float) -> torch.Tensor:
    return add_scaled(a, b, scale=scale)


def _keep_scale(ctx, inputs, output):
    ctx.scale = inputs[2]


def _gradients(ctx, gradient):
    return gradient, gradient * ctx.scale, None


add_operator.register_autograd(_gradients, setup_context=_keep_scale)


class Add(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b):
        return add_scaled(a, b)

    @staticmethod
    def backward(ctx, gradient):
        return gradient, gradient


@pytest.mark.parametrize("device", ["cpu", "neuron"])
@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("call", [add_scaled, add_operator], ids=["kernel", "operator"])
def test_a_kernel_beside_other_operators(call, compiled, device):
    if device == "cpu" and not compiled:
        pytest.skip("tensors of the host without torch.compile are arrays")
    a, b = torch.randn(4, 8), torch.randn(4, 8)

    def function(a, b):
        return call(a * 2, b, 3.0).relu()

    used = torch.compile(function, backend="neuron", fullgraph=True) if compiled else function
    torch.testing.assert_close(used(a.to(device), b.to(device)).cpu(), (a * 2 + 3 * b).relu())


@pytest.mark.parametrize("compiled", [False, True])
def test_gradients_by_register_autograd_and_by_a_function(compiled):
    a, b = torch.randn(4, 8), torch.randn(4, 8)
    for call, slope in ((lambda a, b: add_operator(a, b, 3.0), 3.0), (Add.apply, 1.0)):
        torch._dynamo.reset()
        x, y = a.to("neuron").requires_grad_(), b.to("neuron").requires_grad_()
        (torch.compile(call, backend="neuron") if compiled else call)(x, y).sum().backward()
        assert x.grad.tolist() == [[1.0] * 8] * 4 and y.grad.tolist() == [[slope] * 8] * 4


def test_a_kernel_is_one_operation_of_its_program():
    a = torch.ones(4, 8)
    function = torch.compile(lambda a: add_scaled(a + 1, a), backend="neuron")
    with torch_neuronx.timing() as launches:
        function(a)
    assert len(launches) == 1 and launches[0].seconds > 0


def test_what_a_kernel_cannot_take_is_refused():
    with pytest.raises(Exception, match="int32"):
        add_scaled(torch.arange(8).reshape(1, 8).to("neuron"), torch.ones(1, 8).to("neuron"))


@nki.jit
def append(cache, rows, at):
    """Writes rows into the cache at a place, and returns their sums."""
    tile = nl.ndarray(rows.shape, dtype=rows.dtype, buffer=nl.sbuf)
    total = nl.ndarray((rows.shape[0], 1), dtype=rows.dtype, buffer=nl.sbuf)
    out = nl.ndarray((rows.shape[0], 1), dtype=rows.dtype, buffer=nl.shared_hbm)
    nisa.dma_copy(dst=tile, src=rows)
    nisa.dma_copy(dst=cache[at : at + rows.shape[0], :], src=tile)
    nisa.tensor_reduce(dst=total, data=tile, op=nl.add, axis=1)
    nisa.dma_copy(dst=out, src=total)
    return out


@nki.jit
def double(x):
    """Returns nothing."""
    tile = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.sbuf)
    nisa.dma_copy(dst=tile, src=x)
    nisa.tensor_scalar(dst=tile, data=tile, op0=nl.multiply, operand0=2.0)
    nisa.dma_copy(dst=x, src=tile)


@nki_op("trainyard_tests::append", mutates_args={"cache"})
def append_operator(cache: torch.Tensor, rows: torch.Tensor, at: int) -> torch.Tensor:
    return append(cache, rows, at)


@pytest.mark.parametrize("device", ["cpu", "neuron"])
@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("call", [append, append_operator], ids=["kernel", "operator"])
def test_a_kernel_that_writes_its_argument(call, compiled, device):
    """The argument has the new rows, what was read before keeps the old, and views see it."""
    if device == "cpu" and not compiled:
        pytest.skip("tensors of the host without torch.compile are arrays")
    cache, rows = torch.randn(8, 6), torch.randn(2, 6)
    on_device = cache.to(device).clone()

    def function(cache, rows):
        before = cache + 0
        sums = call(cache, rows * 2, 3)
        return before, sums, cache[4] + 1

    used = torch.compile(function, backend="neuron", fullgraph=True) if compiled else function
    before, sums, row = used(on_device, rows.to(device))
    expected = cache.clone()
    expected[3:5] = rows * 2
    torch.testing.assert_close(on_device.cpu(), expected)
    torch.testing.assert_close(before.cpu(), cache)
    torch.testing.assert_close(sums.cpu(), (rows * 2).sum(1, keepdim=True))
    torch.testing.assert_close(row.cpu(), rows[1] * 2 + 1)


@pytest.mark.parametrize("compiled", [False, True])
def test_a_kernel_that_returns_nothing_writes_a_view(compiled):
    x = torch.ones(3, 4, 8).to("neuron")

    def function(x):
        return double(x[1])

    assert (torch.compile(function, backend="neuron") if compiled else function)(x) is None
    assert x.cpu()[:, 0, 0].tolist() == [1, 2, 1]


def test_a_writing_operator_is_followed_by_gradients_of_others():
    """The cache is written outside of autograd; what is around it has gradients."""
    cache = torch.zeros(4, 8).to("neuron")
    x = torch.ones(2, 8).to("neuron").requires_grad_()
    y = x * 3
    with torch.no_grad():
        append_operator(cache, y.detach(), 1)
    (y.sum() + cache.sum()).backward()
    assert x.grad.tolist() == [[3.0] * 8] * 2 and cache.cpu()[:, 0].tolist() == [0, 3, 3, 0]
