"""NKI kernels on tensors of the device and inside torch.compile: one operator,
`trainyard::nki_kernel`, that a graph keeps and that its program runs as it stands.

A kernel is traced for the shapes and types that it is called with; arguments that are no tensors
are part of the operator, as text.
"""

from __future__ import annotations

import ast
import copy
import functools
import gc
import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import torch

from trainyard import _core, settings
from trainyard.graph import dtype_of
from trainyard.torch.errors import Refusal, TorchError
from trainyard.torch.places import users_frame
from trainyard.torch.writer import Value, Writer, element_of, tensor_type

TARGET = "AwsNeuronCustomNativeKernel"
_SEPARATOR = "\x1f"
_kernels: list[Any] = []
_objects: list[Any] = []
_bodies: dict[Any, Callable[..., Any]] = {}  # of operators that nki_op made
_libraries: list[torch.library.Library] = []


@dataclass(frozen=True)
class _Traced:
    """What the program takes and gives: `order`: which tensors are its inputs; `returned`: which of
    its results the kernel returns; `updates`: tensors that it writes, and the results that are
    their new values."""

    config: str
    order: tuple[int, ...]
    shapes: tuple[tuple[int, ...], ...]
    dtypes: tuple[torch.dtype, ...]
    returned: tuple[int, ...]
    updates: tuple[tuple[int, int], ...]


Kind = tuple[tuple[int, ...], torch.dtype]


@cache
def _traced(number: int, layout: str, kinds: tuple[Kind, ...], machine: Any) -> _Traced:
    """The kernel traced for tensors of these shapes and types."""
    from nki import _calls, _dtypes

    kernel = _kernels[number]
    if kernel.grid not in (None, 1):
        raise Refusal(f"a grid of {kernel.grid}", "call the kernel without a grid: on one core")
    arrays = [np.zeros(shape, dtype_of(_element(dtype))) for shape, dtype in kinds]
    args, kwargs = _arguments(layout, arrays)
    machine = kernel._machine(machine)
    traced = kernel._trace(args, kwargs, 0, machine)
    written = traced.written_inputs
    if written:
        traced = _on_copies(kernel, written)._trace(args, kwargs, 0, machine)
    if not traced.outputs:
        raise Refusal(
            "a kernel that returns nothing and writes none of its arguments",
            "return the tensors that it writes",
        )
    config = _core.kernel_config(
        traced.program,
        [one.tensor._id for one in traced.inputs],
        [tensor._id for tensor in traced.outputs],
    )
    places = {id(array): i for i, array in enumerate(arrays)}
    order = tuple(places[id(one.given)] for one in traced.inputs)
    results = {id(tensor): i for i, tensor in enumerate(traced.outputs)}
    returned, copies = traced.returned if written else (traced.returned, [])
    return _Traced(
        config,
        order,
        tuple(tuple(tensor.shape) for tensor in traced.outputs),
        tuple(_torch_type(_dtypes.numpy_dtype(str(tensor.dtype))) for tensor in traced.outputs),
        tuple(results[id(tensor)] for tensor in _calls.tensors_in(returned)),
        tuple((order[i], results[id(each)]) for i, each in zip(written, copies, strict=True)),
    )


def _on_copies(kernel: Any, written: Sequence[int]) -> Any:
    """The same kernel on copies of the arguments that it writes, which it returns, too: values of a
    program do not change."""
    from nki import _calls, isa
    from nki import language as nl

    function = kernel.function

    @functools.wraps(function)
    def on_copies(*args: Any, **kwargs: Any) -> Any:
        numbers = itertools.count()
        copies = []

        def copied(value: Any, _: str) -> Any:
            if not isinstance(value, nl.NkiTensor) or next(numbers) not in written:
                return value
            made = nl.ndarray(value.shape, dtype=value.dtype, buffer=nl.shared_hbm)
            isa.dma_copy(dst=made, src=value)
            copies.append(made)
            return made

        args, kwargs = _calls.map_leaves((args, kwargs), "", copied, keeps_numbers=True)
        return function(*args, **kwargs), copies

    made = copy.copy(kernel)
    made.function = on_copies
    return made


def _element(dtype: torch.dtype) -> str:
    if dtype == torch.int64:
        raise Refusal("a kernel's tensor of int64", "convert it to int32: x.to(torch.int32)")
    return element_of(dtype)


def _torch_type(dtype: Any) -> torch.dtype:
    return getattr(torch, np.dtype(dtype).name)


def _arguments(layout: str, tensors: Sequence[Any]) -> tuple[list[Any], dict[str, Any]]:
    args: list[Any] = []
    kwargs: dict[str, Any] = {}
    for part in layout.split(_SEPARATOR) if layout else []:
        name, _, text = part.partition("=")
        if text[0] == "@":
            value = tensors[int(text[1:])]
        elif text[0] == "#":
            value = _objects[int(text[1:])]
        else:
            value = ast.literal_eval(text)
        if name:
            kwargs[name] = value
        else:
            args.append(value)
    return args, kwargs


def _kind(x: torch.Tensor) -> Kind:
    return tuple(map(int, x.shape)), x.dtype


def _fake(tensors: Sequence[torch.Tensor], number: int, layout: str) -> list[torch.Tensor]:
    made = _traced(number, layout, tuple(map(_kind, tensors)), settings.current().machine)
    return [
        torch.empty(shape, dtype=dtype, device=tensors[0].device)
        for shape, dtype in zip(made.shapes, made.dtypes, strict=True)
    ]


def lower(w: Writer, out: Any, tensors: Sequence[Value], number: int, layout: str) -> list[Value]:
    """The call of the program."""
    kinds = tuple((value.shape, value.dtype) for value in tensors)
    traced = _traced(number, layout, kinds, settings.current().machine)
    given = [tensors[i] for i in traced.order]
    results = [
        (shape, dtype, element_of(dtype), None)
        for shape, dtype in zip(traced.shapes, traced.dtypes, strict=True)
    ]
    types = ", ".join(tensor_type(shape, element) for shape, _, element, _ in results)
    return w.put_several(
        f"stablehlo.custom_call @{TARGET}({', '.join(x.name for x in given)}) "
        f'{{api_version = 2 : i32, backend_config = "{traced.config}"}} : '
        f"({', '.join(x.type for x in given)}) -> ({types})",
        results,
    )


def _text_of(value: Any) -> str:
    """A constant argument; of what is no literal, its place among the objects of this process."""
    if isinstance(value, (bool, int, float, str, type(None))):
        return repr(value)
    for i, each in enumerate(_objects):
        if each is value:
            return f"#{i}"
    _objects.append(value)
    return f"#{len(_objects) - 1}"


def _with_tensors(kernel: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The operator's call; Dynamo follows this function."""
    tensors = []
    parts = []
    for name, value in [("", each) for each in args] + list(kwargs.items()):
        if isinstance(value, torch.Tensor):
            parts.append(f"{name}=@{len(tensors)}")
            tensors.append(value)
        else:
            parts.append(f"{name}={_text_of(value)}")
    layout = _SEPARATOR.join(parts)
    kinds = tuple([(tuple(x.shape), x.dtype) for x in tensors])
    returned, updates = _effects(kernel.torch_number, layout, kinds)
    made = torch.ops.trainyard.nki_kernel(tensors, kernel.torch_number, layout)
    for place, result in updates:
        tensors[place].copy_(made[result])
    if not returned:
        return None
    return made[returned[0]] if len(returned) == 1 else tuple([made[i] for i in returned])


def _effects(
    number: int, layout: str, kinds: tuple[Kind, ...]
) -> tuple[tuple[int, ...], tuple[tuple[int, int], ...]]:
    """Which results of its program a kernel returns, and which are new values of arguments. For
    Dynamo a constant."""
    try:
        traced = _traced(number, layout, kinds, settings.current().machine)
    except Refusal as refusal:
        name = getattr(_kernels[number].function, "__name__", "a kernel")
        rule = f"{name} as a part of PyTorch's programs"
        place = "{}:{} in {}".format(*users_frame())
        raise TorchError("torch.operator", rule, place, refusal.found, refusal.fix) from None
    return traced.returned, traced.updates


_effects._dynamo_marked_constant = True  # type: ignore[attr-defined]


def nki_op(name: str, fn: Callable[..., Any] | None = None, /, *, mutates_args: Any = ()) -> Any:
    """Makes a PyTorch operator "library::name" of a function that calls NKI kernels, with the types
    of its annotations; `mutates_args` names the tensors that it writes. The result of one that
    writes none has register_autograd, as torch.library.custom_op's.
    """

    def make(function: Callable[..., Any]) -> Any:
        if mutates_args:
            return _writing_operator(name, function, mutates_args)
        operator = torch.library.custom_op(name, function, mutates_args=())
        operator.register_fake(function)
        _bodies[operator._opoverload] = function
        return operator

    return make if fn is None else make(fn)


def _writing_operator(name: str, function: Callable[..., Any], written: Any) -> Any:
    """An operator that PyTorch takes apart into kernels and copies before it looks at writes."""
    space, _, short = name.partition("::")
    library = torch.library.Library(space, "FRAGMENT")
    library.define(short + torch.library.infer_schema(function, mutates_args=written))
    library.impl(short, function, "CompositeImplicitAutograd")
    _libraries.append(library)
    return getattr(getattr(torch.ops, space), short)


def bodies() -> dict[Any, Callable[..., Any]]:
    """How the operators that nki_op made are computed."""
    return _bodies


def register() -> None:
    """Makes kernels of nki.jit take tensors, where the package `nki` is Trainyard's."""
    try:
        from nki.kernel import Kernel
    except ImportError:
        return

    library = torch.library.Library("trainyard", "DEF")
    library.define("nki_kernel(Tensor[] tensors, int number, str layout) -> Tensor[]")
    library.impl("nki_kernel", _fake, "Meta")
    torch.library.register_fake("trainyard::nki_kernel", _fake, lib=library)
    _libraries.append(library)
    plain_init, plain_call = Kernel.__init__, Kernel.__call__

    def numbered(self: Any, *args: Any, **kwargs: Any) -> None:
        plain_init(self, *args, **kwargs)
        self.torch_number = len(_kernels)
        _kernels.append(self)

    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        for each in args:
            if isinstance(each, torch.Tensor) and _is_ours(each):
                return _with_tensors(self, args, kwargs)
        for each in kwargs.values():
            if isinstance(each, torch.Tensor) and _is_ours(each):
                return _with_tensors(self, args, kwargs)
        return plain_call(self, *args, **kwargs)

    Kernel.__init__, Kernel.__call__ = numbered, call
    for each in gc.get_objects():  # those made before
        if type(each) is Kernel:
            each.torch_number = len(_kernels)
            _kernels.append(each)


def _is_ours(x: torch.Tensor) -> bool:
    """Not a plain tensor of the host, which a kernel takes as an array."""
    if torch.compiler.is_compiling():
        return True
    return x.device.type in ("neuron", "meta") or type(x) not in (torch.Tensor, torch.nn.Parameter)
