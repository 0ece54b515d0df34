"""The arguments and results of a kernel call: arrays on the way in and out of a trace."""

from __future__ import annotations

import copy
import dataclasses
import inspect
from collections.abc import AsyncIterable, Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from nki import _values
from nki.language import NKIObject, NkiTensor


@dataclass
class Input:
    """An array argument: what the caller gave, its memory in row-major order, and its tensor."""

    given: Any
    array: np.ndarray
    tensor: NkiTensor


@dataclass
class Traced:
    """A kernel instance as a program: its inputs, what it returns, and what it prints."""

    program: Any
    inputs: list[Input]
    returned: Any
    outputs: list[NkiTensor]
    written_inputs: list[int]
    prints: list[tuple[str, NkiTensor]] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)  # HBM tensors it stores, returning nothing


def map_leaves(
    value: Any, name: str, f: Callable[[Any, str], Any], keeps_numbers: bool = False
) -> Any:
    """`value` with f(item, name) in the place of everything that is not a container.

    Containers are tuples, lists, dictionaries and NKIObjects; they are copied. `keeps_numbers`: f
    returns whole numbers as they are, so that lists of them (ranks) need no look at each.
    """
    if isinstance(value, (tuple, list)):
        if keeps_numbers and type(value) is list and set(map(type, value)) == {int}:
            return value.copy()
        items = [map_leaves(item, f"{name}_{i}", f, keeps_numbers) for i, item in enumerate(value)]
        return type(value)(*items) if hasattr(value, "_fields") else type(value)(items)
    if isinstance(value, dict):
        return {
            key: map_leaves(item, f"{name}_{key}", f, keeps_numbers) for key, item in value.items()
        }
    if isinstance(value, NKIObject):
        copied = copy.copy(value)
        for key, item in vars(value).items():
            object.__setattr__(copied, key, map_leaves(item, f"{name}_{key}", f, keeps_numbers))
        return copied
    return f(value, name)


def bind(
    signature: inspect.Signature,
    args: tuple,
    kwargs: dict[str, Any],
    make: Callable[[np.ndarray, str], NkiTensor],
) -> tuple[inspect.BoundArguments, list[Input]]:
    """The call with every array replaced by the tensor make(array, name), and those arrays."""
    inputs: list[Input] = []

    def take(value: Any, name: str) -> Any:
        if not _values.is_array(value):
            return value
        array = _values.to_numpy(value)
        try:
            tensor = make(array, name)
        except TypeError as error:
            raise TypeError(f"argument {name}: {error}") from None
        inputs.append(Input(value, array, tensor))
        return tensor

    try:
        call = signature.bind(*args, **kwargs)
    except TypeError as error:
        raise TypeError(f"the kernel takes {signature}: {error}") from None
    call.apply_defaults()
    arguments = {
        name: map_leaves(value, name, take, keeps_numbers=True)
        for name, value in call.arguments.items()
    }
    return inspect.BoundArguments(signature, arguments), inputs


def tensors_in(value: Any) -> list[NkiTensor]:
    """The tensors in what a kernel returns, in order."""
    found: list[NkiTensor] = []

    def collect(item: Any, _: str) -> Any:
        if isinstance(item, NkiTensor):
            found.append(item)
        return item

    map_leaves(value, "", collect)
    return found


_PLAIN = (NkiTensor, str, bytes, range, np.generic, type)


def closed_in(value: Any) -> list[Any]:
    """What a kernel returns that may hold tensors but is none of the containers."""
    found: list[Any] = []
    map_leaves(value, "", lambda item, _: found.append(item) if _is_closed(item) else None)
    return found


def _is_closed(item: Any) -> bool:
    """Whether tensors in an item would be returned as they are, without their values."""
    if isinstance(item, _PLAIN) or _values.is_array(item):
        return False
    if isinstance(item, (Iterable, Awaitable, AsyncIterable)) or dataclasses.is_dataclass(item):
        return True
    return any(isinstance(one, NkiTensor) for one in getattr(item, "__dict__", {}).values())


def outline(value: Any) -> dict[str, str]:
    """The structure of what a kernel returns: what each of its items is, by the item's name."""
    items: dict[str, str] = {}

    def describe(item: Any, name: str) -> None:
        is_tensor = isinstance(item, NkiTensor)
        items[name] = f"{item.dtype} {item.shape}" if is_tensor else type(item).__name__

    map_leaves(value, "result", describe)
    return items


def rebuilt(value: Any, made: dict[int, Any]) -> Any:
    """What a kernel returns, with arrays in the place of its tensors (by identity)."""
    return map_leaves(value, "", lambda item, _: made.get(id(item), item))


def arrays_given(args: tuple, kwargs: dict[str, Any]) -> Iterator[Any]:
    """The array arguments, as the caller gave them."""
    found: list[Any] = []
    map_leaves((*args, *kwargs.values()), "", lambda item, _: found.append(item), True)
    return (item for item in found if _values.is_array(item))


def check_options(given: dict[str, Any]) -> None:
    """Raises TypeError for an option of a run that is of the wrong type."""
    for name in ("timed", "values", "checks", "record"):
        if not isinstance(given.get(name, True), bool):
            raise TypeError(f"{name} is True or False, not {given[name]!r}")
    if not isinstance(given.get("schedule", ""), str):
        raise TypeError(f"schedule is 'author', 'list' or 'free', not {given['schedule']!r}")
