"""A diffusion model in PyTorch makes a picture of noise on one simulated Trainium3 core.

  build/torch/venv/bin/python examples/torch_diffusion.py

A UNet of small random weights (no package ships trained ones), so the picture is none of anything,
but it must be the CPU's. DDIM's steps are compiled once and run for each step; the picture stays in
simulated HBM between them.
"""

from __future__ import annotations

import argparse
import math

import torch
import torch_neuronx
from torch import nn
from torch.nn import functional as F


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--side", type=int, default=16, help="of the picture (16)")
    parser.add_argument("--steps", type=int, default=6, help="of DDIM (6)")
    parser.add_argument("--width", type=int, default=16, help="channels (16)")
    return parser.parse_args()


class Residual(nn.Module):
    """Two convolutions that are told the time."""

    def __init__(self, inputs: int, outputs: int, time: int) -> None:
        super().__init__()
        self.norms = nn.ModuleList([nn.GroupNorm(4, inputs), nn.GroupNorm(4, outputs)])
        self.first = nn.Conv2d(inputs, outputs, 3, padding=1)
        self.second = nn.Conv2d(outputs, outputs, 3, padding=1)
        self.time = nn.Linear(time, outputs)
        self.skip = nn.Conv2d(inputs, outputs, 1)

    def forward(self, x, time):
        hidden = self.first(F.silu(self.norms[0](x))) + self.time(time)[:, :, None, None]
        return self.skip(x) + self.second(F.silu(self.norms[1](hidden)))


class UNet(nn.Module):
    """Down, attention, and up again beside what was there before."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.width = width
        self.time = nn.Sequential(nn.Linear(width, width), nn.SiLU())
        self.enter = nn.Conv2d(3, width, 3, padding=1)
        self.before = Residual(width, width, width)
        self.down = nn.Conv2d(width, 2 * width, 3, 2, 1)
        self.attention = nn.MultiheadAttention(2 * width, 4, batch_first=True)
        self.middle = Residual(2 * width, 2 * width, width)
        self.up = nn.ConvTranspose2d(2 * width, width, 4, 2, 1)
        self.after = Residual(2 * width, width, width)
        self.leave = nn.Conv2d(width, 3, 3, padding=1)

    def forward(self, x, step):
        half = self.width // 2
        rates = torch.exp(-math.log(1e4) * torch.arange(half, device=x.device) / half)
        angles = step[:, None] * rates
        time = self.time(torch.cat([angles.sin(), angles.cos()], 1))
        high = self.before(self.enter(x), time)
        low = self.down(high)
        tokens = low.flatten(2).transpose(1, 2)
        mixed = self.attention(tokens, tokens, tokens, need_weights=False)[0]
        low = self.middle(low + mixed.transpose(1, 2).reshape(low.shape), time)
        return self.leave(self.after(torch.cat([high, self.up(low)], 1), time))


def denoise(model, x, step, now, later):
    """One step of DDIM; `now`, `later`: how much of the picture is there, before and after it."""
    noise = model(x, step)
    picture = (x - (1 - now).sqrt() * noise) / now.sqrt()
    return later.sqrt() * picture + (1 - later).sqrt() * noise


def sample(step_function, model, x, steps: int):
    kept = torch.linspace(0.05, 0.999, steps + 1, device=x.device)
    with torch.no_grad():
        for i in range(steps):
            time = torch.full((x.shape[0],), 1000.0 * (steps - i) / steps, device=x.device)
            x = step_function(model, x, time, kept[i], kept[i + 1])
    return x


def main() -> int:
    arguments = parse()
    torch.manual_seed(0)
    model = UNet(arguments.width).eval()
    noise = torch.randn(1, 3, arguments.side, arguments.side)
    expected = sample(denoise, model, noise, arguments.steps)
    model = model.to("neuron")
    step = torch.compile(denoise, backend="neuron")  # the line
    with torch_neuronx.timing() as launches:
        made = sample(step, model, noise.to("neuron"), arguments.steps).cpu()
    worst = float((made - expected).abs().max() / expected.abs().max())
    seconds = sum(each.seconds for each in launches)
    joules = sum(each.joules[1] for each in launches)
    print(
        f"{arguments.steps} steps of {arguments.side} x {arguments.side}, random weights: "
        f"{seconds * 1e6:.0f} us simulated, {joules * 1e3:.1f} mJ; at most {worst:.1e} of the "
        "largest number from float32 on the CPU"
    )
    return 0 if worst < 1e-3 else 1


if __name__ == "__main__":
    raise SystemExit(main())
