"""Empty stand-ins for modules that a checkout imports but no kernel or test needs."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any


class _Anything(type):
    """A class any attribute of which is another such class."""

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return _Anything(name, (Exception,), {})


class _Stub(ModuleType):
    """A module in which every name is a class of its own, which can be raised and derived from."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        made = _Anything(name, (Exception,), {})
        setattr(self, name, made)
        return made


class StubFinder:
    """Finds stubs for the given modules and everything in them; stands last, so originals win."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        for known in self._names:
            if name == known or name.startswith(known + "."):
                return ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return _Stub(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        module.__path__ = []


def install(names: Sequence[str]) -> None:
    """Makes the modules importable where they are not installed."""
    sys.meta_path.append(StubFinder(names))
