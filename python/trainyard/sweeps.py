"""Times a kernel over a grid of arguments, machines and figures, in several processes."""

from __future__ import annotations

import concurrent.futures
import itertools
import multiprocessing
import os
import pickle
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from trainyard import _core, notebook
from trainyard.planner.frames import frame

_RUN = ("machine", "schedule")  # names of the grid that say how to run
_COLUMNS = ("time_ns", "bound", "light", "joules", "error")


@dataclass(frozen=True)
class Sweep:
    """What a sweep found: `rows`, one dict a point, in the order of the grid.

    A row has the point's values, `time_ns`, `bound`, `light` (the share of the speed of light),
    `joules`, and `error`, the reason where the kernel did not run at that point (else None).
    """

    rows: list[dict[str, Any]]

    @property
    def best(self) -> dict[str, Any]:
        """The row with the shortest time. Raises ValueError where no point ran."""
        timed = [row for row in self.rows if row["error"] is None]
        if not timed:
            raise ValueError(f"no point ran; the first says: {self.rows[0]['error']}")
        return min(timed, key=lambda row: row["time_ns"])

    def frame(self) -> Any:
        """A pandas.DataFrame of the rows; the rows where pandas is not installed."""
        return frame(self.rows)

    def _table(self) -> tuple[list[str], list[list[str]]]:
        heads = list(self.rows[0])
        return heads, [[_shown(name, row[name]) for name in heads] for row in self.rows]

    def __str__(self) -> str:
        heads, rows = self._table()
        widths = [max(len(row[i]) for row in (heads, *rows)) for i in range(len(heads))]
        lines = (
            "  ".join(cell.rjust(wide) for cell, wide in zip(row, widths, strict=True))
            for row in (heads, *rows)
        )
        return "\n".join(line.rstrip() for line in lines)

    def _repr_html_(self) -> str:
        heads, rows = self._table()
        return notebook.table(heads, rows)


def sweep(
    kernel: Any,
    grid: Mapping[str, Iterable[Any]],
    inputs: Mapping[str, Any] | Callable[..., Mapping[str, Any]] | None = None,
    *,
    processes: int | None = None,
) -> Sweep:
    """Times `kernel` at every combination of the grid's values, without computing values.

    A name of the grid is an argument of the kernel, "machine", "schedule", or a figure of the
    machine (a name with a dot, with values as --set takes them). `inputs` are further arguments of
    the kernel, or a function that makes its arguments from a point's: then only that function gets
    the grid's arguments. `processes` defaults to the processors of this host; a kernel that is not
    at the top of a module runs in this process. A point that the kernel or machine refuses is a row
    with the reason in `error`; other exceptions are raised. Raises ValueError for an empty grid.

        trainyard.sweep(matmul, {"n": [1024, 2048], "machine": ["trn2", "trn3"]}, make_inputs)
    """
    chosen = list(points(grid))
    if not chosen:
        raise ValueError("the grid has no points: each name needs at least one value")
    calls = [_call(point, inputs) for point in chosen]
    count = min(len(chosen), processes if processes is not None else os.cpu_count() or 1)
    if count > 1 and _can_leave(kernel):
        context = multiprocessing.get_context("forkserver")
        with concurrent.futures.ProcessPoolExecutor(count, mp_context=context) as pool:
            found = list(pool.map(_time, itertools.repeat(kernel), calls))
    else:
        found = [_time(kernel, call) for call in calls]
    return Sweep([point | answer for point, answer in zip(chosen, found, strict=True)])


def points(grid: Mapping[str, Iterable[Any]]) -> Iterator[dict[str, Any]]:
    """Each combination of the grid's values, the last name changing fastest."""
    values = [list(one) for one in grid.values()]
    for combination in itertools.product(*values) if values else ():
        yield dict(zip(grid, combination, strict=True))


def _call(
    point: Mapping[str, Any], inputs: Mapping[str, Any] | Callable[..., Mapping[str, Any]] | None
) -> tuple[dict[str, Any], dict[str, Any], list[str]]:
    """The kernel's arguments, how to run it, and the figures that are changed."""
    arguments = {k: v for k, v in point.items() if k not in _RUN and "." not in k}
    run = {name: point[name] for name in _RUN if name in point}
    figures = [f"{name}={value}" for name, value in point.items() if "." in name]
    made = inputs(**arguments) if callable(inputs) else (dict(inputs or {}) | arguments)
    return dict(made), run, figures


def _can_leave(kernel: Any) -> bool:
    """Whether another process can find the kernel."""
    function = getattr(kernel, "function", kernel)
    if getattr(function, "__module__", "__main__") == "__main__":
        return False
    try:
        pickle.dumps(kernel)
    except (pickle.PicklingError, AttributeError, TypeError):
        return False
    return True


def _time(
    kernel: Any, call: tuple[dict[str, Any], dict[str, Any], Sequence[str]]
) -> dict[str, Any]:
    """One point's columns."""
    arguments, run, figures = call
    try:
        machine: Any = run.get("machine")
        if figures:
            named = machine is None or isinstance(machine, str)
            machine = _core.load_machine(machine or "trn3") if named else machine
            machine = machine.with_overrides(list(figures))
        result = kernel.bench(**arguments, **(run | ({"machine": machine} if machine else {})))
    except (_core.InputError, _core.Fault) as error:
        why = " ".join(str(error).split())
        return dict.fromkeys(_COLUMNS[:-1]) | {"error": why}
    report = result.report
    return {
        "time_ns": result.time_ns,
        "bound": result.bound,
        "light": report["speed_of_light"]["share"],
        "joules": report["energy"]["joules"]["value"],
        "error": None,
    }


def _shown(name: str, value: Any) -> str:
    if value is None:
        return "-"
    if name == "time_ns":
        return notebook.time_text(value)
    if name == "light":
        return f"{100 * value:.1f} %"
    if name == "joules":
        return f"{1e6 * value:.4g} uJ"
    text = str(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
