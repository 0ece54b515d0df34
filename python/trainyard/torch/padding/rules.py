"""What each operator does with padded dimensions, one rule each: which elements of its result
count, and what is masked before. An operator without a rule takes values that are not padded.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import torch
from torch import fx
from torch.utils._pytree import tree_flatten, tree_map

from trainyard.torch.padding import rules_of_places, rules_of_sums, rules_of_views
from trainyard.torch.padding.factors import Dims, Unpadded, broadcast, is_padded, plain_dims
from trainyard.torch.padding.interpreter import Interpreter, Padded

_A = torch.ops.aten
Rule = Callable[..., Any]

# Elementwise, though PyTorch does not tag them so.
_ELEMENTWISE = {
    _A._to_copy.default,
    _A.clone.default,
    _A.detach.default,
    _A.alias.default,
    _A.where.self,
    _A.copy.default,
    _A.fill.Scalar,
    _A.fill.Tensor,
    _A.bernoulli.default,
    _A.bernoulli.p,
    _A.lift_fresh_copy.default,
    torch.ops.prims.convert_element_type.default,
    torch.ops.prims.device_put.default,
    torch.ops.prims.view_of.default,
}
_LIKE = {
    _A.zeros_like.default,
    _A.ones_like.default,
    _A.full_like.default,
    _A.empty_like.default,
    _A.rand_like.default,
    _A.randn_like.default,
}
_FILLED = {  # and which argument has the sizes
    _A.full.default: 0,
    _A.zeros.default: 0,
    _A.ones.default: 0,
    _A.empty.memory_format: 0,
    _A.empty_strided.default: 0,
    _A.new_zeros.default: 1,
    _A.new_ones.default: 1,
    _A.new_empty.default: 1,
    _A.new_full.default: 1,
    _A.new_empty_strided.default: 1,
}


def apply(run: Interpreter, node: fx.Node, values: dict[fx.Node, Any]) -> Any:
    """One operator of the graph: Padded, several of them, or a size."""
    val = node.meta.get("val")
    if isinstance(val, (torch.SymInt, torch.SymFloat, torch.SymBool, int, float, bool)):
        return val
    args = fx.node.map_arg(node.args, lambda each: values[each])
    named = fx.node.map_arg(node.kwargs, lambda each: values[each])
    if node.target is operator.getitem:
        return args[0][args[1]]
    args, named = _in_place(node.target, list(args), dict(named))
    rule = _RULES.get(node.target)
    if rule is not None:
        return rule(run, node, *args, **named)
    if node.target in _ELEMENTWISE or _is_pointwise(node.target):
        return elementwise(run, node, *args, **named)
    if node.target in _LIKE:
        return _like(run, node, *args, **named)
    if node.target in _FILLED:
        return _filled(run, node, *args, **named)
    return _whole(run, node, *args, **named)


def _is_pointwise(target: Any) -> bool:
    return isinstance(target, torch._ops.OpOverload) and torch.Tag.pointwise in target.tags


def _in_place(target: Any, args: list[Any], named: dict[str, Any]) -> tuple[list[Any], Any]:
    """Arguments that were given by name where they may stand by place, and the others by name. The
    graph is traced on the host's tensors."""
    for key, value in named.items():
        if isinstance(value, torch.device):
            named[key] = torch.device("cpu")
    if isinstance(target, torch._ops.OpOverload):
        for argument in target._schema.arguments[len(args) :]:
            if argument.kwarg_only or not named.keys() & set(_placed(target)[len(args) :]):
                break
            args.append(named.pop(argument.name, argument.default_value))
    return args, named


def _placed(target: Any) -> list[str]:
    return [argument.name for argument in target._schema.arguments if not argument.kwarg_only]


def _numbers(run: Interpreter, x: Any) -> Any:
    """The same, but sizes are what they really are."""
    if isinstance(x, (torch.SymInt, torch.SymFloat)):
        return run.count(x) if run.is_variable(x) else run.constant(x)
    return x.tensor if isinstance(x, Padded) else x


def elementwise(run: Interpreter, node: fx.Node, *args: Any, **named: Any) -> Padded:
    padded = [x for x in tree_flatten((args, named))[0] if isinstance(x, Padded)]
    given = tree_map(lambda x: _numbers(run, x), args)
    others = {key: _numbers(run, x) for key, x in named.items()}
    flat = tree_flatten(args)[0]
    if any(isinstance(x, (torch.SymInt, torch.SymFloat)) and run.is_variable(x) for x in flat):
        kind = node.meta["val"].dtype
        made = _with_tensors(node.target, given, others, padded).to(kind)
    else:
        made = node.target(*given, **others)
    return Padded(made, broadcast([x.dims for x in padded]))


_OPERATIONS: dict[str, Callable[..., Any]] = {
    "add": torch.add,
    "sub": torch.sub,
    "mul": torch.mul,
    "div": torch.div,
    "pow": torch.pow,
    "eq": torch.eq,
    "ne": torch.ne,
    "lt": torch.lt,
    "le": torch.le,
    "gt": torch.gt,
    "ge": torch.ge,
    "remainder": torch.remainder,
    "maximum": torch.maximum,
    "minimum": torch.minimum,
    "where": torch.where,
}


def _with_tensors(target: Any, given: Any, named: Any, padded: list[Padded]) -> torch.Tensor:
    """An operator of a number that became a tensor."""
    name = target._schema.name.split("::")[1]
    if name not in _OPERATIONS:
        raise Unpadded(f"{target} of a size")
    like = padded[0].tensor
    if like.is_floating_point():
        given = [x.to(like.dtype) if isinstance(x, torch.Tensor) else x for x in given]
    return _OPERATIONS[name](*given, **named)


def _like(run: Interpreter, node: fx.Node, x: Padded, *args: Any, **named: Any) -> Padded:
    given = [_numbers(run, each) for each in args]
    return Padded(node.target(x.tensor, *given, **named), x.dims)


def _filled(run: Interpreter, node: fx.Node, *args: Any, **named: Any) -> Padded:
    place = _FILLED[node.target]
    dtype = node.meta["val"].dtype
    sizes = run.sizes(args[place])
    dims = run.dims_of(args[place])
    if node.target in (_A.full.default, _A.new_full.default):
        value = _numbers(run, args[place + 1])
        if isinstance(value, torch.Tensor):
            return Padded(value.to(dtype).expand(sizes), dims)
        return Padded(torch.full(sizes, value, dtype=dtype), dims)
    if node.target in (_A.ones.default, _A.new_ones.default):
        return Padded(torch.ones(sizes, dtype=dtype), dims)
    return Padded(torch.zeros(sizes, dtype=dtype), dims)


def _scalar_tensor(run: Interpreter, node: fx.Node, value: Any, **named: Any) -> Padded:
    if isinstance(value, (torch.SymInt, torch.SymFloat)) and run.is_variable(value):
        return Padded(run.count(value).to(node.meta["val"].dtype), ())
    given = run.constant(value) if isinstance(value, torch.SymInt) else value
    return Padded(node.target(given, **named), ())


def _arange(
    run: Interpreter, node: fx.Node, start: Any, end: Any, step: Any = 1, **named: Any
) -> Padded:
    shape = node.meta["val"].shape
    dims = run.known_dims(shape)
    dtype = node.meta["val"].dtype
    if not run.is_variable(start) and not run.is_variable(step):
        begin, by = run.constant(start), run.constant(step)
        count = run.extent(shape[0])
        made = torch.arange(count, dtype=dtype)
        if (begin, by) != (0, 1):
            made = made * by + begin
        return Padded(made.to(dtype), dims)
    made = torch.arange(run.extent(shape[0]), dtype=dtype) * _numbers(run, step)
    return Padded((made + _numbers(run, start)).to(dtype), dims)


def _iota(run: Interpreter, node: fx.Node, length: Any, **named: Any) -> Padded:
    start, step = named.get("start", 0), named.get("step", 1)
    return _arange(run, node, start, None, step)


def _whole(run: Interpreter, node: fx.Node, *args: Any, **named: Any) -> Any:
    """Any operator, of values that are not padded."""
    flat = tree_flatten((args, named))[0]
    for x in flat:
        if isinstance(x, Padded) and x.padded:
            raise Unpadded(f"{node.target}")
        if isinstance(x, (torch.SymInt, torch.SymFloat)) and run.is_variable(x):
            raise Unpadded(f"{node.target} of a size")
    made = node.target(*run.sizes(args), **{k: run.sizes(v) for k, v in named.items()})
    if isinstance(made, (list, tuple)):
        return [each if each is None else Padded(each, plain_dims(each.shape)) for each in made]
    return Padded(made, plain_dims(made.shape)) if isinstance(made, torch.Tensor) else made


def _per_image(spatial: int) -> Rule:
    """Operators of images: the leading dimensions may be padded."""

    def rule(run: Interpreter, node: fx.Node, *args: Any, **named: Any) -> Any:
        tensors = [x for x in args if isinstance(x, Padded)]
        lead: Dims = ()
        for x in tensors:
            if any(map(is_padded, x.dims[x.rank - spatial :])):
                raise Unpadded(f"{node.target} along a padded dimension")
            lead = broadcast([lead, x.dims[: x.rank - spatial]]) if lead else x.dims[:-spatial]
        made = node.target(*run.sizes(args), **{k: run.sizes(v) for k, v in named.items()})

        def result(each: torch.Tensor) -> Padded:
            return Padded(each, (*lead, *plain_dims(each.shape[len(lead) :])))

        return list(map(result, made)) if isinstance(made, (list, tuple)) else result(made)

    return rule


def _image_rules() -> dict[Any, Rule]:
    found = {}
    for name in (
        "max_pool{}d_with_indices",
        "max_pool{}d_with_indices_backward",
        "avg_pool{}d",
        "avg_pool{}d_backward",
        "_adaptive_avg_pool{}d",
        "_adaptive_avg_pool{}d_backward",
    ):
        for spatial in (2, 3):
            packet = getattr(_A, name.format(spatial), None)
            if packet is not None:
                found[packet.default] = _per_image(spatial)
    return found


_RULES: dict[Any, Rule] = {
    **rules_of_views.RULES,
    **rules_of_sums.RULES,
    **rules_of_places.RULES,
    **_image_rules(),
    _A.scalar_tensor.default: _scalar_tensor,
    _A.arange.start_step: _arange,
    torch.ops.prims.iota.default: _iota,
}
