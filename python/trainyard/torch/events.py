"""`torch.neuron.Event`: a place in the order of what the device computes, with its simulated time,
by the functions that `torch.cuda.Event` has.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from trainyard.torch.clock import clock
from trainyard.torch.queue import queue


class Event:
    """A mark that `record` sets behind everything that was asked of the device before.

    enable_timing: whether `elapsed_time` can be asked. blocking is taken and changes nothing, as
    the host waits for the device in any case. Raises ValueError for interprocess=True.
    It is none of PyTorch's own events, which Dynamo would make operators of a graph; in a compiled
    function its methods break the graph, as they must, to stand between two programs.
    """

    def __init__(
        self, enable_timing: bool = False, blocking: bool = False, interprocess: bool = False
    ) -> None:
        if interprocess:
            raise ValueError("an event of neuron belongs to its process: leave out interprocess")
        self._times = enable_timing
        self._seconds: float | None = None  # the clock's when it was recorded

    def record(self, stream: Any = None) -> None:
        """Computes what waits, and keeps the clock's time. The device has one stream."""
        queue.flush()
        if self._times:
            clock.start(self)
        self._seconds = clock.seconds

    def elapsed_time(self, end_event: Event) -> float:
        """Simulated milliseconds of the programs launched after this event was recorded and before
        `end_event` was: neither copies over PCIe nor the host's time.

        Raises ValueError unless both were made with enable_timing=True, and RuntimeError unless
        both were recorded.
        """
        if not (self._times and end_event._times):
            raise ValueError("both events must be made with enable_timing=True")
        if self._seconds is None or end_event._seconds is None:
            raise RuntimeError("both events must be recorded before their time is asked")
        return (end_event._seconds - self._seconds) * 1e3

    def synchronize(self) -> None:
        """Returns at once: `record` has computed what came before."""

    def query(self) -> bool:
        """Whether what came before it is computed: always."""
        return True

    def wait(self, stream: Any = None) -> None:
        """Returns at once: there is one stream, in whose order the device computes."""

    def __repr__(self) -> str:
        when = "not recorded" if self._seconds is None else f"{self._seconds * 1e3:.6f} ms"
        return f"<torch.neuron.Event {when}>"


def break_graphs(disable: Callable[[Any], Any]) -> None:
    """`disable`: of Dynamo, which calls what it made of a function instead of tracing it."""
    for name in ("record", "elapsed_time", "synchronize", "query", "wait"):
        setattr(Event, name, disable(getattr(Event, name)))
