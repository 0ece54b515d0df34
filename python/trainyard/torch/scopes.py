"""Which module of a model runs, for operators of the eager mode: "layers.3.mlp". It is followed
only while somebody asks where time goes, as each call of a module costs some microseconds more.
"""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import torch
from torch.nn.modules import module as modules

_stack: list[str] = []
_names: list[dict[int, str]] = []  # of the outermost module's parts, by identity
_followers = 0
# What PyTorch says of hooks of all modules; ours may see a compiled module twice.
_OF_HOOKS = r"Using `torch\.compile\(module\)` when there are global hooks on modules"
_handles: list[Any] = []
_forward: dict[int, tuple[Place, Scope]] = {}  # of operators, by autograd's number


@dataclass(frozen=True)
class Scope:
    """`path` of a module in its model, "" outside; of a backward pass that of its operator."""

    path: str
    is_backward: bool = False


OUTSIDE = Scope("")
Place = tuple[str, int, str]


def of_operator(place: Place) -> tuple[Place, Scope]:
    """Where the operator that is dispatched belongs, if that is followed; in a backward pass the
    place of the operator whose gradient it is."""
    if not _followers:
        return place, OUTSIDE
    if torch._C._current_graph_task_id() == -1:
        scope = Scope(_stack[-1] if _stack else "")
        # Autograd has just made the node of an operator that has a gradient.
        _forward.setdefault(torch.autograd._get_sequence_nr() - 1, (place, scope))
        return place, scope
    node = torch._C._current_autograd_node()
    found = _forward.get(node._sequence_nr()) if node is not None else None
    if found is None:
        return place, Scope("", True)
    return found[0], Scope(found[1].path, True)


def _enter(module: torch.nn.Module, _: Any) -> None:
    if not _stack:
        _names.append({id(each): name for name, each in module.named_modules()})
    known = _names[-1].get(id(module))
    _stack.append(_stack[-1] if known is None else known)


def _leave(*_: Any) -> None:
    if _stack:
        _stack.pop()
        if not _stack:
            _names.pop()


def follow() -> None:
    """From now on."""
    global _followers
    _followers += 1
    if _followers == 1:
        warnings.filterwarnings("ignore", _OF_HOOKS)
        _handles.append(modules.register_module_forward_pre_hook(_enter))
        _handles.append(modules.register_module_forward_hook(_leave, always_call=True))


def leave() -> None:
    """No longer, as often as it was asked for."""
    global _followers
    _followers -= 1
    if _followers == 0:
        while _handles:
            _handles.pop().remove()
        _stack.clear()
        _names.clear()
        _forward.clear()


@contextlib.contextmanager
def following() -> Iterator[None]:
    """In the block."""
    follow()
    try:
        yield
    finally:
        leave()
