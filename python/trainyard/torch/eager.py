"""The operators of tensors on the device `neuron`, outside of torch.compile.

None computes on the host: an operator becomes an entry of the queue, a view a step, and what
changes a tensor in place gives it another value. What the host reads ends the queue.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any

import torch

from trainyard.torch import buffers, collectives, counted, custom, lists, metas, scaling, schemas
from trainyard.torch.decomposed import linear
from trainyard.torch.errors import TorchError
from trainyard.torch.metas import mapped
from trainyard.torch.operators import matrices
from trainyard.torch.queue import Deferred, queue
from trainyard.torch.tensor import (
    DEVICE,
    NeuronTensor,
    Storage,
    View,
    of_value,
    on_device,
)

_A = torch.ops.aten


def _overload(name: str) -> Any:
    return getattr(getattr(_A, name.split(".")[1]), name.split(".")[2])


def enter(overload: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    """What PyTorch calls for each operator. An error within a backward pass is raised at its end:
    PyTorch 2.13 aborts where one leaves an operator there, as its guard of streams calls Python
    with the error pending."""
    if torch._C._current_graph_task_id() == -1:
        return dispatch(overload, args, kwargs)
    try:
        return dispatch(overload, args, kwargs)
    except Exception as error:
        return _postpone(error, overload, args, kwargs)


def _postpone(error: Exception, overload: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    def stop() -> None:
        raise error

    torch.autograd.Variable._execution_engine.queue_callback(stop)
    if overload._schema.is_mutable:
        return args[0]
    try:
        shapes = metas.ask(overload, args, kwargs)
    except Exception:  # of these arguments there is no result at all
        return None
    flat = shapes if isinstance(shapes, (list, tuple)) else [shapes]
    made = [None if m is None else _empty(m.shape, m.stride(), dtype=m.dtype) for m in flat]
    return tuple(made) if isinstance(shapes, (list, tuple)) else made[0]


def dispatch(overload: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    """Runs one operator on tensors of the device (or makes one there)."""
    return _way_of(overload)(args, kwargs)


@cache
def _way_of(overload: Any) -> Callable[[Any, dict[str, Any]], Any]:
    """The function of arguments by which an operator is computed."""
    special = _SPECIAL.get(overload)
    if special is not None:
        return lambda args, kwargs: special(*args, **kwargs)
    schema = overload._schema
    way = _compute
    if schema.name.startswith("aten::_foreach_"):
        way = lists.compute
    elif schema.name.startswith("c10d::"):
        way = collectives.compute
    elif schema.name in custom.SPECIAL:
        function = custom.SPECIAL[schema.name]
        return lambda args, kwargs: function(*args, **kwargs)
    elif overload.namespace != "torchvision" and (body := custom.body_of(overload)):
        return lambda args, kwargs: body(*args, **kwargs)
    elif overload.is_view:
        way = _view
    elif torch.Tag.inplace_view in overload.tags and schema.name in schemas.VIEWS_IN_PLACE:
        way = _change_view
    elif schema.is_mutable:
        way = _change
    return partial(way, overload)


NeuronTensor.dispatch = staticmethod(enter)


def _host_value(x: torch.Tensor) -> Deferred:
    """A number of the host among tensors of the device."""
    buffer = buffers.from_host(x)
    return Deferred(buffer.shape, buffer.dtype, buffer)


def _values(x: Any) -> Any:
    """What the queue keeps of an argument."""
    if isinstance(x, NeuronTensor):
        return x.deferred()
    if isinstance(x, torch.Tensor):
        if x.dim() > 0 and x.numel() > 0:
            raise TorchError(
                "torch.device",
                "the tensors of an operator are on one device",
                "eager mode",
                f"a tensor {list(x.shape)} on {x.device} beside tensors on {DEVICE}",
                f'move it: x.to("{DEVICE}")',
            )
        return _host_value(x)
    return None if isinstance(x, torch.Generator) else x


def _compute(overload: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    """An operator that changes nothing."""
    if schemas.decomposes(overload):
        made = overload.decompose(*args, **kwargs)
        if made is not NotImplemented:
            return made
    results = metas.of_results(overload, args, kwargs)
    if isinstance(results, (bool, int)):
        return results
    flat = list(results) if isinstance(results, (list, tuple)) else [results]
    values = _record(overload, args, kwargs, flat)
    tensors = [
        None if value is None else of_value(value, meta)
        for value, meta in zip(values, flat, strict=True)
    ]
    if isinstance(results, (list, tuple)):
        return type(results)(tensors) if isinstance(results, list) else tuple(tensors)
    return tensors[0]


def _record(
    overload: Any, args: Any, kwargs: dict[str, Any], metas: Sequence[torch.Tensor | None]
) -> list[Deferred | None]:
    # Copies of numbers come first: they are arguments, no entries.
    given = [mapped(_values, each) for each in args]
    named = {
        name: mapped(_values, value)
        for name, value in kwargs.items()
        if name not in ("generator", "pin_memory", "layout")
    }
    made = queue.record(overload, given, named, metas)
    queue.flush_if_long()
    return made


def _view(overload: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    """A view: nothing moves before it is read."""
    source = args[0]
    if schemas.decomposes(overload):
        made = overload.decompose(*args, **kwargs)
        if made is source:  # autograd wants another tensor
            return NeuronTensor(source._storage, source._chain, source._meta)
        if made is not NotImplemented:
            return made
    made = overload(
        *mapped(metas.of_argument, args),
        **{name: mapped(metas.of_argument, each) for name, each in kwargs.items()},
    )
    rest = tuple(args[1:])
    named = tuple(kwargs.items())

    def step(marked: torch.Tensor, part: int | None) -> NeuronTensor:
        meta = metas.without_marks(marked)
        each = View(overload, rest, named, part, tuple(source.shape), meta)
        return NeuronTensor(source._storage, (*source._chain, each), meta)

    if isinstance(made, (list, tuple)):
        return [step(meta, i) for i, meta in enumerate(made)]
    return step(made, None)


def _change_view(overload: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    """squeeze_ and the like: the tensor becomes a view of itself."""
    args[0].data = dispatch(schemas.functional(overload), args, kwargs)
    return args[0]


def _change(overload: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    """An operator that writes its first argument, or those named `out`."""
    functional = schemas.functional(overload)
    if functional is None:
        raise TorchError(
            "torch.operator",
            "an operator that writes has one that does not",
            "eager mode",
            str(overload),
            "write it with other operators, without in-place forms",
        )
    outs = [argument.name for argument in overload._schema.arguments if argument.is_out]
    given = {name: value for name, value in kwargs.items() if name not in outs}
    if outs and any(a.name == "device" for a in functional._schema.arguments):
        given |= {"dtype": kwargs[outs[0]].dtype, "device": kwargs[outs[0]].device}
    if functional is _A.bernoulli.p and len(args) == 1 and "p" not in given:
        given["p"] = 0.5
    made = dispatch(functional, args, given)
    written = schemas.written(overload)
    if not outs and written != [0]:  # statistics beside the results, as of norms
        count = len(overload._schema.returns)
        for place, result in zip(written, made[count:], strict=True):
            _assign(args[place], result, False)
        return made[0] if count == 1 else tuple(made[:count])
    targets = [kwargs[name] for name in outs] if outs else [args[0]]
    results = made if isinstance(made, (list, tuple)) else [made]
    for target, result in zip(targets, results, strict=False):
        _assign(target, result, bool(outs))
    if len(targets) == 1:
        return targets[0]
    return tuple(targets)


def _assign(target: NeuronTensor, result: NeuronTensor, is_out: bool) -> None:
    if is_out and target.shape != result.shape and not target._chain:
        target.data = result
        return
    if target.shape != result.shape:
        result = result.expand(target.shape)
    if target.dtype != result.dtype:
        result = dispatch(_A._to_copy.default, (result,), {"dtype": target.dtype})
    target.write(result.deferred())


def _copy(target: Any, source: Any, non_blocking: bool = False) -> Any:
    """copy_: between devices, or on this one."""
    if not isinstance(target, NeuronTensor):
        return target.copy_(source.host())
    if not isinstance(source, NeuronTensor):
        source = _to_device(source)
    _assign(target, source, False)
    return target


def _to_device(x: torch.Tensor, dtype: torch.dtype | None = None) -> NeuronTensor:
    """A copy of a tensor of the host, with its strides where they leave no gaps."""
    if dtype is not None and dtype != x.dtype:
        return dispatch(_A._to_copy.default, (_to_device(x),), {"dtype": dtype})
    meta = torch.empty_like(x, device="meta")
    return on_device(buffers.from_host(x), meta)


def _to_copy(
    x: torch.Tensor,
    *,
    dtype: torch.dtype | None = None,
    device: Any = None,
    memory_format: Any = None,
    **_: Any,
) -> torch.Tensor:
    where = torch.device(device) if device is not None else x.device
    if not isinstance(x, NeuronTensor):
        return _to_device(x, dtype)
    if where.type == DEVICE:
        wanted = dtype or x.dtype
        named = {"dtype": wanted}
        if memory_format is not None:
            named["memory_format"] = memory_format
        return _compute(_A._to_copy.default, (x,), named)
    if dtype is not None and dtype != x.dtype:
        x = _compute(_A._to_copy.default, (x,), {"dtype": dtype})
    return x.host().to(where)


def _item(x: NeuronTensor) -> Any:
    return x.host().item()


def _equal(a: NeuronTensor, b: NeuronTensor) -> bool:
    return a.shape == b.shape and bool((a == b).all().item())


def _allclose(
    a: Any, b: Any, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False
) -> bool:
    return bool(torch.isclose(a, b, rtol, atol, equal_nan).all().item())


def _assert_async(x: NeuronTensor, message: str = "Expected Tensor with a nonzero value") -> None:
    """Told at once, unlike on devices where the host goes on meanwhile."""
    if not x.host().item():
        raise RuntimeError(message)


def _check_errors(info: NeuronTensor, name: str, *, is_matrix: bool) -> None:
    """Raises torch.linalg.LinAlgError, of several matrices for the first that is none."""
    if places := info.host().reshape(-1).nonzero().reshape(-1).tolist():
        which = "" if is_matrix else f"(batch element {places[0]}): "
        raise torch.linalg.LinAlgError(f"{name}: {which}{matrices.failure_of(name)}")


def _without_masks(where: Sequence[Any]) -> list[Any]:
    """Masks become the places that they mark."""
    parts: list[Any] = []
    for each in where:
        if each is not None and each.dtype in (torch.bool, torch.uint8):
            parts += counted.nonzero(_on_device(each)).unbind(1)
        else:
            parts.append(None if each is None else _on_device(each))
    return parts


def _on_device(x: torch.Tensor) -> NeuronTensor:
    return x if isinstance(x, NeuronTensor) else _to_device(x)


def _index(x: NeuronTensor, where: Sequence[Any]) -> Any:
    return _compute(_A.index.Tensor, (x, _without_masks(where)), {})


def _index_put(
    x: NeuronTensor, where: Sequence[Any], values: Any, accumulate: bool = False, *_: Any
) -> Any:
    """A mask with one value needs no places."""
    where = [None if each is None else _on_device(each) for each in where]
    masks = [each for each in where if each is not None and each.dtype == torch.bool]
    if masks and (len([e for e in where if e is not None]) > 1 or values.numel() != 1):
        where = _without_masks(where)
    values = _on_device(values)
    return _compute(_A.index_put.default, (x, where, values, accumulate), {})


def _index_put_(
    x: NeuronTensor, where: Sequence[Any], values: Any, accumulate: bool = False, *_: Any
) -> Any:
    _assign(x, _index_put(x, where, values, accumulate), False)
    return x


def _masked_select(x: NeuronTensor, mask: NeuronTensor) -> Any:
    x, mask = torch.broadcast_tensors(x, mask)
    return _index(x.clone(), [mask])


def _batch_norm(
    x: Any,
    weight: Any,
    bias: Any,
    mean: Any,
    var: Any,
    training: bool,
    momentum: float,
    epsilon: float,
) -> Any:
    """native_batch_norm writes the running statistics, though its schema does not say so."""
    if not training or mean is None:
        overload = (
            _A._native_batch_norm_legit.no_stats
            if mean is None
            else _A._native_batch_norm_legit_no_training.default
        )
        given = (
            (x, weight, bias, True, momentum, epsilon)
            if mean is None
            else (x, weight, bias, mean, var, momentum, epsilon)
        )
        return tuple(_compute(overload, given, {}))
    made = _compute(
        _A._native_batch_norm_legit_functional.default,
        (x, weight, bias, mean, var, training, momentum, epsilon),
        {},
    )
    _assign(mean, made[3], False)
    _assign(var, made[4], False)
    return tuple(made[:3])


def _empty(size: Sequence[int], strides: Sequence[int] | None = None, **kwargs: Any) -> Any:
    """Zeros: what is in memory before it is written is no result of anything."""
    dtype = kwargs.get("dtype") or torch.get_default_dtype()
    meta = torch.empty(size, dtype=dtype, device="meta")
    if strides is not None:
        meta = torch.empty_strided(size, strides, dtype=dtype, device="meta")

    def zeros() -> Deferred:
        value = queue.record(_A.full.default, [list(size), 0], {"dtype": dtype}, [meta])[0]
        assert value is not None
        return value

    return NeuronTensor(Storage(zeros, meta), (), meta)


def _new_empty_strided(
    x: NeuronTensor, size: Sequence[int], strides: Sequence[int], **kwargs: Any
) -> Any:
    """What autograd makes for each gradient."""
    if kwargs.get("device") is not None and torch.device(kwargs["device"]).type != DEVICE:
        return torch.empty_strided(
            size, strides, **{**kwargs, "dtype": kwargs.get("dtype") or x.dtype}
        )
    return _empty(size, strides, dtype=kwargs.get("dtype") or x.dtype)


def _resize(x: NeuronTensor, size: Sequence[int], **_: Any) -> NeuronTensor:
    if tuple(size) != tuple(x.shape):
        raise TorchError(
            "torch.operator",
            "a tensor of the device keeps its size",
            "eager mode",
            f"resize_ from {list(x.shape)} to {list(size)}",
            "make a new tensor",
        )
    return x


def _as_strided(
    x: NeuronTensor, size: Sequence[int], stride: Sequence[int], offset: int | None = None
) -> NeuronTensor:
    """Of the memory that x is a view of, as it lies there."""
    whole = x._storage.meta
    if not _A.is_non_overlapping_and_dense(whole):
        raise TorchError(
            "torch.view",
            "as_strided is of memory without gaps",
            "eager mode",
            f"a tensor {list(whole.shape)} of strides {list(whole.stride())}",
            "as_strided of a clone() of it",
        )
    offset = x.storage_offset() if offset is None else offset
    base = NeuronTensor(x._storage, (), whole)
    order = sorted(range(whole.dim()), key=lambda i: (-whole.stride(i), -whole.shape[i]))
    return _view(_A.as_strided.default, (base.permute(order), size, stride, offset), {})


_SPECIAL: dict[Any, Callable[..., Any]] = {
    **lists.OPTIMIZERS,
    **{_overload(name): function for name, function in linear.BY_LAYOUT.items()},
    _A.as_strided.default: _as_strided,
    _A.copy_.default: _copy,
    _A._to_copy.default: _to_copy,
    _A._local_scalar_dense.default: _item,
    _A.equal.default: _equal,
    _A._assert_async.default: _assert_async,
    _A._assert_async.msg: _assert_async,
    _A._linalg_check_errors.default: _check_errors,
    _A.allclose.default: _allclose,
    _A.nonzero.default: counted.nonzero,
    _A._unique2.default: counted.unique,
    _A.unique_dim.default: counted.unique_dim,
    _A.unique_consecutive.default: counted.unique_consecutive,
    _A.bincount.default: counted.bincount,
    _A.repeat_interleave.Tensor: counted.repeat_interleave,
    _A.index.Tensor: _index,
    _A.index_put.default: _index_put,
    _A.index_put_.default: _index_put_,
    _A._index_put_impl_.default: _index_put_,
    _A.masked_select.default: _masked_select,
    _A.native_batch_norm.default: _batch_norm,
    _A._native_batch_norm_legit.default: _batch_norm,
    _A.empty.memory_format: _empty,
    _A.empty_strided.default: _empty,
    _A.new_empty_strided.default: _new_empty_strided,
    _A.resize_.default: _resize,
    _A.detach_.default: lambda x: x,  # what autograd makes of it happened above
    _A._amp_foreach_non_finite_check_and_unscale_.default: scaling.unscale,
    _A._amp_update_scale_.default: scaling.update,
    _A.record_stream.default: lambda *_: None,
}
