"""What PyTorch on the device costs the host: a compiled training step of 300 parameters (150 layers
of 8 x 8, SGD compiled, too) beyond its programs, beside the CPU's own step of the same model.

    build/torch/venv/bin/python benchmarks/bench_torch.py

Each part is the fastest of many turns, in processor time, without what the simulator computes, and
the CPU's step is measured between them, as both are slower where others load the host. There are no
rows where PyTorch is not installed.
"""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Callable
from typing import Any

LAYERS, TURNS = 150, 60
LEAST = "PyTorch alone, with plain tensors and programs that compute nothing"


class _Parts:
    """The least processor seconds of each part, without those of programs."""

    def __init__(self) -> None:
        from trainyard.torch import programs

        self.least: dict[str, float] = {}
        self.inside = 0.0
        self._run = programs.Executable._run
        programs.Executable._run = self._timed_run(self._run)

    def _timed_run(self, run: Callable[..., Any]) -> Callable[..., Any]:
        def timed(executable: Any, inputs: Any) -> Any:
            begin = time.thread_time()
            made = run(executable, inputs)
            self.inside += time.thread_time() - begin
            return made

        return timed

    def of(self, name: str, what: Callable[[], Any]) -> Any:
        self.inside, begin = 0.0, time.process_time()
        made = what()
        spent = time.process_time() - begin - self.inside
        self.least[name] = min(spent, self.least.get(name, spent))
        return made


def _step(device: str, optimizer: str) -> tuple[Callable[..., Any], ...]:
    """Zeroing gradients, forward, backward of a result, and the optimizer's step."""
    import torch

    torch.manual_seed(0)
    model = torch.nn.Sequential(*[torch.nn.Linear(8, 8) for _ in range(LAYERS)]).to(device)
    x = torch.randn(4, 8).to(device)
    made = getattr(torch.optim, optimizer)(model.parameters(), lr=1e-3)
    if device == "cpu":
        return made.zero_grad, lambda: model(x), _backward, made.step
    model = torch.compile(model, backend="neuron")
    return made.zero_grad, lambda: model(x), _backward, torch.compile(made.step, backend="neuron")


def _nothing(graph: Any, inputs: Any) -> Callable[..., Any]:
    """A compiler whose programs give new tensors that hold nothing, and arguments that the graph
    returns."""
    given = [node for node in graph.graph.nodes if node.op == "placeholder"]
    output = next(node for node in graph.graph.nodes if node.op == "output")
    places = [given.index(each) if each in given else None for each in output.args[0]]
    shapes = [None if each is None else each.meta["val"] for each in output.args[0]]
    kinds = [None if each is None else (tuple(each.shape), each.dtype) for each in shapes]

    def run(arguments: list[Any]) -> list[Any]:
        taken = list(arguments)
        arguments.clear()
        return [
            taken[place] if place is not None else kind and _plain(*kind)
            for place, kind in zip(places, kinds, strict=True)
        ]

    run._boxed_call = True  # type: ignore[attr-defined]
    return run


def _plain(shape: tuple[int, ...], dtype: Any) -> Any:
    """A tensor of the device of no class of Python's, without a value."""
    import torch

    return torch._C._acc.create_empty_tensor(shape, dtype)


def _least_step(optimizer: str) -> tuple[Callable[..., Any], ...]:
    """The same step of PyTorch alone: plain tensors, programs that compute nothing."""
    import torch
    from torch._dynamo.backends.common import aot_autograd

    backend = aot_autograd(
        fw_compiler=_nothing,
        bw_compiler=_nothing,
        inference_compiler=_nothing,
        keep_inference_input_mutations=True,
    )
    model = torch.nn.Sequential(*[torch.nn.Linear(8, 8) for _ in range(LAYERS)])
    for layer in model:
        for name, each in list(layer.named_parameters()):
            setattr(layer, name, torch.nn.Parameter(_plain(tuple(each.shape), each.dtype)))
    x = _plain((4, 8), torch.float32)
    gradient = _plain((4, 8), torch.float32)
    made = getattr(torch.optim, optimizer)(model.parameters(), lr=1e-3)
    model = torch.compile(model, backend=backend)
    step = torch.compile(made.step, backend=backend)
    return made.zero_grad, lambda: model(x), lambda y: y.backward(gradient), step


def _backward(result: Any) -> None:
    result.square().mean().backward()


def measure(optimizer: str) -> dict[str, float]:
    """Milliseconds by part; "cpu": the whole step there."""
    import torch
    import torch_neuronx  # noqa: F401

    parts = _Parts()
    ours, theirs = _step("neuron", optimizer), _step("cpu", optimizer)
    least = _least_step(optimizer) if optimizer == "SGD" else None
    for _ in range(TURNS):
        parts.of("zero_grad", ours[0])
        result = parts.of("forward", ours[1])
        parts.of("backward", lambda result=result: ours[2](result))
        parts.of("optimizer", ours[3])
        parts.of("synchronize", torch.neuron.synchronize)
        parts.of("cpu", lambda: (theirs[0](), theirs[2](theirs[1]()), theirs[3]()))
        if least:
            parts.of(LEAST, lambda: (least[0](), least[2](least[1]()), least[3]()))
    return {name: 1e3 * seconds for name, seconds in parts.least.items()}


def rows() -> list[dict[str, Any]]:
    """Beside each total the CPU's step."""
    if importlib.util.find_spec("torch") is None:
        return []
    found = []
    for optimizer in ("SGD", "AdamW"):
        parts = measure(optimizer)
        total = sum(ms for name, ms in parts.items() if name not in ("cpu", LEAST))
        name = (
            f"PyTorch: a compiled step of {2 * LAYERS} parameters beyond its programs, {optimizer}"
        )
        found.append({"name": name, "value": total, "unit": "ms", "host_limit": parts["cpu"]})
        found += [
            {"name": f"{name}: {part}", "value": ms, "unit": "ms"}
            for part, ms in parts.items()
            if part != "cpu"
        ]
    return found


if __name__ == "__main__":
    for row in rows():
        limit = row.get("host_limit")
        beside = f" (the CPU's whole step: {limit:.2f} ms)" if limit else ""
        print(f"{row['name']}: {row['value']:.2f} {row['unit']}{beside}")
