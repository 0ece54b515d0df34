"""First-generation NKI (neuronxcc.nki, up to SDK 2.27): kernels in that style run unmodified.

Its functions are translated to those of Trainyard's package `nki`. Source: documentation and tests
of NKI 0.1.
"""

from typing import Any

from neuronxcc.nki import compiler, isa, language, typing
from neuronxcc.nki.kernel import (
    Benchmark,
    BenchmarkResult,
    Kernel,
    Latency,
    baremetal,
    benchmark,
    jit,
    profile,
    simulate_kernel,
    trace,
)

tensor = typing.tensor
FrameworkKernel: Any = Kernel

__all__ = [
    "Benchmark",
    "BenchmarkResult",
    "FrameworkKernel",
    "Kernel",
    "Latency",
    "baremetal",
    "benchmark",
    "compiler",
    "isa",
    "jit",
    "language",
    "profile",
    "simulate_kernel",
    "tensor",
    "trace",
    "typing",
]
