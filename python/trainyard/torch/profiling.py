"""torch.profiler with the device's simulated time: each launch of a program is a range on the host
with a kernel of its length, and rows of the device share that among the program's operations.

While such a profiler runs, the end of a `record_function` computes what waits, so that the time of
operators is in the range that has them. PyTorch 2.13 has no way for Python to add events of a
device: they are put where it reads its own.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from trainyard.files import write_whole
from trainyard.torch import scopes

DEVICE = "neuron"
PREFIX = "neuron::"


@dataclass(frozen=True)
class Run:
    """One launch: `name` of its range; `shares`: of its microseconds, what each operation has."""

    name: str
    us: float
    shares: list[tuple[str, float]]


_flush: list[Callable[[], None]] = []  # computes what waits
_windows: list[list[Run]] = []  # of the profilers that run


def is_active() -> bool:
    """Whether a profiler wants the device's time."""
    return bool(_windows)


def add(name: str, seconds: float, reports: list[dict[str, Any]]) -> None:
    """A launch within the range `name`."""
    weights: dict[str, float] = {}
    for report in reports:
        for each in report.get("operations", []):
            operation = each.get("function") or name
            ticks = sum(each["engine_ticks"].values())
            weights[operation] = weights.get(operation, 0) + ticks
    total = sum(weights.values())
    us = seconds * 1e6
    shares = [(operation, us * ticks / total) for operation, ticks in weights.items() if ticks]
    for window in _windows:
        window.append(Run(name, us, shares or [(name, us)]))


def range_name(program: str) -> str:
    """Of a launch's range on the host."""
    return PREFIX + program


def register(flush: Callable[[], None]) -> None:
    """Before the first profiler is made. `flush`: computes what waits."""
    _flush.append(flush)
    from torch.autograd import profiler
    from torch.profiler import profiler as front

    plain = front.supported_activities
    front.supported_activities = lambda: plain() | {torch.profiler.ProfilerActivity.PrivateUse1}
    kind = profiler.profile
    kind.__init__ = _made(kind.__init__)  # type: ignore[method-assign]
    kind._start_trace = _started(kind._start_trace)  # type: ignore[method-assign]
    kind.__exit__ = _ended(kind.__exit__)  # type: ignore[method-assign]
    kind._parse_kineto_results = _with_device(kind._parse_kineto_results)  # type: ignore[method-assign]
    kind.export_chrome_trace = _exported(kind.export_chrome_trace)  # type: ignore[method-assign]
    front._KinetoProfile.export_chrome_trace = _exported(  # type: ignore[method-assign]
        front._KinetoProfile.export_chrome_trace
    )
    profiler.record_function.__exit__ = _flushed(  # type: ignore[method-assign]
        profiler.record_function.__exit__
    )


def _made(init: Callable[..., None]) -> Callable[..., None]:
    @functools.wraps(init)
    def wrapped(self: Any, *args: Any, **kwargs: Any) -> None:
        is_ours = kwargs.get("use_device") == DEVICE
        if is_ours:  # PyTorch would ask a library of the device, which there is not
            kwargs |= {"use_device": None, "use_cpu": True}
        init(self, *args, **kwargs)
        self._neuron_runs = [] if is_ours else None
        if is_ours and self.enabled:
            self.use_device = DEVICE

    return wrapped


def _started(start: Callable[..., None]) -> Callable[..., None]:
    @functools.wraps(start)
    def wrapped(self: Any) -> None:
        if self._neuron_runs is not None:
            _flush[0]()  # what came before is not a part of it
            if not self.acc_events:
                self._neuron_runs.clear()
            _windows.append(self._neuron_runs)
            scopes.follow()
        start(self)

    return wrapped


def _ended(end: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(end)
    def wrapped(self: Any, *args: Any) -> Any:
        try:
            return end(self, *args)
        finally:
            runs = getattr(self, "_neuron_runs", None)
            if any(window is runs for window in _windows):
                _windows[:] = [window for window in _windows if window is not runs]
                scopes.leave()

    return wrapped


def _flushed(end: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(end)
    def wrapped(self: Any, *args: Any) -> Any:
        if _windows and not self.name.startswith(PREFIX):
            _flush[0]()
        return end(self, *args)

    return wrapped


def _with_device(parse: Callable[..., list[Any]]) -> Callable[..., list[Any]]:
    """The events, with the device's behind them."""

    @functools.wraps(parse)
    def wrapped(self: Any, *args: Any, **kwargs: Any) -> list[Any]:
        from torch.autograd import DeviceType
        from torch.autograd.profiler_util import FunctionEvent

        events = parse(self, *args, **kwargs)
        if not self._neuron_runs:
            return events
        ranges = [x for x in events if x.name.startswith(PREFIX)]
        ranges.sort(key=lambda x: x.time_range.start)
        number = max((x.id for x in events), default=0)
        for event, run in zip(ranges, self._neuron_runs[-len(ranges) :], strict=False):
            event.append_kernel(run.name, 0, run.us)
            begin = event.time_range.start
            for operation, us in run.shares:
                number += 1
                events.append(
                    FunctionEvent(
                        id=number,
                        name=operation,
                        trace_name=operation,
                        overload_name="",
                        thread=event.thread,
                        start_us=begin,
                        end_us=begin + us,
                        input_shapes=[],
                        stack=[],
                        use_device=DEVICE,
                        device_type=DeviceType.PrivateUse1,
                        device_index=0,
                    )
                )
                begin += us
        return events

    return wrapped


def _exported(export: Callable[..., Any]) -> Callable[..., Any]:
    """The file, with the device as a process of its own; one launch begins where its range does."""

    @functools.wraps(export)
    def wrapped(self: Any, path: str, *args: Any, **kwargs: Any) -> Any:
        made = export(self, path, *args, **kwargs)
        inner = getattr(self, "profiler", self)
        runs = getattr(inner, "_neuron_runs", None)
        if runs and inner is self:
            _add_to_trace(Path(path), runs)
        return made

    return wrapped


def _add_to_trace(path: Path, runs: list[Run]) -> None:
    document = json.loads(path.read_text(encoding="utf-8"))
    events = document["traceEvents"] if isinstance(document, dict) else document
    ranges = [e for e in events if e.get("ph") == "X" and e.get("name", "").startswith(PREFIX)]
    ranges.sort(key=lambda event: event["ts"])
    name = {"name": "neuron:0, simulated time"}
    events.append({"ph": "M", "pid": DEVICE, "tid": 0, "name": "process_name", "args": name})
    for event, run in zip(ranges, runs[-len(ranges) :], strict=False):
        begin = event["ts"]
        for operation, us in run.shares:
            one = {"ph": "X", "cat": "kernel", "pid": DEVICE, "tid": 0, "ts": begin, "dur": us}
            events.append({**one, "name": operation, "args": {"program": run.name}})
            begin += us
    write_whole(path, json.dumps(document).encode())
