"""What `torch.compile(model, backend="neuron")` calls: Dynamo's graph, differentiated and taken
apart into core ATen by AOTAutograd, becomes programs of the machine.
"""

from __future__ import annotations

import contextlib
import itertools
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch
from torch import fx
from torch.utils._python_dispatch import _disable_current_modes

from trainyard.torch import (
    buffers,
    grouped_shapes,
    higher_order,
    indices,
    lowering,
    mask_writes,
    memory_order,
    outputs,
    table,
)
from trainyard.torch.buckets import Shared, SizedGraph, has_sizes
from trainyard.torch.buffers import Buffer
from trainyard.torch.errors import TorchError
from trainyard.torch.host_tensors import host_tensors
from trainyard.torch.outputs import Outputs
from trainyard.torch.places import users_frame
from trainyard.torch.programs import Graph
from trainyard.torch.tensor import NeuronTensor, maker

_numbers = itertools.count()


def neuron(
    module: fx.GraphModule,
    examples: Sequence[Any],
    *,
    mode: str | None = None,
    options: dict[str, Any] | None = None,
    **_: Any,
) -> Callable[..., Any]:
    """The compiled function. Raises TorchError for options that the backend does not take."""
    if mode not in (None, "default"):
        raise _option("mode", mode, 'leave mode out, or say mode="default"')
    if options:
        raise _option("options", options, "leave options out; NEURON_CC_FLAGS has the compiler's")
    if not torch._dynamo.config.assume_static_by_default:
        raise _option("dynamic", True, "leave dynamic out: each shape is compiled once")
    name = f"graph_{next(_numbers)}"
    indices.make_tensors(module)
    mask_writes.choose(module)
    higher_order.expand(module)
    if any(isinstance(each, torch.SymFloat) for each in examples):
        return _for_each_number(module, name)
    return _compile(module, examples, name)


def _option(name: str, value: Any, fix: str) -> TorchError:
    return TorchError(
        "torch.option",
        "an option of torch.compile that the backend neuron takes",
        "torch.compile",
        f"{name}={value!r}",
        fix,
    )


def _compile(module: fx.GraphModule, examples: Sequence[Any], name: str) -> Callable[..., Any]:
    # These import Inductor, which may be importing Dynamo when this module is.
    from torch._functorch.aot_autograd import aot_module_simplified
    from torch.nn.attention import SDPBackend, sdpa_kernel

    from trainyard.torch.partition import partition

    passes = itertools.count()
    shared = Shared()
    call = users_frame()

    def compiler(graph: fx.GraphModule, inputs: Sequence[Any]) -> Callable[..., Any]:
        suffix = ("", "_backward")[min(next(passes), 1)]
        lowering.place_at(graph, call)
        if not has_sizes(graph):
            memory_order.make_plain(graph)
        plan = outputs.take(graph)
        if has_sizes(graph):
            return _callable_of_sizes(graph, name + suffix, shared, plan)
        return _callable(graph, name + suffix, plan)

    # No fused attention of another device in the graph; its products are of the type of their
    # operands, as fused attention's are, not of float32.
    with sdpa_kernel(SDPBackend.MATH), _products_of_narrow_types(), grouped_shapes.tracing():
        return aot_module_simplified(
            module,
            examples,
            fw_compiler=compiler,
            bw_compiler=compiler,
            inference_compiler=compiler,
            partition_fn=partition,
            decompositions=table.decompositions(),
            keep_inference_input_mutations=True,
        )


@contextlib.contextmanager
def _products_of_narrow_types() -> Iterator[None]:
    chosen = torch.backends.cuda.fp16_bf16_reduction_math_sdp_allowed()
    torch.backends.cuda.allow_fp16_bf16_reduction_math_sdp(True)
    try:
        yield
    finally:
        torch.backends.cuda.allow_fp16_bf16_reduction_math_sdp(chosen)


def _for_each_number(module: fx.GraphModule, name: str) -> Callable[..., Any]:
    """A function of a number that Dynamo found to change: compiled for each, and each size."""
    made: dict[tuple[Any, ...], Callable[..., Any]] = {}

    def run(*given: Any) -> Any:
        key = tuple(
            (tuple(x.shape), tuple(x.stride()), x.dtype, x.requires_grad)
            if isinstance(x, torch.Tensor)
            else x
            for x in given
        )
        if key not in made:
            made[key] = _specialized(module, given, f"{name}_{len(made)}")
        return made[key](*given)

    return torch._dynamo.disable(run)


def _specialized(module: fx.GraphModule, given: Sequence[Any], name: str) -> Callable[..., Any]:
    """For arguments of these shapes, and these numbers."""
    from torch._subclasses import FakeTensorMode
    from torch.fx.experimental.symbolic_shapes import ShapeEnv

    places = [i for i, x in enumerate(given) if isinstance(x, torch.Tensor)]

    class Fixed(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.module = module

        def forward(self, *tensors: torch.Tensor) -> Any:
            arguments = list(given)
            for place, tensor in zip(places, tensors, strict=True):
                arguments[place] = tensor
            return self.module(*arguments)

    mode = FakeTensorMode(shape_env=ShapeEnv(assume_static_by_default=True))
    with mode:
        examples = [mode.from_tensor(given[i], static_shapes=True) for i in places]
    tracing = torch._guards.TracingContext(mode)
    with torch._guards.tracing(tracing):
        compiled = _compile(Fixed(), examples, name)
    return lambda *all_given: compiled(*[all_given[i] for i in places])


def _callable(graph: fx.GraphModule, name: str, plan: Outputs) -> Callable[[list[Any]], list[Any]]:
    """The graph as a function of a list of tensors, which it empties."""
    _refuse_sizes(graph)
    makers = [_maker(each.meta["val"]) for each in plan.order if isinstance(each, fx.Node)]
    compiled = Graph(graph, name)
    compiled.check()
    has_program = compiled.has_program

    def run(given: list[Any]) -> list[Any]:
        arguments = list(given)
        given.clear()
        if not has_program:
            return plan.all_of(arguments, ())
        made = compiled(
            [x.buffer() if x.__class__ is NeuronTensor else _buffer(x) for x in arguments]
        )
        if plan.written:
            with torch.no_grad():
                for place, buffer in zip(plan.written, made[len(makers) :], strict=True):
                    outputs.write(arguments[place], buffer)
        results = [make(buffer) for make, buffer in zip(makers, made, strict=False)]
        return plan.all_of(arguments, results)

    return _boxed(run)


def _callable_of_sizes(
    graph: fx.GraphModule, name: str, shared: Shared, plan: Outputs
) -> Callable[[list[Any]], list[Any]]:
    """The same of a graph whose sizes change."""
    sized = SizedGraph(graph, name, shared)
    sized.check()

    def run(given: list[Any]) -> list[Any]:
        arguments = list(given)
        given.clear()
        made = sized(arguments)
        with torch.no_grad():
            for place, value in zip(plan.written, made[plan.count() :], strict=True):
                arguments[place].copy_(value)
        return plan.all_of(arguments, made)

    return _boxed(torch._dynamo.disable(run))


def _boxed(function: Callable[[list[Any]], list[Any]]) -> Callable[[list[Any]], list[Any]]:
    function._boxed_call = True  # type: ignore[attr-defined]
    return function


def _refuse_sizes(graph: fx.GraphModule) -> None:
    for node in graph.graph.nodes:
        if node.op == "placeholder" and not isinstance(node.meta.get("val"), torch.Tensor):
            raise TorchError(
                "torch.argument",
                "arguments of a compiled graph are tensors",
                node.name,
                repr(node.meta.get("val")),
                "pass numbers that do not change, or tensors",
            )


def _buffer(value: Any) -> Buffer:
    if isinstance(value, NeuronTensor):
        return value.buffer()
    if value is None:  # a token, by which PyTorch keeps operators in order: it holds nothing
        return buffers.zeros([0], torch.float32, "f32", None)
    if not isinstance(value, torch.Tensor):
        raise TypeError(f"a compiled graph got {type(value).__name__}, not a tensor")
    return host_tensors.buffer(value)


def _maker(meta: torch.Tensor) -> Callable[[Buffer], torch.Tensor]:
    """Makes a result of what is in HBM: on the device where tracing saw it, with its strides."""
    with _disable_current_modes():  # tracing's, which would make a tensor of its own
        like = torch.empty_strided(meta.shape, meta.stride(), dtype=meta.dtype, device="meta")
    if meta.device.type == "neuron":
        return maker(like)
    return lambda buffer: buffers.with_strides(buffers.to_host(buffer), like)


def register() -> None:
    """Makes the backend known to torch.compile by its name; Dynamo is imported."""
    from torch._dynamo.backends.registry import register_backend

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        register_backend(compiler_fn=neuron, name="neuron")
    grouped_shapes.backends.append(neuron)
