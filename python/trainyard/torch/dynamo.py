"""What Dynamo must be told of the device and its backend. It takes seconds to import, so it is told
when something imports it: torch.compile does. PyTorch 2.13 has no public way for most of this.

Tensors of the device are a Python subclass, which is traced as plain tensors of a device, not as
objects; what a library logs with constants is logged while it is traced, and breaks no graph.
"""

from __future__ import annotations

import importlib.abc
import importlib.util
import logging
import sys
from collections.abc import Callable, Sequence
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any

import torch

import trainyard
from trainyard.torch import custom, higher_order

_DYNAMO = "torch._dynamo"
_MESSAGES = ("debug", "info", "warning", "warn", "error", "critical", "exception", "log")


class _Loader(importlib.abc.Loader):
    """A module's own loader; behind it, the module is told."""

    def __init__(self, loader: Any, tell: Callable[[ModuleType], None]) -> None:
        self._loader = loader
        self._tell = tell

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        self._loader.exec_module(module)
        self._tell(module)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)


class _Finder(importlib.abc.MetaPathFinder):
    """Stands in front of the other finders until a module is imported."""

    def __init__(self, name: str, tell: Callable[[ModuleType], None]) -> None:
        self._name = name
        self._tell = tell
        self._asks = False

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name != self._name or self._asks:
            return None
        self._asks = True
        try:
            spec = importlib.util.find_spec(name)
        finally:
            self._asks = False
        if spec is not None:
            spec.loader = _Loader(spec.loader, self._loaded)
        return spec

    def _loaded(self, module: ModuleType) -> None:
        """Not before: others ask whether there is such a module, and do not import it."""
        if self in sys.meta_path:
            sys.meta_path.remove(self)
            self._tell(module)


def register() -> None:
    """Tells Dynamo, and others whose operators the device computes its own way, now or when they
    are imported."""
    told = {
        _DYNAMO: _tell_dynamo,
        higher_order.MODULE: higher_order.admit_device,
        custom.VISION: custom.tell,
    }
    for name, tell in told.items():
        if name in sys.modules:
            tell(sys.modules[name])
        else:
            sys.meta_path.insert(0, _Finder(name, tell))


def _tell_dynamo(_: ModuleType) -> None:
    from torch._dynamo.variables import builder
    from torch._dynamo.variables.misc import LoggingLoggerVariable
    from torch._subclasses import FakeTensorMode

    from trainyard.torch import backend, eager, events, recurrent
    from trainyard.torch.tensor import NeuronTensor

    torch._dynamo.config.traceable_tensor_subclasses.add(NeuronTensor)
    table = builder.VariableBuilder._type_dispatch()
    table[NeuronTensor] = builder.VariableBuilder.wrap_tensor
    builder.infer_subclass_type = _no_subclass(builder.infer_subclass_type, NeuronTensor)
    LoggingLoggerVariable.call_method = _logged(LoggingLoggerVariable.call_method)
    # Dynamo is to see the operators, not how they are queued.
    eager.enter = torch._dynamo.disable(eager.enter)
    NeuronTensor.dispatch = staticmethod(eager.enter)
    events.break_graphs(torch._dynamo.disable)
    FakeTensorMode.may_turn_const = _unless_ours(FakeTensorMode.may_turn_const)
    for name, function in recurrent.FUNCTIONS.items():
        recurrent.FUNCTIONS[name] = torch._dynamo.disable(function)
    _skip_our_frames()
    higher_order.register()
    backend.register()


def _skip_our_frames() -> None:
    """What runs behind a graph break, as a tensor of the device is read, is not compiled in its
    turn; where a compiled function calls a function of ours (torch.tensor), it is inlined."""
    from torch._dynamo import trace_rules

    trace_rules.add("trainyard")
    trace_rules.get_mod_inlinelist().add(str(Path(trainyard.__file__).parent))


def _no_subclass(
    infer: Callable[[Any], type | None], ours: type[torch.Tensor]
) -> Callable[[Any], type | None]:
    """infer_subclass_type: tensors of subclasses are refused by torch.cond."""

    def infer_subclass_type(value: Any) -> type | None:
        return None if type(value) is ours else infer(value)

    return infer_subclass_type


def _unless_ours(may_turn: Callable[[Any, torch.Tensor], bool]) -> Callable[..., bool]:
    """FakeTensorMode.may_turn_const: PyTorch does not compute itself, while it traces, with numbers
    that moved to the device."""

    def may_turn_const(self: Any, tensor: torch.Tensor) -> bool:
        return tensor.device.type != "neuron" and may_turn(self, tensor)

    return may_turn_const


def _logged(call: Callable[..., Any]) -> Callable[..., Any]:
    """LoggingLoggerVariable.call_method, which breaks the graph at messages."""

    def call_method(self: Any, tx: Any, name: str, args: Any, kwargs: dict[str, Any]) -> Any:
        from torch._dynamo.variables import ConstantVariable

        values = [*args, *kwargs.values()]
        is_message = name in _MESSAGES or name.endswith("_once")
        if not (is_message and isinstance(self.value, logging.Logger)) or not all(
            each.is_python_constant() for each in values
        ):
            return call(self, tx, name, args, kwargs)
        named = {key: each.as_python_constant() for key, each in kwargs.items()}
        getattr(self.value, name)(*(each.as_python_constant() for each in args), **named)
        return ConstantVariable.create(None)

    return call_method
