"""Tensors of the device `neuron`: a value that computed or waiting, and views of it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import torch
from torch._subclasses.fake_tensor import FakeTensor
from torch.utils._pytree import tree_flatten, tree_map

from trainyard.torch.buffers import Buffer, to_host
from trainyard.torch.errors import TorchError
from trainyard.torch.queue import Deferred, queue

DEVICE = "neuron"
_DETACH = torch.ops.aten.detach.default
_DATA = torch.Tensor.data
_make = torch.Tensor._make_wrapper_subclass


@cache
def _place() -> torch.device:
    return torch.device(DEVICE, 0)  # which has its name once the device is registered


def _wrapper(meta: torch.Tensor) -> Callable[[], NeuronTensor]:
    """Makes a tensor like this one, without its value. `meta` keeps it: to ask for sizes and
    strides takes longer than all else that a tensor of the device is made of."""
    known = meta.__dict__.get("_neuron_wrapper")
    if known is None:
        size, strides, offset = meta.size(), meta.stride(), meta.storage_offset()
        is_plain = offset == 0 and strides == torch.empty(size, device="meta").stride()
        placed = () if is_plain else (strides, offset)
        known = partial(_make, NeuronTensor, size, *placed, dtype=meta.dtype, device=_place())
        meta._neuron_wrapper = known
    return known


class Storage:
    """What a tensor and its views share. It changes when one of them is written; the value is in
    HBM, or waits, or a function gives it when it is read first."""

    __slots__ = ("__weakref__", "_address", "_value", "meta", "padded", "version")
    _next = 512  # address

    def __init__(
        self, value: Buffer | Deferred | Callable[[], Deferred], meta: torch.Tensor
    ) -> None:
        self._value = value
        self.meta = meta  # how the whole lies in memory, which as_strided asks for
        self._address: int | None = None
        self.padded: Any = None  # the value at the sizes of a bucket, and how: see buckets.py
        self.version = 0

    @property
    def address(self) -> int:
        """A number as if of memory, in bytes: others' begin behind this one's end. By it libraries
        find tensors that share memory."""
        if self._address is None:
            self._address = Storage._next
            Storage._next += (self.meta.untyped_storage().nbytes() // 512 + 1) * 512
        return self._address

    @property
    def value(self) -> Deferred:
        value = self._value
        if isinstance(value, Deferred):
            return value
        is_ready = isinstance(value, Buffer)
        self._value = Deferred(value.shape, value.dtype, value) if is_ready else value()
        return self._value

    def buffer(self) -> Buffer:
        """The value in HBM."""
        value = self._value
        return value if isinstance(value, Buffer) else self.value.buffer()

    def set(self, value: Buffer | Deferred) -> None:
        self._value = value
        self.padded = None
        self.version += 1


@dataclass(frozen=True)
class View:
    """A step from a tensor to a view of it: the operator, its other arguments, which of its
    results, and the shape that it starts from."""

    overload: Any
    arguments: tuple[Any, ...]
    named: tuple[tuple[str, Any], ...]
    part: int | None
    shape: tuple[int, ...]
    meta: torch.Tensor


class NeuronTensor(torch.Tensor):
    """A tensor on the device. Its operators are in trainyard.torch.eager."""

    _storage: Storage
    _chain: tuple[View, ...] = ()
    _meta: torch.Tensor
    _cached: tuple[int, Deferred] | None = None
    dispatch: Callable[..., Any]
    # A tensor as any other to PyTorch's functions: operators come to __torch_dispatch__.
    __torch_function__ = torch._C._disabled_torch_function_impl

    @staticmethod
    def __new__(
        cls: type, storage: Storage, chain: tuple[View, ...], meta: torch.Tensor
    ) -> NeuronTensor:
        made = _wrapper(meta)()
        made._storage = storage
        made._meta = meta
        if chain:
            made._chain = chain
        return made

    @classmethod
    def __torch_dispatch__(
        cls, overload: Any, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        if overload is _DETACH:  # of each gradient and each parameter that is written
            return _same(args[0])
        kwargs = kwargs or {}
        if FakeTensor in types:
            flat = tree_flatten((args, kwargs))[0]
            fake = next(x for x in flat if isinstance(x, FakeTensor))
            args, kwargs = tree_map(partial(_without_values, fake.fake_mode), (args, kwargs))
            with fake.fake_mode:
                return overload(*args, **kwargs)
        return NeuronTensor.dispatch(overload, args, kwargs)

    def __coerce_same_metadata_as_tangent__(
        self, expected_meta: Any, expected_type: type | None = None
    ) -> NeuronTensor | None:
        """A compiled backward pass takes the tensor as the plain one that tracing saw."""
        return self if expected_meta is None and expected_type in (None, torch.Tensor) else None

    def _set_data(self, value: torch.Tensor) -> None:
        """`x.data = y` takes the value of another tensor, as `module.bfloat16()` does with
        parameters."""
        _DATA.__set__(self, value)
        if isinstance(value, NeuronTensor):
            self._storage, self._chain, self._meta = value._storage, value._chain, value._meta
            self._cached = None

    data = property(_DATA.__get__, _set_data)

    def deferred(self) -> Deferred:
        """The tensor's value, through the steps of its views."""
        if not self._chain:
            return self._storage.value
        if self._cached is None or self._cached[0] != self._storage.version:
            value = self._storage.value
            for step in self._chain:
                value = _taken(step, value)
            self._cached = (self._storage.version, value)
        return self._cached[1]

    def buffer(self) -> Buffer:
        """The value in HBM."""
        return self.deferred().buffer() if self._chain else self._storage.buffer()

    @property
    def padded(self) -> Any:
        """The value at the sizes of a bucket, where a program left it so: see buckets.py."""
        is_whole = all(step.overload in _SAME for step in self._chain)
        return self._storage.padded if is_whole else None

    def write(self, value: Buffer | Deferred) -> None:
        """Replaces the value, in what this is a view of, too."""
        if not self._chain:
            self._storage.set(value)
            return
        if isinstance(value, Buffer):
            value = Deferred(value.shape, value.dtype, value)
        values = [self._storage.value]
        for step in self._chain[:-1]:
            values.append(_taken(step, values[-1]))
        for step, before in zip(reversed(self._chain), reversed(values), strict=False):
            value = _put_back(step, before, value)
        self._storage.set(value)

    def host(self) -> torch.Tensor:
        """A copy on the host, with the strides of this tensor."""
        made = to_host(self.buffer())
        if made.stride() != self._meta.stride() and made.numel() > 1:
            strided = torch.empty_strided(self._meta.shape, self._meta.stride(), dtype=made.dtype)
            made = strided.copy_(made) if _is_dense(self._meta) else made
        return made

    def __repr__(self, *, tensor_contents: Any = None) -> str:
        shown = repr(self.detach().host())
        suffix = f", device='{self.device}'"
        if self.grad_fn is not None:
            suffix += f", grad_fn=<{type(self.grad_fn).__name__}>"
        elif self.requires_grad:
            suffix += ", requires_grad=True"
        return shown[:-1] + suffix + ")"

    def __format__(self, format_spec: str) -> str:
        """Of a number its value, as of a plain tensor: f"{loss:.3f}"."""
        if self.dim() == 0:
            return self.item().__format__(format_spec)
        return object.__format__(self, format_spec)

    def __reduce_ex__(self, protocol: Any) -> Any:
        """As PyTorch saves tensors of devices without storage, which torch.load takes by itself."""
        grad = self.requires_grad and self.is_leaf
        if isinstance(self, torch.nn.Parameter):
            return torch._utils._rebuild_parameter, (self.detach(), grad, OrderedDict())
        content = self.detach().host()
        given = (content, self.dtype, str(self.device), grad)
        return torch._utils._rebuild_device_tensor_from_cpu_tensor, given

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        made = memo.get(id(self))
        if made is None:
            with torch.no_grad():
                made = self.detach().clone()
            if isinstance(self, torch.nn.Parameter):
                made = torch.nn.Parameter(made, self.requires_grad)
            else:
                made.requires_grad_(self.requires_grad)
            memo[id(self)] = made
        return made

    def __getitem__(self, index: Any) -> Any:
        return super().__getitem__(listless(index, self._index))

    def __setitem__(self, index: Any, value: Any) -> None:
        super().__setitem__(listless(index, self._index), value)

    def _index(self, numbers: list[Any]) -> torch.Tensor:
        made = torch.tensor(numbers, device="cpu")
        return (made if numbers else made.to(torch.int64)).to(self.device)

    def data_ptr(self) -> int:
        return self._storage.address + self.storage_offset() * self.itemsize

    def untyped_storage(self) -> torch.UntypedStorage:
        """PyTorch's, without memory, with the number by which what shares memory is found."""
        made = super().untyped_storage()
        made.data_ptr = partial(getattr, self._storage, "address")  # type: ignore[method-assign]
        return made

    def new_tensor(self, data: Any, **kwargs: Any) -> torch.Tensor:
        return torch.tensor(data, **{"dtype": self.dtype, "device": self.device, **kwargs})

    def tolist(self) -> Any:
        return self.detach().host().tolist()

    def numpy(self, *, force: bool = False) -> Any:
        if not force:
            raise TypeError(
                "can't convert a neuron tensor to NumPy: use Tensor.cpu() to copy it to the host "
                "first"
            )
        return self.detach().host().numpy()


def listless(index: Any, tensor: Callable[[list[Any]], Any]) -> Any:
    """An index whose lists are what `tensor` makes of them: the tensors that PyTorch 2.13 makes of
    lists itself end in an assertion, as torch.tensor() on the device does."""
    if isinstance(index, list):
        inner = (torch.Tensor, list, tuple, slice, type(None), type(Ellipsis))
        if len(index) >= 32 or not any(isinstance(each, inner) for each in index):
            return tensor(index)
        index = tuple(index)  # as PyTorch reads lists that hold more than numbers
    if isinstance(index, tuple):
        return tuple(listless(each, tensor) for each in index)
    return index


def _without_values(mode: Any, x: Any) -> Any:
    """A tensor of the device as tracing sees it."""
    if not isinstance(x, NeuronTensor):
        return x
    with mode:
        return torch.empty_strided(x.shape, x.stride(), dtype=x.dtype, device=x.device)


def _is_dense(meta: torch.Tensor) -> bool:
    return torch.ops.aten.is_non_overlapping_and_dense(meta)


def on_device(buffer: Buffer, meta: torch.Tensor) -> NeuronTensor:
    """A tensor of this value, with the strides of `meta`."""
    shape = torch.empty_strided(meta.shape, meta.stride(), dtype=buffer.dtype, device="meta")
    return of_buffer(buffer, shape)


def of_buffer(buffer: Buffer, meta: torch.Tensor) -> NeuronTensor:
    """The same where `meta` has no values and the buffer's type."""
    return of_value(buffer, meta)


def maker(meta: torch.Tensor) -> Callable[[Buffer], NeuronTensor]:
    """The same for many buffers, without what is alike for all of them."""
    new = _wrapper(meta)

    def make(buffer: Buffer) -> NeuronTensor:
        made = new()
        made._storage = Storage(buffer, meta)
        made._meta = meta
        return made

    return make


def _same(x: NeuronTensor) -> NeuronTensor:
    """Another tensor of the same value, for autograd."""
    meta = x._meta
    made = _wrapper(meta)()
    made._storage = x._storage
    made._meta = meta
    if x._chain:
        made._chain = x._chain
    return made


def of_value(value: Buffer | Deferred, meta: torch.Tensor) -> NeuronTensor:
    """A tensor that is no view."""
    return NeuronTensor(Storage(value, meta), (), meta)


def record(overload: Any, arguments: Sequence[Any], like: torch.Tensor) -> Deferred:
    """One more operator of one result, for the parts of views."""
    made = queue.record(overload, arguments, {}, [like])[0]
    assert made is not None
    return made


def _meta(shape: Sequence[int], dtype: torch.dtype) -> torch.Tensor:
    return torch.empty(shape, dtype=dtype, device="meta")


_A = torch.ops.aten
# Steps that keep every element in its order.
_RESHAPES = {
    _A.view.default,
    _A._unsafe_view.default,
    _A.reshape.default,
    _A.unsqueeze.default,
    _A.squeeze.default,
    _A.squeeze.dim,
    _A.squeeze.dims,
    _A._reshape_alias.default,
}
_SAME = {_A.alias.default, _A.detach.default}


def _taken(step: View, value: Deferred) -> Deferred:
    """What the view shows of the value."""
    if step.overload in _SAME:
        return value
    meta = _meta(step.meta.shape, step.meta.dtype)
    if step.overload in _RESHAPES:
        return record(_A.view.default, [value, list(step.meta.shape)], meta)
    if step.part is None:
        named = dict(step.named)
        made = queue.record(step.overload, [value, *step.arguments], named, [meta])[0]
        assert made is not None
        return made
    dim, begin, end, is_select = _part_limits(step)
    if is_select:
        return record(_A.select.int, [value, dim, begin], meta)
    return record(_A.slice.Tensor, [value, dim, begin, end], meta)


def _part_limits(step: View) -> tuple[int, int, int, bool]:
    """Dimension, begin and end of one of the results of split, split_with_sizes and unbind."""
    assert step.part is not None
    given = list(step.arguments)
    named = dict(step.named)
    if step.overload is _A.unbind.int:
        dim = given[0] if given else named.get("dim", 0)
        return dim, step.part, step.part + 1, True
    sizes = given[0]
    dim = given[1] if len(given) > 1 else named.get("dim", 0)
    if isinstance(sizes, int):
        begin = sizes * step.part
        return dim, begin, min(begin + sizes, step.shape[dim]), False
    begin = sum(sizes[: step.part])
    return dim, begin, begin + sizes[step.part], False


def _put_back(step: View, before: Deferred, value: Deferred) -> Deferred:
    """What the viewed value becomes when its view becomes `value`."""
    meta = _meta(before.shape, before.dtype)
    overload, given = step.overload, list(step.arguments)
    if overload in _SAME:
        return value
    if overload in _RESHAPES:
        return record(_A.view.default, [value, list(before.shape)], meta)
    if overload in (_A.transpose.int, _A.t.default):
        return record(overload, [value, *given], meta)
    if overload is _A.permute.default:
        order = [dim % len(given[0]) for dim in given[0]]
        back = [order.index(i) for i in range(len(order))]
        return record(overload, [value, back], meta)
    if overload is _A.expand.default and before.shape == value.shape:
        return value
    if overload is _A.slice.Tensor:
        return record(_A.slice_scatter.default, [before, value, *given], meta)
    if overload is _A.select.int:
        return record(_A.select_scatter.default, [before, value, *given], meta)
    if overload is _A.as_strided.default:
        return record(_A.as_strided_scatter.default, [before, value, *given], meta)
    if overload is _A.diagonal.default:
        return record(_A.diagonal_scatter.default, [before, value, *given], meta)
    if step.part is not None:
        dim, begin, end, is_select = _part_limits(step)
        if is_select:
            return record(_A.select_scatter.default, [before, value, dim, begin], meta)
        return record(_A.slice_scatter.default, [before, value, dim, begin, end], meta)
    raise TorchError(
        "torch.view",
        "what is written through a view is one element of what it views each",
        "eager mode",
        f"a write through {overload}",
        "write to a clone() of the view, or to what it views",
    )
