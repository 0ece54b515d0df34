"""JAX programs that this process runs on the platform `neuron`: what each took, and where.

`trainyard time|profile|check|run script.py` watches a script with it. From Python:

    with jax_runs.watching(machine, timed=True) as runs:   # before JAX is used for the first time
        step(x)
    print(runs.summary())

Each program's first run is simulated with the settings in force; those that follow compute values
only, as its time does not depend on them, unless it has loops or branches. Launches and copies over
PCIe are counted apart, one after the other, from the figures `host.*` of the machine.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from trainyard import _core, compiler_flags, rounding
from trainyard.compilations import Collector, prepared_note
from trainyard.devices_runs import DevicesRun
from trainyard.notebook import size_text, time_text
from trainyard.product_ways import DividedFunction
from trainyard.result import Result
from trainyard.simulated_devices import devices_of
from trainyard.usage import UsageError

_active: JaxRuns | None = None
_kept: list[JaxRuns] = []


class ProgramResult(Result):
    """The outcome of one program of a compiled JAX function; see Result."""

    def __init__(self, machine: Any, program: Any, name: str) -> None:
        super().__init__(machine, [program.instance], [program.run])
        self._name = name

    @property
    def name(self) -> str:
        """The function's name, and which of its programs this is where it has several."""
        return self._name


@dataclass
class Executable:
    """A function that JAX compiled, and its runs.

    `results`: of each of its programs, the first time they ran; `nanoseconds`: simulated, of all
    runs; `routines`: operations that no instruction computes (name, how many, place); `refusals`:
    what AWS's compiler is documented to refuse of it; `prepared`: weights stored in another format
    before the first run, in none of these times; `formats`: as Model.formats; `is_part`: belongs
    to a program of several devices, which is counted as one.
    """

    name: str
    routines: list[tuple[str, int, str]]
    instructions: int
    refusals: list[str] = field(default_factory=list)
    prepared: int = 0
    formats: list[tuple[str, str, int, int]] = field(default_factory=list)
    is_part: bool = False
    launches: int = 0
    nanoseconds: float = 0.0
    routine_nanoseconds: float = 0.0
    joules: float = 0.0
    results: list[ProgramResult] = field(default_factory=list)
    _last: tuple[float, float, float] = (0.0, 0.0, 0.0)

    def count(self, run: Any) -> None:
        """Adds a run. One that was not timed took what the last one took."""
        if run.nanoseconds > 0:
            self._last = (run.nanoseconds, run.routine_nanoseconds, run.joules[1])
        self.launches += 1
        self.nanoseconds += self._last[0]
        self.routine_nanoseconds += self._last[1]
        self.joules += self._last[2]

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "name": self.name,
            "launches": self.launches,
            "device_ns": self.nanoseconds,
            "routine_ns": self.routine_nanoseconds,
            "joules": self.joules,
            "instructions": self.instructions,
            "is_part": self.is_part,
            "refusals": self.refusals,
            "weights_prepared": self.prepared,
            "routines": [{"operation": o, "count": n, "place": p} for o, n, p in self.routines],
        }


class JaxRuns:
    """All that JAX compiled and ran on the platform `neuron` while this was active."""

    def __init__(
        self, machine: Any, timed: bool = False, compiles: Collector | None = None
    ) -> None:
        self.machine = rounding.machine_of(machine)
        self.timed = timed
        self._compiles = compiles
        self.executables: dict[int, Executable] = {}
        self.devices_runs: list[DevicesRun] = []  # of each program, the first one
        self._together: dict[tuple[Any, ...], int] = {}  # their numbers in `executables`
        self.framework = "JAX"
        self._copies = {"copies_in": (0, 0), "copies_out": (0, 0)}
        self._host: Any = None

    def connect(
        self, options: Any, schedule: str, told: Callable[[int, float], None] | None = None
    ) -> None:
        """Lets the plugin's next client report here; `options` are of each program's first run."""
        self._dump_after = self._compiles.dump_after if self._compiles else []
        self._dumps = self._compiles.left if self._compiles else None
        self._host = _core.JaxHost(
            self.machine, options, schedule, self, told, self._dump_after, self._dumps
        )
        self._options, self._schedule = options, schedule

    def run_file(self, path: str, given: list[str], seed: int) -> None:
        """Runs the program of a file (StableHLO, text or artifact) on random inputs, or compiles it
        only, where that is what settings.compiles asks for.

        `given`: "0=x.npy" is the content of an argument, by its number. Raises UsageError and
        InputError.
        """
        from trainyard import graph  # needs NumPy, which other commands start without

        module = graph.read_file(path)
        inputs = graph.random_inputs(module, seed)
        for text in given:
            number, _, file = text.partition("=")
            if not number.isdigit() or int(number) >= len(inputs) or not file:
                raise UsageError(
                    f"{text!r} is no input of {path}: write NUMBER=FILE.npy, with the number of an "
                    f"argument of main (it has {len(inputs)}); others get random numbers"
                )
            inputs[int(number)] = graph.file_input(file, inputs[int(number)])
        compiled = self._compiled(-1, module)
        if self._compiles:
            if not self._compiles.explains:
                return
            self._options.values = compiled.has_control_flow
        buffers = [compiled.buffer(i, graph.bytes_of(array)) for i, array in enumerate(inputs)]
        self.ran(-1, compiled.run_as(buffers, self._options))

    def compile(self, number: int, module: Any) -> Any:
        """A program of another framework than JAX, compiled as these settings ask for."""
        self.framework = "PyTorch"
        return self._compiled(number, module)

    def _compiled(self, number: int, module: Any) -> Any:
        compiled = _core.compile_model(
            module,
            self.machine,
            self._schedule,
            compiler_flags.in_force(),
            self._dump_after,
            dumps=self._dumps,
            devices=devices_of(self.machine),
        )
        self.made(number, compiled, [])
        return compiled

    def launch(self, number: int, compiled: Any, inputs: list[Any]) -> Any:
        """Runs it: the first time with the settings in force, later for its values."""
        first = self.executables[number].launches == 0
        if first or (compiled.has_control_flow and self.timed):
            run = compiled.run_as(inputs, self._options)
        else:
            run = compiled.run(inputs, values=self._options.values)
        self.ran(number, run)
        return run

    def copied(self, way: str, size: int) -> None:
        """Counts a copy of that framework. way: copies_in, copies_out."""
        count, total = self._copies[way]
        self._copies[way] = (count + 1, total + size)

    @property
    def copies(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """((copies to devices, their bytes), (copies back, their bytes))."""
        (count_in, bytes_in), (count_out, bytes_out) = self._host.copies
        (more_in, size_in), (more_out, size_out) = self._copies.values()
        return (count_in + more_in, bytes_in + size_in), (
            count_out + more_out,
            bytes_out + size_out,
        )

    def disconnect(self) -> None:
        """Hears of no further runs."""
        self._host.disconnect()

    @property
    def create_options(self) -> dict[str, int | str]:
        """What the plugin's client is made with."""
        return {"host": self._host.address, "compiler_flags": compiler_flags.in_force()}

    def made(self, number: int, model: Any, refusals: list[str]) -> None:
        """Called by the core: a program was compiled; `model` is there during the call only."""
        self.executables[number] = Executable(
            model.name,
            model.routines,
            model.instructions,
            refusals,
            model.prepared,
            model.class_uses,
        )
        if self._compiles:
            self._compiles.made(number, model)

    def divided(self, program: Any) -> None:
        """Called by the core: a program was divided over several devices."""
        if self._compiles:
            self._compiles.divided.append(DividedFunction(program))

    def ran(self, number: int, run: Any) -> None:
        """Called by the core: a program ran."""
        executable = self.executables[number]
        if executable.launches == 0:
            if self._compiles:
                self._compiles.ran(number, run)
            programs = run.programs
            for i, program in enumerate(programs):
                part = f".{i}" if len(programs) > 1 else ""
                executable.results.append(
                    ProgramResult(self.machine, program, executable.name + part)
                )
        executable.count(run)

    def ran_together(self, data: dict[str, Any], programs: list[int]) -> None:
        """Called by the core: a program ran on several devices, or was asked for its time.

        `programs`: the numbers of what its devices computed, counted with it.
        """
        parts = [self.executables[number] for number in programs]
        known = (data["name"], data["devices"], *programs)
        number = self._together.setdefault(known, -2 - len(self._together))
        if number not in self.executables:
            routines = [routine for one in parts for routine in one.routines]
            refusals = list(dict.fromkeys(text for one in parts for text in one.refusals))
            self.executables[number] = Executable(
                f"{data['name']} on {data['devices']} devices",
                routines,
                sum(one.instructions for one in parts),
                refusals,
            )
            self.devices_runs.append(DevicesRun(data))
        for one in parts:
            one.is_part = True
        if not data["is_estimate"]:
            whole = self.executables[number]
            whole.launches += 1
            whole.nanoseconds += data["ns"]
            whole.joules += data["joules"]

    def cause_of(self, error: BaseException) -> BaseException:
        """What made a program fail, where `error` is JAX's word of it; else `error`."""
        if type(error).__name__ == "JaxRuntimeError" and self._host is not None:
            try:
                self._host.rethrow()
            except BaseException as cause:  # an earlier one, perhaps, that the script took
                if str(cause).strip() in str(error) or type(cause).__name__ in str(error):
                    return cause
        return error

    def ran_any(self) -> bool:
        """Whether a program ran, or one of several devices was asked for its time."""
        return bool(self.devices_runs) or any(one.launches for one in self.executables.values())

    def by_time(self) -> list[Executable]:
        """What ran, longest first."""
        ran = [one for one in self.executables.values() if one.launches]
        return sorted(ran, key=lambda one: -one.nanoseconds)

    def results(self) -> list[ProgramResult]:
        """The results of all programs, longest function first."""
        return [result for one in self.by_time() for result in one.results]

    def largest(self, share: float = 0.05) -> list[ProgramResult]:
        """The results of the programs that took at least this share of the device's time."""
        total = self.device_nanoseconds()
        chosen = [one for one in self.by_time() if one.nanoseconds >= share * total]
        return [result for one in chosen for result in _large(one.results, share)]

    def device_nanoseconds(self) -> float:
        """What all programs took, those of several devices as one."""
        return sum(one.nanoseconds for one in self.executables.values() if not one.is_part)

    def host_nanoseconds(self) -> tuple[float, float]:
        """What launches and copies over PCIe take, each one after the other."""
        ran = [one for one in self.by_time() if not one.is_part]
        launches, copies = self._host.host_time(len(ran), sum(one.launches for one in ran))
        return launches, copies + self._other_copy_nanoseconds()

    def _other_copy_nanoseconds(self) -> float:
        figures = {one["key"]: one for one in self.machine.provenance()}
        rate = float(figures["host.pcie"]["value"])  # GB/s
        latency = float(figures["host.pcie_latency"]["value"])  # us
        count = sum(each for each, _ in self._copies.values())
        size = sum(each for _, each in self._copies.values())
        return count * latency * 1e3 + size / rate

    def as_dict(self) -> dict[str, Any]:
        """For JSON: docs/formats/report.md."""
        launches, copies = self.host_nanoseconds()
        (count_in, bytes_in), (count_out, bytes_out) = self.copies
        return {
            "machine": self.machine.name,
            "programs": [one.as_dict() for one in self.by_time()],
            "devices": [one.as_dict() for one in self.devices_runs],
            "device_ns": self.device_nanoseconds(),
            "launch_ns": launches,
            "copy_ns": copies,
            "copies_in": {"count": count_in, "bytes": bytes_in},
            "copies_out": {"count": count_out, "bytes": bytes_out},
        }

    def summary(self, programs_max: int = 12) -> str:
        """A table of the programs, and what host and device took."""
        return "\n".join(_lines(self, programs_max))


def _large(results: list[ProgramResult], share: float) -> list[ProgramResult]:
    """Of one function's programs, those that matter to it."""
    times = [one.time_ns if one.runs[0].timed else 0.0 for one in results]
    return [
        one for one, time in zip(results, times, strict=True) if time >= share * sum(times)
    ] or results


def _lines(runs: JaxRuns, programs_max: int) -> Iterator[str]:
    ran = [one for one in runs.by_time() if not one.is_part]
    launches = sum(one.launches for one in ran)
    device = runs.device_nanoseconds()
    yield (
        f"{runs.framework} on {runs.machine.name}: "
        f"{len(ran)} compiled {_plural(len(ran), 'function')}, "
        f"{launches} {_plural(launches, 'launch', 'launches')}"
    )
    if device > 0:
        yield from _times(runs, device)
    told = [one for one in runs.devices_runs if _matters(one, runs.devices_runs)]
    for one in told:
        yield ""
        yield from ("  " + line for line in one.lines())
    if len(told) < len(runs.devices_runs):
        yield f"\n  and {len(runs.devices_runs) - len(told)} short ones: --json has all"
    if not ran:
        return
    rows = [_Row(name, [one for one in ran if one.name == name]) for name in _names(ran)]
    width = max(len(row.name) for row in rows[:programs_max])
    yield f"\n  {'function':<{width}}  launches    all runs  of device    joules"
    for row in rows[:programs_max]:
        time = time_text(row.nanoseconds) if row.nanoseconds else "-"
        share = f"{100 * row.nanoseconds / device:.1f} %" if device else "-"
        line = f"  {row.name:<{width}} {row.launches:9} {time:>11} {share:>10} {row.joules:9.3g}"
        yield f"{line}  {row.note}".rstrip()
    if len(rows) > programs_max:
        time = sum(row.nanoseconds for row in rows[programs_max:])
        yield f"  and {len(rows) - programs_max} more, {time_text(time)}: --json has all"
    unused = ",".join(f"{name}={value}" for name, value in _unused_formats(ran))
    if unused:
        yield f"\n  no effect in any of these functions: --precision {unused}"
    refusals = list(dict.fromkeys(text for one in ran for text in one.refusals))
    if refusals:
        yield "\n  AWS's compiler is documented to refuse (TRAINYARD_STRICT=1 does, too):"
        yield from ("    " + line for text in refusals for line in text.splitlines())


def _matters(one: DevicesRun, among: list[DevicesRun]) -> bool:
    """Whether it takes a share of those that ran, or of those that were asked for their time."""
    alike = [each for each in among if each.data["is_estimate"] == one.data["is_estimate"]]
    return one.nanoseconds >= 0.05 * sum(each.nanoseconds for each in alike)


def _unused_formats(ran: list[Executable]) -> list[tuple[str, str]]:
    """Classes, and the formats that none of their members got."""
    counts: dict[tuple[str, str], int] = {}
    for name, value, _, formatted in (use for one in ran for use in one.formats):
        counts[name, value] = counts.get((name, value), 0) + formatted
    return [use for use, count in counts.items() if not count]


def _names(ran: list[Executable]) -> list[str]:
    """Names of functions, those with most time first."""
    totals: dict[str, float] = {}
    for one in ran:
        totals[one.name] = totals.get(one.name, 0.0) + one.nanoseconds
    return sorted(totals, key=lambda name: -totals[name])


class _Row:
    """What the table says of all compiled functions of one name: one for each shape and type."""

    def __init__(self, name: str, ran: list[Executable]) -> None:
        self.name = f"{name} ({len(ran)} shapes)" if len(ran) > 1 else name
        self.launches = sum(one.launches for one in ran)
        self.nanoseconds = sum(one.nanoseconds for one in ran)
        self.joules = sum(one.joules for one in ran)
        counts: dict[str, int] = {}
        for operation, count, _ in (routine for one in ran for routine in one.routines):
            counts[operation] = counts.get(operation, 0) + count
        most = sorted(counts, key=lambda operation: -counts[operation])
        named = ", ".join(most[:3]) + (f" and {len(most) - 3} more" if len(most) > 3 else "")
        prepared = max(one.prepared for one in ran)
        self.note = "; ".join(
            ([f"routines of GpSimd (estimated): {named}"] if most else [])
            + ([prepared_note(prepared)] if prepared else [])
        )


def _times(runs: JaxRuns, device: float) -> Iterator[str]:
    launching, copying = runs.host_nanoseconds()
    (count_in, bytes_in), (count_out, bytes_out) = runs.copies
    figures = {one["key"]: f"{one['value']} {one['unit']}" for one in runs.machine.provenance()}
    routines = sum(one.routine_nanoseconds for one in runs.executables.values() if not one.is_part)
    yield f"  on the device     {time_text(device):>10}" + (
        f"  of which {time_text(routines)} in GpSimd routines (estimated)" if routines else ""
    )
    yield (
        f"  launches          {time_text(launching):>10}  (assumed: the first of a program "
        f"{figures['host.launch_first']}, others {figures['host.launch']})"
    )
    yield (
        f"  copies over PCIe  {time_text(copying):>10}  ({count_in} to the device, "
        f"{size_text(bytes_in)}; {count_out} back, {size_text(bytes_out)}; assumed: "
        f"{figures['host.pcie']}, {figures['host.pcie_latency']} each)"
    )


def _plural(number: int, noun: str, many: str = "") -> str:
    return noun if number == 1 else many or noun + "s"


def progress_of(progress: Callable[..., None]) -> Callable[[int, float], None]:
    """Tells trainyard.settings' progress of programs, whose length is not known."""
    return lambda done, nanoseconds: progress("a JAX program", done, 0, nanoseconds)


def platform_in_words() -> str:
    """Where JAX ran instead of on `neuron`, in words."""
    wanted = os.environ.get("JAX_PLATFORMS", "")
    if wanted and "neuron" not in wanted.split(","):
        return f": JAX_PLATFORMS is {wanted}; unset it, or make it neuron,cpu"
    return ": what it ran, if anything, ran on another device (jax.devices() lists them)"


def active() -> JaxRuns | None:
    """Who watches JAX in this process, if anybody does."""
    return _active


@contextlib.contextmanager
def watching(
    machine: Any,
    *,
    schedule: str = "list",
    told: Callable | None = None,
    compiles: Collector | None = None,
    **wanted: Any,
) -> Iterator[JaxRuns]:
    """Watches what JAX runs on the platform `neuron`, whose client must not exist yet.

    `wanted`: timed, values, checks, record (flags), stop_at, suppress, faults (of programs on
    several devices) as in trainyard.settings.
    """
    global _active
    options = _core.RunOptions()
    for name in ("timed", "values", "checks", "record"):
        setattr(options, name, wanted.get(name, name == "values"))
    options.stop_at(wanted.get("stop_at"))
    options.faults = list(wanted.get("faults", ()))
    for check in wanted.get("suppress", ()):
        options.suppress(check)
    runs = JaxRuns(machine, options.timed, compiles)
    runs.connect(options, schedule, told)
    outer, _active = _active, runs
    try:
        yield runs
    finally:
        _active = outer
        runs.disconnect()
        _kept.append(runs)  # JAX's client may outlive the block
