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
    with pytest.raises(TypeError, match="mutates_args"):
        nki_op("trainyard_tests::writes", mutates_args={"a"})
