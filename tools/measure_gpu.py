"""Measures an NVIDIA GPU: products by format, memory rate, attention, and a decoder layer.

  python tools/measure_gpu.py [--output tests/fidelity/gpu_rows.toml] [--dry-run MACHINE]

Needs PyTorch with CUDA, which is not among Trainyard's own requirements. Writes rows that `make
fidelity` sets beside the analytic model. Without a GPU it says so and writes nothing.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import statistics
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
MACHINES = {
    "H100": "h100",
    "H200": "h200",
    "B200": "b200",
    "GB200": "gb200-nvl72",
    "GB300": "gb300-nvl72",
}
WARM_UP, REPEATS = 5, 20
# Llama 3 8B: what a decoder layer is measured with.
HIDDEN, HEADS, KV_HEADS, HEAD, INNER, TOKENS = 4096, 32, 8, 128, 14336, 4096


def seconds(torch: Any, run: Callable[[], Any]) -> float:
    """The median time of a call on the GPU, by its own events."""
    for _ in range(WARM_UP):
        run()
    times = []
    for _ in range(REPEATS):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        run()
        end.record()
        torch.cuda.synchronize()
        times.append(begin.elapsed_time(end) * 1e-3)
    return statistics.median(times)


def gemm(torch: Any, size: int = 8192) -> dict[str, float]:
    """TFLOPS of a square product by format; formats that the GPU lacks are left out."""
    flops = 2 * size**3 / 1e12
    found = {}
    for name, dtype in (("bf16", torch.bfloat16), ("fp32", torch.float32)):
        torch.backends.cuda.matmul.allow_tf32 = True
        a, b = (torch.randn(size, size, device="cuda", dtype=dtype) for _ in range(2))
        found[name] = flops / seconds(torch, lambda a=a, b=b: a @ b)
    if torch.cuda.get_device_capability() >= (8, 9):
        one = torch.ones((), device="cuda")
        a = torch.randn(size, size, device="cuda").to(torch.float8_e4m3fn)
        b = torch.randn(size, size, device="cuda").to(torch.float8_e4m3fn).t()
        found["fp8"] = flops / seconds(
            torch,
            lambda: torch._scaled_mm(a, b, scale_a=one, scale_b=one, out_dtype=torch.bfloat16),
        )
    return found


def memory(torch: Any) -> float:
    """GB/s of a copy of 4 GiB, read and written."""
    source = torch.empty(2**31, device="cuda", dtype=torch.bfloat16)
    target = torch.empty_like(source)
    return 2 * 2**32 / seconds(torch, lambda: target.copy_(source)) / 1e9


def attention(torch: Any) -> float:
    """TFLOPS of a causal fused attention, the upper triangle not counted."""
    q, k, v = (
        torch.randn(4, HEADS, TOKENS, HEAD, device="cuda", dtype=torch.bfloat16) for _ in range(3)
    )
    fused = torch.nn.functional.scaled_dot_product_attention
    flops = 4 * 4 * HEADS * TOKENS**2 * HEAD / 2 / 1e12
    return flops / seconds(torch, lambda: fused(q, k, v, is_causal=True))


def layer(torch: Any) -> float:
    """Seconds of one decoder layer of Llama 3 8B over a prompt, in BF16."""
    functional = torch.nn.functional
    shapes = {
        "q": (HEADS * HEAD, HIDDEN),
        "k": (KV_HEADS * HEAD, HIDDEN),
        "v": (KV_HEADS * HEAD, HIDDEN),
        "o": (HIDDEN, HEADS * HEAD),
        "gate": (INNER, HIDDEN),
        "up": (INNER, HIDDEN),
        "down": (HIDDEN, INNER),
    }
    w = {n: torch.randn(*s, device="cuda", dtype=torch.bfloat16) / 64 for n, s in shapes.items()}
    x = torch.randn(1, TOKENS, HIDDEN, device="cuda", dtype=torch.bfloat16)

    def heads(y: Any) -> Any:
        y = y.view(1, TOKENS, -1, HEAD).transpose(1, 2)
        return y.repeat_interleave(HEADS // y.shape[1], dim=1)

    def run() -> Any:
        y = functional.rms_norm(x, (HIDDEN,))
        q, k, v = (heads(functional.linear(y, w[name])) for name in "qkv")
        mixed = functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        z = x + functional.linear(mixed.transpose(1, 2).reshape(1, TOKENS, -1), w["o"])
        y = functional.rms_norm(z, (HIDDEN,))
        inner = functional.silu(functional.linear(y, w["gate"])) * functional.linear(y, w["up"])
        return z + functional.linear(inner, w["down"])

    return seconds(torch, run)


# Id, phase, unit, what, and how the analytic model is asked for the same.
PLAN = (
    *(
        (f"GEMM-{key}", "gemm", "TFLOPS", f"8192 cubed, {key}", f'format = "{key}"')
        for key in ("bf16", "fp32", "fp8")
    ),
    ("COPY", "memory", "GB/s", "copy of 4 GiB", ""),
    ("ATTENTION", "attention", "TFLOPS", f"causal, 4 x {HEADS} heads x {TOKENS} tokens", ""),
    (
        "LAYER",
        "layer",
        "s",
        f"a layer of Llama 3 8B over {TOKENS} tokens",
        f'tp = 1, input = {TOKENS}, output = 1, weights = "bf16"',
    ),
)


def measured(torch: Any) -> dict[str, float]:
    """The value of each row of PLAN that this GPU can do."""
    found = {f"GEMM-{key}": rate for key, rate in gemm(torch).items()}
    return found | {"COPY": memory(torch), "ATTENTION": attention(torch), "LAYER": layer(torch)}


def rows(machine: str, values: dict[str, float]) -> list[str]:
    """The rows of the file; those without a value are left out."""
    return [
        f'[GPU-{machine.upper()}-{id}]\nmachine = "{machine}"\nmodel = "llama3-8b"\n'
        f'phase = "{phase}"\nvalue = {values[id]:.6g}\nunit = "{unit}"\nwhat = "{what}"\n'
        f'source = "tools/measure_gpu.py"\nask = {{ {ask} }}\n'
        for id, phase, unit, what, ask in PLAN
        if id in values
    ]


def machine_of(name: str) -> str | None:
    """The compared machine whose GPU calls itself so."""
    return next((ours for part, ours in reversed(MACHINES.items()) if part in name), None)


def main() -> int:
    """Measures and writes."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=ROOT / "tests/fidelity/gpu_rows.toml")
    parser.add_argument(
        "--dry-run",
        choices=sorted(MACHINES.values()),
        help="needs no GPU: print the rows that would be written for this machine, each with 0",
    )
    options = parser.parse_args()
    if options.dry_run:
        print("\n".join(rows(options.dry_run, {row[0]: 0.0 for row in PLAN})))
        return 0
    if importlib.util.find_spec("torch") is None:
        print("measure_gpu: PyTorch is not installed: nothing was measured", file=sys.stderr)
        return 1
    torch = importlib.import_module("torch")
    if not torch.cuda.is_available():
        print("measure_gpu: there is no NVIDIA GPU: nothing was measured", file=sys.stderr)
        return 1
    name = torch.cuda.get_device_name()
    machine = machine_of(name)
    if machine is None:
        print(f"measure_gpu: {name} is not among the compared machines", file=sys.stderr)
        return 1
    found = rows(machine, measured(torch))
    options.output.write_text(
        f"# Measured on {name} by tools/measure_gpu.py.\n\n" + "\n".join(found)
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
