"""Operators that run graphs: loops and branches, as regions of StableHLO's operations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import torch
from torch import fx

from trainyard.torch.errors import Refusal
from trainyard.torch.writer import Value, element_of

_FIX = "take it out of the loop or the branch"


def _in_full(w: Any, value: Any) -> Value:
    """A value as loops and branches hold it: integers in the width of their type, as how large
    they become is not known."""
    if not isinstance(value, Value):
        raise Refusal("a complex number, or none, in a loop or a branch", _FIX)
    return w.with_element(value, element_of(value.dtype))


def _body(w: Any, graph: fx.GraphModule, given: Sequence[Any]) -> list[Value]:
    """The lines of a graph, and its results."""
    location, random, asserted = w.location, w.random_place, len(w.asserted)
    made = [_in_full(w, each) for each in w.write_graph(graph, given).values]
    if w.random_place != random or len(w.asserted) != asserted:
        raise Refusal("a random number or an assertion in a loop or a branch", _FIX)
    w.location = location
    return made


def _returned(w: Any, values: Sequence[Value]) -> None:
    names, types = (", ".join(getattr(x, key) for x in values) for key in ("name", "type"))
    w.lines.append(f"    stablehlo.return {names} : {types}")


def while_loop(
    w: Any,
    condition: fx.GraphModule,
    body: fx.GraphModule,
    carried: Sequence[Any],
    additional: Sequence[Any] = (),
) -> list[Value]:
    """What `carried` is when the condition is false first. What is not carried stays."""
    begin = [_in_full(w, each) for each in carried]
    number = w.fresh()
    state = [
        replace(x, name=f"%loop{number}_{i}", bound=_bound(x.dtype)) for i, x in enumerate(begin)
    ]
    pairs = ", ".join(f"{x.name} = {y.name}" for x, y in zip(state, begin, strict=True))
    types = ", ".join(x.type for x in state)
    location = w.location
    w.lines.append(f"    %while{number}:{len(state)} = stablehlo.while({pairs}) : {types}")
    w.lines.append("    cond {")
    _returned(w, _body(w, condition, [*state, *additional]))
    w.lines.append("    } do {")
    after = _body(w, body, [*state, *additional])
    if [x.type for x in after] != [x.type for x in state]:
        raise Refusal("a loop whose values change shape or type", "keep them as they begin")
    _returned(w, after)
    w.lines.append(f"    }}{location}")
    return [replace(x, name=f"%while{number}#{i}") for i, x in enumerate(state)]


def cond(
    w: Any,
    predicate: Any,
    on_true: fx.GraphModule,
    on_false: fx.GraphModule,
    operands: Sequence[Any] = (),
) -> list[Value]:
    """What one of two graphs gives."""
    if isinstance(predicate, bool):
        return _body(w, on_true if predicate else on_false, operands)
    predicate = w.reshape(w.cast(predicate, torch.bool), ())
    number, location = w.fresh(), w.location
    place = len(w.lines)
    w.lines.append("")
    made = _body(w, on_true, operands)
    _returned(w, made)
    w.lines.append("    }, {")
    other = _body(w, on_false, operands)
    if [x.type for x in made] != [x.type for x in other]:
        raise Refusal("branches of several types", "give both the same shapes and types")
    _returned(w, other)
    types = ", ".join(x.type for x in made)
    w.lines.append(f"    }}) : ({predicate.type}) -> ({types}){location}")
    w.lines[place] = f'    %if{number}:{len(made)} = "stablehlo.if"({predicate.name}) ({{'
    return [replace(x, name=f"%if{number}#{i}", bound=_bound(x.dtype)) for i, x in enumerate(made)]


def _bound(dtype: torch.dtype) -> int | None:
    return 1 if dtype == torch.bool else None


# By name, as PyTorch imports these when they are used.
_WRITERS: dict[str, Callable[..., list[Value]]] = {"while_loop": while_loop, "cond": cond}


def writer_of(target: Any) -> Callable[..., list[Value]] | None:
    """What writes an operator that runs graphs."""
    is_one = isinstance(target, torch._ops.HigherOrderOperator)
    return _WRITERS.get(target.name()) if is_one else None
