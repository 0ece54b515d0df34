"""What the rows of the table are meant to reach: one list, by name of the row."""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Goal:
    """A bound of the rows whose names match: of their ratio, or of their value."""

    names: str
    bound: float
    most: bool = False  # the bound is an upper one
    of_value: bool = False
    deviation: str = ""  # the entry of docs/deviations.md that says why rows miss it

    def met(self, value: float, ratio: float | None) -> bool:
        measured = value if self.of_value else ratio
        if measured is None:
            return False
        return measured <= self.bound if self.most else measured >= self.bound

    def __str__(self) -> str:
        bound = f"{self.bound:g}" if self.of_value else f"{self.bound:.0%}"
        return f"{'<=' if self.most else '>='} {bound}"


ELEMENTWISE = (
    "tensor_copy|memset|tensor_tensor add|tensor_scalar|scalar_tensor_tensor|activation copy"
)
SELECTS_AND_SUMS = (
    "affine_select|range_select|select_reduce|tensor_copy_predicated|tensor_reduce add|"
    "activation copy with sum|exponential"
)
FAR = "(e4m3fn|e5m2)"
SPEED = "host-speed"
GOALS = [
    Goal(rf"isa/({ELEMENTWISE}) (?!with)", 0.5),
    Goal(rf"isa/({SELECTS_AND_SUMS}) ", 0.4),
    Goal(r"isa/nc_matmul(_mx)? (bf16|fp32|fp8)", 0.6),
    Goal(r"matmul: ", 0.6),
    # Of the core's peak; those whose far operand has more digits than a vector instruction takes.
    Goal(rf"matmul_mx: ({FAR} x \w+ .* stationary|\w+ x {FAR} .* moving)$", 0.6, deviation=SPEED),
    Goal(r"matmul_mx: ", 0.6),
    Goal(r"(isa/)?quantize_mx", 1, of_value=True),
    Goal(r"\w+ to \w+(, stochastic)?$", 1, of_value=True),
    Goal(r"one core, time only$", 5, of_value=True),
    Goal(r"one core, time only, a loop", 200, of_value=True),
    Goal(r"price/all_reduce of 1 GiB on 144 chips of 8 ranks", 10, of_value=True),
    Goal(r"price/all_to_all of 1 GiB on 144 chips", 100, of_value=True),
    Goal(r"direct/all_reduce on 1024 chips folded", 10, of_value=True),
    Goal(r"direct/all_reduce on 1024 chips every rank", 1 / 3, of_value=True),
    Goal(r"a step of 1000 collectives", 200, of_value=True),
    Goal(r"search/.* on \d+ ", 1, of_value=True),
    Goal(r"tracing a kernel", 2e5, of_value=True),
    Goal(r"(attention|gather and scatter) of .* with checks", 1 / 3),
    Goal(r"attention of .* float32 values beside", 0.2),
    Goal(r"causal attention.*: values, beside SGEMM", 2.5, most=True),
    Goal(r"causal attention.*: values and time", 1.15, most=True),
    Goal(r"causal attention.*: recorded", 1.25, most=True),
    Goal(r"trace: sums of a long trace", 100 / 60, of_value=True),  # 10^8 intervals in a minute
    Goal(r"4096-cubed bf16 matmul: traced", 0.25, most=True, of_value=True),
    Goal(r"4096-cubed bf16 matmul: values", 2.5, most=True),
    Goal(r".*: two logical cores, beside one", 0.65, most=True),
    Goal(r".*, beside a NumPy interpreter", 30),
    Goal(r".* M instructions traced, .*: memory", 0.6, most=True, of_value=True),
    Goal(r".* M instructions traced", 8, most=True, of_value=True),
    Goal(r"two cores, time beside AWS's compiler: median", 1, most=True, of_value=True),
    Goal(r"two cores, time beside AWS's compiler: worst", 1.1, most=True, of_value=True),
    Goal(r"precision, MXFP8, 16384 cubed", 0.84, of_value=True),
    Goal(r"compiled code, share of its bound: (softmax|RMSNorm)", 0.85, of_value=True),
    Goal(r"MFU of a layer as of Llama 3 8B", 0.65, of_value=True),
    Goal(r"one core, time beside nki-library", 1, most=True),
    Goal(r"ResNet-50 .*, batch 1: compiled and timed", 0.5, most=True, of_value=True),
    Goal(r"decode step of Llama-3 8B, .*: compiled", 15, most=True, of_value=True),
    Goal(r"training step of a layer of Llama-3 70B, .*: compiled", 30, most=True, of_value=True),
    Goal(r"prefill of a layer of GPT-3, .*: timed", 1, most=True, of_value=True),
    Goal(r"tiny graph: from its artifact", 5, most=True, of_value=True),
    Goal(r"MiniLM, .*: traced and compiled", 5, most=True, of_value=True),
    Goal(r"MiniLM, .*: compiled, from JAX's cache", 0.2, most=True, of_value=True),
    Goal(r"MiniLM, .*: values, beside JAX on this CPU", 4, most=True, of_value=True),
    Goal(r"MiniLM, .*: values and time, beside time alone", 20, of_value=True),
    Goal(r".*: compile time of \d+ layers, beside \d+", 1.5, most=True, of_value=True),
    Goal(r"serve/.*", 2, of_value=True),
    Goal(r"serving, a million requests planned$", 90, most=True, of_value=True),
    Goal(r"serving, a million requests planned: tokens", 2, of_value=True),
    Goal(r"serving, a million requests planned: memory", 2, most=True, of_value=True),
    Goal(r"serving, SmolLM2 decode, batch 8", 0.25),
    Goal(r"serving, the HTTP server's part of a request", 2, most=True, of_value=True),
    Goal(r"a chip's HBM", 0.001, most=True),
]


def goal_of(name: str) -> Goal | None:
    """The first goal in the list that speaks of this row."""
    return next((goal for goal in GOALS if re.match(goal.names, name)), None)
