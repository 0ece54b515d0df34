"""Kernels: functions that are traced into programs, compiled, run and timed on the machine."""

from __future__ import annotations

import dataclasses
import functools
import inspect
import math
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from trainyard import (
    _core,
    findings,
    interrupts,
    notebook,
    peeking,
    rounding,
    saved,
    settings,
    streams,
    tracebacks,
    tuning,
)
from trainyard.result import Result

from nki import (
    _calls,
    _context,
    _jax,
    _level,
    _peek,
    _results,
    _room,
    _simulation,
    _target,
    _values,
    collectives,
)
from nki.compiler import CompileConfig, SpecializationConfig
from nki.language import NkiTensor


class Options(NamedTuple):
    """The compiler options of nki.jit."""

    compile_config: CompileConfig | None = None
    specialization_config: SpecializationConfig | None = None


class Kernel:
    """A function decorated with `nki.jit`.

    Calling it with arrays runs it on the simulated machine and returns arrays; calling it inside
    another kernel inlines it. `kernel[n]` sets the number of program instances (LNC degree).
    """

    def __init__(
        self,
        function: Callable[..., Any],
        grid: int | None = None,
        schedule: tuple = (),
        compatibility: str | None = None,
        simulated: bool = False,
        spills: bool = False,  # who asked for it keeps in HBM what lacks room on chip
        options: Options | None = None,
    ) -> None:
        self.function = self.func = function
        self.grid = grid
        self._schedule = schedule
        self._compatibility = compatibility
        self._simulated = simulated
        self._spills = spills
        self._options = options or Options()
        functools.update_wrapper(self, function)

    def _choices(self) -> dict[str, Any]:
        return {
            "grid": self.grid,
            "schedule": self._schedule,
            "compatibility": self._compatibility,
            "simulated": self._simulated,
            "spills": self._spills,
            "options": self._options,
        }

    def _changed(self, **changes: Any) -> Kernel:
        return Kernel(self.function, **(self._choices() | changes))

    def __copy__(self) -> Kernel:
        return saved.copied_kernel(self)

    def __deepcopy__(self, memo: object) -> Kernel:
        return saved.copied_kernel(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return saved.reduce_kernel(self, self._choices())

    def __repr__(self) -> str:
        grid = f", grid={self.grid}" if self.grid else ""
        return f"Kernel({notebook.kernel_signature(self)}{grid})"

    def _repr_html_(self) -> str:
        return notebook.of_kernel(self)

    def __getitem__(self, grid: int | tuple[int, ...]) -> Kernel:
        """The kernel on a grid of 1 or 2 instances. Raises ValueError for another size."""
        sizes = grid if isinstance(grid, tuple) else (grid,)
        integers = all(_is(size, int, np.integer) for size in sizes)
        n = math.prod(int(size) for size in sizes) if integers else None
        if n not in (1, 2):
            raise ValueError(f"a kernel runs on 1 or 2 logical cores, not on {grid!r}")
        return self._changed(grid=n)

    def with_schedule(self, edges: list[tuple[str, str | list[str]]]) -> Kernel:
        """Adds (consumer, producer or producers) edges between instructions by their names."""
        return self._changed(schedule=(*self._schedule, *edges))

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else functools.partial(self, instance)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Runs the kernel, or inlines it when another kernel is being traced, or JAX traces."""
        outer = _context.current()
        if outer is not None:
            _compare_options(outer.options, self._options)
            return self.function(*args, **kwargs)
        if _jax.is_traced(args, kwargs):
            return _jax.call(self, args, kwargs)
        with tracebacks.UsersLines():
            return self._run([(args, kwargs)])[0][0]

    def trace(self, *args: Any, **kwargs: Any) -> _calls.Traced:
        """Runs the function once with symbolic tensors and returns the program it describes.

        Of a grid, the first instance.
        """
        return self._trace(args, kwargs, 0, self._machine(settings.current().machine))

    def _machine(self, chosen: Any) -> Any:
        """The machine, with the arithmetic of environment, NKI level and AWS's simulator."""
        chip = _target.chip_of(_target.resolved(chosen or _target.machine()))
        machine = rounding.machine_of(chip)
        level = _level.chosen(self._compatibility)
        machine = _level.machine_at(machine, level)
        simulated = self._simulated or _simulation.by_environment()
        return _simulation.machine_of(machine, level) if simulated else machine

    def _trace(
        self,
        args: tuple,
        kwargs: dict[str, Any],
        program_id: int,
        machine: Any,
        rank: tuple[int, int] = (0, 1),
        alike: _calls.Traced | None = None,
    ) -> _calls.Traced:
        """Traces one instance of the grid, which returns what instance 0, `alike`, does."""
        name = getattr(self.function, "__name__", "kernel")
        context = _context.new_context(machine, name, program_id, self.grid, *rank)
        context.level = _level.chosen(self._compatibility)
        context.strict = _level.is_strict(self._compatibility)
        context.options = self._options
        context.simulated = self._simulated or _simulation.by_environment()

        def make(array: np.ndarray, name: str) -> NkiTensor:
            dtype = _values.dtype_name(array)
            return context.trace.input(list(array.shape), dtype, name, context.num_programs > 1)

        with _context.tracing(context), peeking.answered_by(_peek.values), streams.of_kernel():
            call, inputs = _calls.bind(inspect.signature(self.function), args, kwargs, make)
            context.inputs = inputs
            returned = _context.run_traced(self.function, call.args, call.kwargs)
            if context.open_loops:
                _context.refuse(
                    "loop.left",
                    "a hardware loop is left at its end, not by break, return or an exception",
                    f"an open loop from {context.open_loops[-1]}",
                    "make the condition of the loop false instead",
                )
            collectives.check_triggered(context)
            self._add_schedule(context)
            _results.check_returned(returned, alike, name)
            outputs = _calls.tensors_in(returned)
            _results.mark_outputs(context, outputs, self.function)
        program = context.trace.take_program()
        written = program.written_of([one.tensor._id for one in inputs])
        lost = program.stored() if returned is None else []
        return _calls.Traced(program, inputs, returned, outputs, written, context.prints, lost)

    def _add_schedule(self, context: _context.Context) -> None:
        for consumer, producers in self._schedule:
            for producer in [producers] if isinstance(producers, str) else producers:
                for name in (consumer, producer):
                    if (count := len(context.names.get(name, ()))) != 1:
                        raise ValueError(
                            f"with_schedule names {name!r}, but {count or 'no'} instructions have "
                            "this name"
                        )
                context.names[consumer][0].depends_on(context.names[producer][0])

    def run(
        self,
        *args: Any,
        machine: Any = None,
        timed: bool | None = None,
        values: bool | None = None,
        checks: bool | None = None,
        record: bool | None = None,
        schedule: str | None = None,
        timeout: float | None = None,
        **kwargs: Any,
    ) -> tuple[Any, Result]:
        """Runs the kernel and returns (what it returns, the run's Result).

        `machine` is a name, a file or a Machine. `timed` also simulates time; `values=False` skips
        the arithmetic (outputs are zeros); `checks=False` skips the memory and race checks;
        `record` keeps the full trace. `schedule="list"`, the default of timed runs, lets the
        compiler reorder independent instructions if that is faster, as AWS's does; `"free"` also
        lets it merge loads of the same bytes and balance engines; `"author"` does neither.
        `timeout` is in seconds: after that time TimeoutError is raised, which says where the run
        was (main thread only). Options that are not given come from trainyard.settings. Pass a
        parameter of the kernel that has one of these names by position.
        """
        chosen = {
            "machine": machine,
            "timed": timed,
            "values": values,
            "checks": checks,
            "record": record,
            "schedule": schedule,
        }
        with tracebacks.UsersLines(), interrupts.within(timeout):
            results, result = self._run([(args, kwargs)], **chosen)
        return results[0], result

    def run_ranks(
        self, inputs: Sequence[tuple | dict[str, Any]], timeout: float | None = None, **options: Any
    ) -> tuple[list[Any], Result]:
        """Runs the kernel on several ranks, which communicate through nki.collectives.

        A rank is a logical core: the kernel's grid, `kernel[2]` or one core. `inputs` has the
        arguments of each rank, as a tuple (by position) or a dict (by name). Returns what the
        kernel returns on each rank, and one Result. `options` are those of run(). The ranks fill
        one chip after the other; a timed run on several chips names a system, machine="trn3-gen2".
        Chips that do the same work are simulated once (trainyard.settings: folds).
        """
        calls = [((), given) if isinstance(given, dict) else (given, {}) for given in inputs]
        with tracebacks.UsersLines(), interrupts.within(timeout):
            return self._run(calls, **options)

    def bench_ranks(
        self,
        inputs: Sequence[tuple | dict[str, Any]],
        machine: Any = None,
        values: bool = False,
        what_if: Iterable[str] = (),
        timeout: float | None = None,
    ) -> Result:
        """bench() of a kernel on several ranks; see run_ranks()."""
        with interrupts.within(timeout):
            result = self.run_ranks(inputs, machine=machine, timed=True, values=values)[1]
            result.ask(what_if=what_if)
        return result

    def _run(
        self, calls: Sequence[tuple[tuple, dict[str, Any]]], **given: Any
    ) -> tuple[list[Any], Result]:
        """Runs the kernel with the arguments of each rank; returns what each of them returns.

        What is not `given`, or None, is as the settings say.
        """
        given = {name: value for name, value in given.items() if value is not None}
        _calls.check_options(given)
        chosen = dataclasses.replace(settings.current(), **given)
        options = _core.RunOptions()
        options.timed, options.values = chosen.timed, chosen.values
        options.checks, options.record = chosen.checks, chosen.record
        level = _level.chosen(self._compatibility)
        options.about = [("nki", level), *chosen.about]
        options.stop_at(chosen.stop_at)
        options.find_overflows(chosen.overflows)
        for check in chosen.suppress:
            options.suppress(check)
        simulated = self._simulated or _simulation.by_environment()
        if not simulated and self.grid is None and _level.has("NEURON_LOGICAL_NC_CONFIG", level):
            if (degree := _target.logical_cores()) > 1:
                return self[degree]._run(calls, **given)
        elif not simulated:
            _target.check_logical_cores(self.grid)
        system = _target.resolved(chosen.machine or _target.machine())
        machine = self._machine(chosen.machine)
        if isinstance(system, _core.System) and chosen.timed:
            options.on_system(system)
            more = [("fault", fault) for fault in chosen.faults]
            options.about = [*options.about, ("system", system.name), *more]
        elif chosen.faults:
            raise ValueError(
                'faults need a timed run on a system of chips: timed=True, machine="trn3-gen2"'
            )
        options.faults, options.folds_alike = list(chosen.faults), chosen.folds
        cores = self.grid or 1

        def attempt(has: Any) -> tuple[Any, ...]:
            traced: list[_calls.Traced] = []
            for rank, (args, kwargs) in enumerate(calls):
                for i in range(cores):
                    alike = traced[rank * cores] if i else None
                    place = (rank, len(calls))
                    traced.append(self._trace(args, kwargs, i, machine, place, alike))
            if chosen.checks and chosen.values:
                _suppress_by_comments(options, traced)
            return traced, *_execute(has, traced, chosen, options, cores)

        config = self._options.compile_config
        shown = config is not None and not config.nki_alloc_fallback
        untold = not (chosen.timed or chosen.checks or self._spills or shown)
        traced, session, instances, runs = _room.with_room(machine, untold, attempt)
        _results.warn_of_lost(self.function, traced)
        results: list[Any] = []
        for rank, (args, kwargs) in enumerate(calls):
            own = slice(rank * cores, (rank + 1) * cores)
            arrays = _calls.arrays_given(args, kwargs)
            results.append(self._collect(session, instances[own], traced[own], arrays))
        of_system = system if isinstance(system, _core.System) else None
        result = Result(machine, instances, runs, of_system)
        for listener in chosen.listeners:
            listener(result)
        if not chosen.listeners:
            findings.warn(result.findings, inspect.unwrap(self.function))
        return results, result

    def _collect(self, session: Any, instances: list, traced: list, given: Iterator) -> Any:
        """Prints what the instances print, updates written arguments, returns the results."""

        read = functools.partial(_values.read, session)
        for instance, one in zip(instances, traced, strict=True):
            for prefix, tensor in one.prints:
                print(prefix, read(instance, tensor), sep="\n")
        first = traced[0]
        for i in sorted({i for one in traced for i in one.written_inputs}):
            source = first.inputs[i]
            _values.update(source.given, read(instances[0], source.tensor))
        example = next(given, None)
        made = {id(t): _values.like(read(instances[0], t), example) for t in first.outputs}
        return _calls.rebuilt(first.returned, made)

    def bench(
        self,
        *args: Any,
        machine: Any = None,
        values: bool = False,
        what_if: Iterable[str] = (),
        timeout: float | None = None,
        **kwargs: Any,
    ) -> Result:
        """Exact cycles, bound and profile of one run, without warm-up.

        Takes the kernel's arguments. The Result has time_ns, cycles, bound, report, interval (over
        the documented ranges of unpublished figures), and what_ifs for each `what_if` (see
        Result.ask): `bench(x, what_if=["hbm.bandwidth=x2"])`; printing it shows the report. The
        time is the same with `values` and without; with them the run is checked as a call is.
        `timeout` is as in run().
        """
        with interrupts.within(timeout):
            result = self.run(*args, machine=machine, timed=True, values=values, **kwargs)[1]
            result.ask(what_if=what_if)
        return result

    def tune(
        self,
        *args: Any,
        over: Mapping[str, Sequence[Any]],
        machine: Any = None,
        schedules: Sequence[str] = ("list",),
        trials: int = 200,
        seed: int = 0,
        verify: bool = True,
        tolerance: float = 1e-2,
        jobs: int = 1,
        keep: str | Path | None = None,
        **kwargs: Any,
    ) -> tuning.Tuning:
        """Times the kernel with every combination of the parameters in `over`; returns a Tuning.

        `over` has the values to try for each parameter, as {"width": [256, 512], "buffers": [1,
        2]}; `schedules` the orders of the compiler to try ("list", "free", "author"). Where there
        are more than `trials` variants, the search climbs from the kernel's defaults and from
        random variants (`seed`), one parameter at a time. A variant that the machine or an
        assertion refuses is part of the table. With `verify` the winner's results are compared with
        those of the defaults: within `tolerance` of the largest value, else the next one wins.
        `jobs` processes work at once (the kernel must stand at the top of a module). `keep` is a
        JSON file: the same search of the same program and machine is read from it. Raises
        ValueError for parameters that the kernel lacks, InputError where the defaults are refused.
        """
        return tuning.tune(
            self,
            args,
            kwargs,
            over,
            machine=machine,
            schedules=schedules,
            trials=trials,
            seed=seed,
            verify=verify,
            tolerance=tolerance,
            jobs=jobs,
            keep=keep,
        )


def _compare_options(outer: Options | None, inner: Options) -> None:
    """A kernel inside another is compiled with it, by the options of the outer one."""
    if outer is None or inner == Options() or inner == outer:
        return
    told = (
        "a kernel called inside another one has different options of nki.jit, which have no effect"
    )
    of_outer = outer.specialization_config
    if of_outer is None or not of_outer.allow_nested_config_override:
        raise ValueError(
            f"{told}: leave them out, or pass specialization_config=SpecializationConfig("
            "allow_nested_config_override=True) to the outer kernel's nki.jit"
        )
    warnings.warn(told, stacklevel=3)


def _is(value: object, *types: type) -> bool:
    """Whether the value is of these types; True and False are no integers here."""
    return isinstance(value, types) and (bool in types or not isinstance(value, bool))


def _execute(
    machine: Any, traced: list[Any], chosen: settings.Settings, options: Any, cores: int
) -> tuple[Any, list[Any], Any]:
    """Runs what was traced on a new machine: its session, the instances, what the runs say."""
    session = _core.Session(machine)
    # Silicon runs what AWS's compiler has reordered; of values the order changes nothing.
    schedule = chosen.schedule or ("list" if chosen.timed else "author")
    instances = []
    for k, one in enumerate(traced):
        instance = session.load(one.program, schedule, k // cores, take=True)
        for source in one.inputs:
            session.write(instance, source.tensor._id, _values.as_bytes(source.array))
        instances.append(instance)
    told = chosen.progress and functools.partial(chosen.progress, instances[0].program.name)
    return session, instances, session.run(instances, options, told)


def _suppress_by_comments(options: Any, traced: list[_calls.Traced]) -> None:
    """What the sources of a kernel say by `# trainyard: ignore[ID]`."""
    for file in sorted({file for one in traced for file in one.program.source_files()}):
        for check, line in findings.comments_in(file):
            options.suppress(check, file, line)


def jit(
    fn: Callable[..., Any] | None = None,
    *,
    compile_config: CompileConfig | None = None,
    specialization_config: SpecializationConfig | None = None,
    **kwargs: Any,
) -> Any:
    """Makes a function a kernel. Use as `@nki.jit` or `@nki.jit(...)`.

    The configurations are those of nki.compiler. Since NKI 0.3 `mode` has no effect and
    `platform_target` raises TypeError. `compatibility="0.4"` (ours, not AWS's) gives the kernel the
    meaning of that release of NKI where releases disagree; see nki._level.
    """
    if "platform_target" in kwargs:
        raise TypeError(
            "nki.jit has no platform_target since NKI 0.3: set NEURON_PLATFORM_TARGET_OVERRIDE, or "
            "call nki.use_machine"
        )
    options = Options(compile_config, specialization_config)
    for name, given, wanted in zip(
        options._fields, options, (CompileConfig, SpecializationConfig), strict=True
    ):
        if not isinstance(given, wanted | None):
            raise TypeError(f"{name} is an nki.compiler.{wanted.__name__}, not {given!r}")
    if fn is None:
        return functools.partial(jit, **options._asdict(), **kwargs)
    kernel = fn if isinstance(fn, Kernel) else Kernel(fn)
    if options != Options():
        kernel = kernel._changed(options=options)
    level = kwargs.get("compatibility")
    return kernel if level is None else kernel._changed(compatibility=_level.checked(level))


def simulate(kernel: Callable[..., Any]) -> Kernel:
    """The kernel as AWS's CPU simulator runs it; a plain function is wrapped.

    Takes NumPy arrays or torch tensors. It runs on the simulated machine as ever, but nl.fmod and
    nl.mod exist, and NKI_PRECISE_FP=0 keeps float32 values beside those of low-precision tensors.
    """
    return jit(kernel)._changed(simulated=True)
