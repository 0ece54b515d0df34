"""Complex numbers as pairs of parts, with their gradients, and Fourier transforms."""

import pytest

torch = pytest.importorskip("torch")
import torch_neuronx  # noqa: E402
from torch import fft  # noqa: E402

COMPILED = pytest.mark.parametrize("compiled", [False, True], ids=["eager", "compiled"])


def made_of(function, given, device, compiled):
    """Result and gradients, on the host."""
    given = [each.detach().clone().to(device).requires_grad_() for each in given]
    used = torch.compile(function, backend="neuron") if compiled and device != "cpu" else function
    result = used(*given)
    parts = torch.view_as_real(result.resolve_conj()) if result.is_complex() else result
    parts.square().sum().backward()
    return [result.detach().cpu(), *(each.grad.cpu() for each in given)]


def check(function, given, compiled):
    ours = made_of(function, given, "neuron", compiled)
    for mine, right in zip(ours, made_of(function, given, "cpu", False), strict=True):
        assert mine.dtype == right.dtype
        torch.testing.assert_close(mine, right, rtol=1e-4, atol=1e-5)


def rotated(x, angles):
    """Rotary positions as Llama's reference has them."""
    turns = torch.polar(torch.ones_like(angles), angles)
    pairs = torch.view_as_complex(x.float().reshape(*x.shape[:-1], -1, 2))
    return torch.view_as_real(pairs * turns[None]).flatten(-2)


@COMPILED
def test_rotary_positions(compiled):
    check(rotated, (torch.randn(2, 5, 8), torch.randn(5, 4)), compiled)


FUNCTIONS = {
    "mul": lambda x, y: x * y,
    "div": lambda x, y: x / y,
    "conj": lambda x, y: x.conj() * y - x.mH.T,
    "mm": lambda x, y: x @ y.mT,
    "abs": lambda x, y: x.abs() + y.angle(),
    "exp": lambda x, y: x.exp() + y * 2.5 - 1j,
    "cat": lambda x, y: torch.cat([x, y])[1:].flip(0),
    "sum": lambda x, y: (x.sum(0) * y).real,
    "where": lambda x, y: torch.where(x.real > 0, x, y + 1),
    "parts": lambda x, y: torch.complex(x.real, y.imag) * x.imag,
    "pow": lambda x, y: x**2 + y.reciprocal(),
    "stack": lambda x, y: torch.stack([x, -y], 1).mean(1).reshape(-1),
}


@COMPILED
@pytest.mark.parametrize("name", FUNCTIONS)
def test_operators(name, compiled):
    draw = torch.Generator().manual_seed(1)
    x, y = torch.randn(2, 3, 4, dtype=torch.complex64, generator=draw)
    check(FUNCTIONS[name], (x, y), compiled)


TRANSFORMS = {
    "fft": lambda x: fft.fft(x),
    "ifft": lambda x: fft.ifft(x).resolve_conj(),
    "rfft": lambda x: fft.rfft(x),
    "fft2": lambda x: fft.fft2(x).real,
    "irfft": lambda x: fft.irfft(fft.rfft(x) * 2, n=x.shape[-1]),
    "irfft2": lambda x: fft.irfft2(fft.rfft2(x, norm="ortho")),
    "shorter": lambda x: fft.irfft(fft.rfft(x), n=10),
    "longer": lambda x: fft.irfft(fft.rfft(x), n=15),
    "shift": lambda x: fft.fftshift(fft.fft(x, norm="ortho")).abs(),
    "stft": lambda x: torch.stft(
        x.reshape(4, -1), 8, 4, window=torch.hann_window(8, device=x.device), return_complex=True
    ).abs(),
}


@COMPILED
@pytest.mark.parametrize("name", TRANSFORMS)
def test_transforms(name, compiled):
    check(TRANSFORMS[name], (torch.randn(3, 4, 12),), compiled)


@pytest.mark.parametrize("size", [1, 7, 360, 521, 2048])
def test_transforms_of_many_sizes(size):
    """Small and prime ones by one matrix, others by factors."""
    x = torch.randn(2, size)
    ours, right = fft.fft(x.to("neuron")).cpu(), fft.fft(x.double())
    assert float((ours - right).abs().max() / right.abs().max()) < 1e-6


def test_they_move_between_host_and_device_and_are_written_in_place():
    x = torch.randn(3, 4, dtype=torch.complex64)
    device = x.to("neuron")
    assert torch.equal(device.cpu(), x) and str(x[0, 0].item())[:5] in repr(device[0, 0])
    assert torch.neuron.memory_allocated() >= 8 * 12
    device *= 1j
    device[0] = 0
    right = x * 1j
    right[0] = 0
    assert torch.equal(device.cpu(), right)


def test_what_complex_numbers_have_not_is_refused():
    x = torch.ones(2, dtype=torch.complex64).to("neuron")
    with pytest.raises(torch_neuronx.TorchError, match="of complex numbers"):
        torch.tanh(x).cpu()
    torch_neuronx.discard()
    with pytest.raises(Exception, match="complex128"):
        torch.ones(2, dtype=torch.complex128).to("neuron")
