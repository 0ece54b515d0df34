"""Runs a user's script, or one kernel of a file, and collects the result of every kernel call."""

from __future__ import annotations

import argparse
import contextlib
import difflib
import importlib.util
import os
import runpy
import shlex
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import trainyard
from trainyard import compiler_flags, faults, findings, interrupts, jax_runs, questions, settings
from trainyard.commands import (
    exit_codes,
    failures,
    inputs,
    output,
    script_arguments,
    terminal,
)
from trainyard.commands.progress import Progress
from trainyard.files import read_whole, shown_name
from trainyard.result import Result

RANKS_MAX = 4096
# Files that hold a tensor program: StableHLO as text, or as a portable artifact.
PROGRAM_SUFFIXES = (".mlir", ".mlirbc", ".bc")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What every subcommand that runs kernels takes."""
    parser.add_argument(
        "script",
        help="a Python file that calls kernels or runs JAX programs, FILE:KERNEL to call one "
        "kernel (KERNEL[2]: on two cores), or a StableHLO program (.mlir, .mlirbc)",
    )
    parser.add_argument(
        "arguments",
        nargs=argparse.REMAINDER,
        action=script_arguments.Arguments,
        default=[],
        help=f"arguments of the script; for FILE:KERNEL its inputs, as {inputs.FORMS}; for a "
        "StableHLO program NUMBER=FILE.npy (others are random)",
    )
    add_machine_arguments(parser)
    parser.add_argument(
        "--timeout",
        type=interrupts.seconds,
        metavar="SECONDS",
        help=f"stop after this time with exit code {exit_codes.TIMED_OUT} and say where it was",
    )
    parser.add_argument(
        "--schedule",
        choices=("author", "list", "free"),
        help="author: keep the author's order (default without time); list: reorder independent "
        "instructions, as AWS's compiler does (default of time and profile); free: also "
        "merge loads and balance engines (their default for neuronxcc)",
    )
    compiler_flags.add_arguments(parser)
    parser.add_argument(
        "--nki",
        choices=("0.3", "0.4", "0.5", "0.6", "0.7"),
        help="the NKI release whose behaviour kernels get where releases differ (default: "
        "TRAINYARD_NKI_LEVEL, else the newest)",
    )
    parser.add_argument(
        "--seed", type=int, default=0, help="seed of the random inputs of FILE:KERNEL (default 0)"
    )
    parser.add_argument(
        "--ranks",
        type=int,
        default=1,
        metavar="N",
        help="run FILE:KERNEL on this many ranks; the inputs of rank r are drawn with seed + r; "
        "for several chips, name a --machine such as trn3-gen2",
    )
    parser.add_argument(
        "--fault",
        action="append",
        default=[],
        metavar="FAULT",
        help=f"for timed runs on a system: a fault, such as {faults.FORMS}; may be repeated",
    )
    parser.add_argument(
        "--no-fold",
        action="store_true",
        help="simulate every chip of a system, even those that do the same as another",
    )
    parser.add_argument(
        "--progress",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="show the progress of long kernels on stderr (default: if stderr is a terminal)",
    )


def add_machine_arguments(parser: argparse.ArgumentParser) -> None:
    """Which machine, and overrides of its numbers."""
    parser.add_argument(
        "--machine",
        default=None,
        metavar="NAME",
        help="a machine name or a .toml file (default: NEURON_PLATFORM_TARGET_OVERRIDE, else trn3)",
    )
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        dest="overrides",
        help="override a number of the machine, for example hbm.bandwidth=6TB/s or "
        "hbm.bandwidth=x1.5; may be repeated",
    )
    parser.add_argument("--json", action="store_true", help="one JSON document on stdout")


def add_check_arguments(parser: argparse.ArgumentParser, *, optional: bool = False) -> None:
    """What to do with findings; `optional`: and the switch that turns the checks off."""
    if optional:
        parser.add_argument(
            "--no-checks",
            action="store_true",
            help="skip the checks (the same as TRAINYARD_CHECKS=0 in the environment)",
        )
    parser.add_argument(
        "--fail-on",
        choices=findings.SEVERITIES,
        default="error",
        help="the lowest severity of a finding that makes the command fail (default: error)",
    )
    parser.add_argument(
        "--suppress",
        action="append",
        default=[],
        metavar="ID",
        help="do not report a check, or a family of checks; may be repeated",
    )


def check_settings(options: argparse.Namespace) -> dict[str, Any]:
    """How a run is to be checked, by the options of add_check_arguments(optional=True)."""
    checked = settings.current().checks and not options.no_checks
    return {"checks": checked, "stop_at": options.fail_on}


def tell_findings(result: Result) -> None:
    """Says on stderr what the checks found that did not stop the run."""
    if likely := findings.at_least(result.findings, "warning"):
        told = findings.summary(likely)
        print(f"{result.name}: {told} (trainyard check lists them)", file=sys.stderr)


def machine_of(options: argparse.Namespace) -> Any:
    """The machine that the options choose."""
    from nki import _target

    if options.machine is not None:
        machine = _target.resolved(options.machine)
    else:
        try:
            machine = _target.machine()
        except trainyard.InputError:
            raise
        except ValueError as error:
            raise trainyard.UsageError(str(error)) from None
    return machine.with_overrides(options.overrides) if options.overrides else machine


@contextlib.contextmanager
def one_kernel(options: argparse.Namespace) -> Iterator[Any]:
    """The kernel that options.kernel, FILE:KERNEL, names; what the block runs is the user's."""
    path, name = script_arguments.parts(options.kernel)
    if not name:
        raise trainyard.UsageError(f"name a kernel of the file, as {path}:KERNEL")
    if not Path(path).is_file():
        raise trainyard.UsageError(f"there is no script {path}")
    trainyard.install_nki()
    _check_environment()
    with _as_main(path, []):
        kernel = _as_kernel(_kernel(path, name))
        kernel = kernel.traceable() if hasattr(kernel, "traceable") else kernel
        with _the_users_fault():
            yield kernel


class Stems:
    """Names of files for kernel calls: DIR/KERNEL, DIR/KERNEL.1 ... Makes the folder at once."""

    def __init__(self, folder: str) -> None:
        self._folder = Path(folder)
        self._folder.mkdir(parents=True, exist_ok=True)
        self._calls: dict[str, int] = {}

    def next(self, kernel: str) -> Path:
        """For one more call of the kernel."""
        number = self._calls.get(kernel, 0)
        self._calls[kernel] = number + 1
        return self._folder / (f"{kernel}.{number}" if number else kernel)


class _CannotWrite(BaseException):
    """A result could not be printed or saved; `__cause__` says why. No script catches it."""


@dataclass
class Outcome:
    """What became of a script: the results of the kernel calls that finished, and what ended it."""

    results: list[Result] = field(default_factory=list)
    jax: jax_runs.JaxRuns | None = None  # where the script ran JAX programs
    failure: failures.Failure | None = None
    warnings: list[str] = field(default_factory=list)

    @property
    def code(self) -> int:
        """The exit code."""
        return self.failure.code if self.failure else exit_codes.OK

    def finish(self, options: argparse.Namespace, more: Mapping[str, Any] | None = None) -> int:
        """Ends a subcommand: the JSON document if wanted, with `more` fields; the failure's text;
        the exit code."""
        if options.json:
            output.write_json(
                "trainyard.results/1",
                {
                    "command": options.command,
                    "kernels": [result.as_dict() for result in self.results],
                    "jax": self.jax.as_dict() if self.jax else None,
                    "warnings": self.warnings,
                    "error": self.failure.as_dict() if self.failure else None,
                    **(more or {}),
                },
            )
        elif self.jax and self.jax.timed:
            print(f"{chr(10) if self.results else ''}{self.jax.summary()}", flush=True)
        self.complain()
        return self.code

    def complain(self) -> None:
        """Says on stderr what went wrong, if anything did."""
        if self.failure is None:
            return
        sys.stdout.flush()
        print(terminal.shown(self.failure.text, sys.stderr), file=sys.stderr)
        if self.failure.kind in ("interrupted", "timeout", "terminated") and self.results:
            print(
                f"trainyard: {output.count(len(self.results), 'kernel call')} finished before",
                file=sys.stderr,
            )


def execute(
    options: argparse.Namespace, each: Callable[[Result], None] | None = None, **changes: Any
) -> Outcome:
    """Runs what the options name with changed settings. `each` gets every Result as it comes.

    Raises UsageError and InputError for wrong options; what the script does is in the Outcome.
    """
    path, kernel = script_arguments.parts(options.script)
    if not Path(path).is_file():
        raise trainyard.UsageError(f"there is no script {path}")
    read_whole(path)
    unknown = findings.unknown_ids(getattr(options, "suppress", []))
    if unknown:
        raise trainyard.UsageError(f"there is no check {unknown[0]}; see trainyard explain")
    trainyard.install_nki()  # who runs a script by this command wants it simulated
    _check_environment()
    machine = machine_of(options)
    outcome = Outcome(warnings=_warnings(options, machine))
    progress = Progress(options.progress)

    def listen(result: Result) -> None:
        progress.clear()
        outcome.results.append(result)
        try:
            if each is not None:
                each(result)
        except OSError as error:
            raise _CannotWrite from error

    changes["suppress"] = (*settings.current().suppress, *getattr(options, "suppress", []))
    changes |= {"machine": machine, "schedule": options.schedule, "listeners": [listen]}
    changes |= {"nki": options.nki, "compiler_flags": compiler_flags.of_arguments(options)}
    changes |= _of_system(options, machine)
    if progress.shown:
        changes["progress"] = progress
    try:
        with (
            interrupts.raised(options.timeout),
            settings.using(**changes),
            _as_main(path, options.arguments),
            _stdout_of_script(options.json),
            _watched(options, outcome, listen),
        ):
            _run(path, kernel, options, outcome)
    except (failures.ScriptError, KeyboardInterrupt) as error:
        progress.clear()
        outcome.failure = failures.explain(error)
    except _CannotWrite as error:
        raise cast(OSError, error.__cause__) from None
    return outcome


def _of_system(options: argparse.Namespace, machine: Any) -> dict[str, Any]:
    """What fails, and whether chips are folded. Raises UsageError where that makes no sense."""
    is_system = isinstance(machine, trainyard.System)
    timed = options.command in ("time", "profile")
    is_kernel = bool(script_arguments.parts(options.script)[1])
    if options.fault and (not timed or (is_kernel and not is_system)):
        raise trainyard.UsageError(faults.NOT_TIMED)
    if not 1 <= options.ranks <= RANKS_MAX:
        raise trainyard.UsageError(f"--ranks is 1 to {RANKS_MAX}, not {options.ranks}")
    if options.ranks > 1 and not is_kernel:
        raise trainyard.UsageError(
            "--ranks is for FILE:KERNEL; a script calls kernel.run_ranks([...])"
        )
    drawn = faults.expanded(options.fault, machine if is_system else None)
    return {"faults": drawn, "folds": not options.no_fold}


@contextlib.contextmanager
def _watched(
    options: argparse.Namespace, outcome: Outcome, listen: Callable[[Result], None]
) -> Iterator[None]:
    """Programs that the script runs by JAX: their results follow those of kernels, at the end.

    Of timed ones those that took a share of the time worth a report, or all for a document.
    """
    now = settings.current()
    if isinstance(now.machine, trainyard.System):  # JAX's devices are those of one chip
        yield
        return
    told = now.progress and jax_runs.progress_of(now.progress)
    with jax_runs.watching(
        now.machine,
        schedule=options.schedule or ("list" if now.timed or now.compiles else "author"),
        told=told,
        compiles=now.compiles,
        timed=now.timed,
        values=now.values,
        checks=now.checks,
        record=now.record,
        stop_at=now.stop_at,
        suppress=now.suppress,
        faults=now.faults,
    ) as runs:
        try:
            yield
            faults.check_met(now.faults, runs.devices_runs)
        finally:
            if runs.ran_any():
                outcome.jax = runs
                everything = options.json or not now.timed or options.command == "check"
                for result in runs.results() if everything else runs.largest():
                    listen(result)


def _check_environment() -> None:
    """Raises UsageError for settings in the environment that mean nothing."""
    from nki import _level

    known = {"TRAINYARD_CHECKS": ("0", "1"), "TRAINYARD_NKI_LEVEL": _level.LEVELS}
    for name, values in known.items():
        value = os.environ.get(name)
        if value and value not in values:
            raise trainyard.UsageError(f"{name} is one of {', '.join(values)}, not {value!r}")


def _warnings(options: argparse.Namespace, machine: Any) -> list[str]:
    """Said on stderr at once, so that nobody waits for a run that cannot show what they ask."""
    from nki import _target

    changes = questions.changes_of(getattr(options, "what_if", []), _target.chip_of(machine))
    found = questions.warnings_of(options.overrides, machine)
    if "all" not in getattr(options, "what_if", []):
        found += questions.warnings_of_changes(changes, machine)
    output.warn(found)
    return found


@contextlib.contextmanager
def _as_main(path: str, arguments: list[str]) -> Iterator[None]:
    """sys.argv and sys.path as `python path arguments` has them."""
    saved, sys.argv = sys.argv, [path, *arguments]
    sys.path.insert(0, str(Path(path).resolve().parent))
    try:
        yield
    finally:
        sys.argv = saved
        sys.path.pop(0)


def _stdout_of_script(json: bool) -> contextlib.AbstractContextManager:
    """Where a document is printed, what the script prints goes to stderr."""
    return contextlib.redirect_stdout(sys.stderr) if json else contextlib.nullcontext()


@contextlib.contextmanager
def _the_users_fault() -> Iterator[None]:
    """Marks what leaves the user's code."""
    try:
        yield
    except SystemExit as leaving:
        if leaving.code not in (None, 0):
            raise failures.ScriptError from leaving
    except (KeyboardInterrupt, _CannotWrite, trainyard.UsageError):
        raise
    except BaseException as error:
        runs = jax_runs.active()
        raise failures.ScriptError from runs.cause_of(error) if runs else error


def _run(path: str, kernel: str, options: argparse.Namespace, outcome: Outcome) -> None:
    if kernel:
        function = _kernel(path, kernel)
        each = [
            inputs.parse(options.arguments, function, options.seed + rank)
            for rank in range(options.ranks)
        ]
        words = shown_name(shlex.join(options.arguments))
        given = (("inputs", words), ("seed", str(options.seed)))
        if options.ranks > 1:
            given = (*given, ("ranks", str(options.ranks)))
        with _the_users_fault(), settings.using(about=given):
            if options.ranks > 1:
                _of_ranks(_as_kernel(function)).run_ranks(each)
            else:
                _as_kernel(function)(**each[0])
        return
    if Path(path).suffix in PROGRAM_SUFFIXES:
        watched = jax_runs.active()
        if watched is None:
            raise trainyard.UsageError("a StableHLO program runs on one chip, as --machine trn3")
        watched.run_file(path, options.arguments, options.seed)
        return
    names: dict[str, Any] = {}
    with _the_users_fault():
        names = runpy.run_path(path, run_name="__main__")
    runs = jax_runs.active()
    if not outcome.results and not (runs and runs.ran_any()):
        raise trainyard.UsageError(f"{path} ran no kernel{_hint(path, names)}")


def _kernel_classes() -> tuple[type, ...]:
    """Of kernels of both generations, the first one's where a script has imported it."""
    from nki.kernel import Kernel

    first_generation = sys.modules.get("neuronxcc.nki.kernel")
    return (Kernel, first_generation.Kernel) if first_generation else (Kernel,)


def _kernels(names: dict[str, Any]) -> list[str]:
    return [name for name, value in names.items() if isinstance(value, _kernel_classes())]


def _as_kernel(function: Callable[..., Any]) -> Any:
    """A kernel as it is, of either generation; another function as a kernel of nki."""
    import nki

    return function if isinstance(function, _kernel_classes()) else nki.jit(function)


def _of_ranks(kernel: Any) -> Any:
    if not hasattr(kernel, "run_ranks"):
        raise trainyard.UsageError("a kernel of neuronxcc.nki runs on one rank: leave out --ranks")
    return kernel


def _hint(path: str, names: dict[str, Any]) -> str:
    kernels = _kernels(names)
    if not kernels and "jax" in sys.modules:
        return f", and no JAX program on the platform `neuron`{jax_runs.platform_in_words()}"
    if not kernels:
        return ": call a function decorated with @nki.jit, or name one as FILE:KERNEL"
    return f"; to run one that it defines, name it and its inputs: {path}:{kernels[0]} NAME=..."


def _kernel(path: str, name: str) -> Callable[..., Any]:
    spec = importlib.util.spec_from_file_location(Path(path).stem, path)
    if spec is None or spec.loader is None:
        raise trainyard.UsageError(f"{path} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    with _the_users_fault():
        spec.loader.exec_module(module)
    name, grid = script_arguments.grid_of(name)
    function = getattr(module, name, None)
    if callable(function):
        return _as_kernel(function)[grid] if grid > 1 else function
    known = _kernels(vars(module))
    near = difflib.get_close_matches(name, known, 1)
    advice = f"did you mean {near[0]}?" if near else f"it has: {', '.join(known) or 'none'}"
    raise trainyard.UsageError(f"{path} has no kernel {name}; {advice}")
