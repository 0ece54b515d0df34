"""NKIObject: the base of user classes that kernels pass around. Source: NKI language guide 0.6."""

from __future__ import annotations

import dataclasses
from typing import Any


def _fields(cls: type) -> dict[str, Any]:
    """The annotated fields of a class and its bases, each with its default or None."""
    found: dict[str, Any] = {}
    for base in reversed(cls.__mro__):
        if base in (object, NKIObject):
            continue
        for name, annotation in base.__dict__.get("__annotations__", {}).items():
            if "ClassVar" not in str(annotation):
                found[name] = base.__dict__.get(name)
    for field in getattr(cls, "__dataclass_fields__", {}).values():
        if field.default is not dataclasses.MISSING:
            found[field.name] = field.default
        elif field.default_factory is not dataclasses.MISSING:
            found[field.name] = field.default_factory
        else:
            found[field.name] = None
    return found


def _factories(cls: type) -> set[str]:
    fields = getattr(cls, "__dataclass_fields__", {})
    return {n for n, f in fields.items() if f.default_factory is not dataclasses.MISSING}


def _written_by_author(cls: type) -> bool:
    """Whether a class of the author, not dataclasses and not NKIObject, defines __init__."""
    for base in cls.__mro__:
        init = base.__dict__.get("__init__")
        if base is NKIObject or base is object:
            return False
        if init is not None:
            code = getattr(init, "__code__", None)  # dataclasses compile theirs from a string
            return code is None or code.co_filename != "<string>"
    return False


class _Meta(type):
    """Makes objects as NKI does, with @dataclass or without; see NKIObject."""

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        if _written_by_author(cls):
            return super().__call__(*args, **kwargs)
        fields = _fields(cls)
        if len(args) > len(fields):
            raise TypeError(f"{cls.__name__} has {len(fields)} fields, not {len(args)}")
        given = dict(zip(fields, args, strict=False))
        if twice := given.keys() & kwargs.keys():
            raise TypeError(f"{cls.__name__} got {', '.join(sorted(twice))} twice")
        given |= kwargs
        unknown = [n for n in kwargs if n not in fields and not hasattr(cls, n)]
        if unknown:
            raise TypeError(f"{cls.__name__} has no field {', '.join(unknown)}")
        factories = _factories(cls)
        kind: Any = cls
        made = kind.__new__(cls)
        for name, default in fields.items():
            if name not in given:
                given[name] = default() if name in factories else default
        for name, value in given.items():
            object.__setattr__(made, name, value)  # also into frozen dataclasses
        made.__post_init__()
        return made


class NKIObject(metaclass=_Meta):
    """Base of user classes that kernels pass around.

    A class without an __init__ of its own takes its annotated fields in order or by name; fields
    that are not given have their defaults, or None. @dataclass changes nothing but adds what else
    it adds. __post_init__ runs last.
    """

    def __post_init__(self) -> None:
        """For classes to define; called when all fields are set."""
