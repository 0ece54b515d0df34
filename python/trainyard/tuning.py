"""The fastest of a kernel's variants: each is timed on the simulated machine, the winner checked.

    @nki.jit
    def scale(x, width=512, buffers=2): ...

    tuning = scale.tune(x, over={"width": [256, 512, 1024], "buffers": [1, 2, 3]})
    print(tuning)                  # every variant with its time, or why it was refused
    y = tuning.kernel(x)           # the fastest one that computes what `scale(x)` computes

The cost model is the machine itself: a variant is traced, compiled and simulated without its
arithmetic. Where there are more variants than `trials`, the search starts at the kernel's own
defaults and at random variants and changes one parameter at a time.
"""

from __future__ import annotations

import functools
import hashlib
import inspect
import json
import math
import os
import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, field
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any

from trainyard import _core, notebook
from trainyard.files import alone_with, write_whole
from trainyard.sweeps import points

if TYPE_CHECKING:
    import numpy as np

FORMAT = "trainyard.tuning/1"
SCHEDULES = ("list", "free", "author")
Variant = dict[str, Any]


class WrongSearch(ValueError):
    """A search that cannot be: no values, parameters that the kernel lacks, a file of others."""


@dataclass(frozen=True)
class Trial:
    """One variant: its simulated nanoseconds and what bounds it, or why it was refused."""

    parameters: Variant
    schedule: str
    time_ns: float | None = None
    bound: str = ""
    refused: str = ""  # a rule and what was found, or how its results differ

    def __str__(self) -> str:
        return ", ".join(f"{name}={value}" for name, value in self.words().items())

    def words(self) -> Variant:
        """The parameters, and the schedule as one more of them."""
        return self.parameters | {"schedule": self.schedule}


@dataclass
class Tuning:
    """What a search found. `trials` are sorted: the fastest first, the refused last."""

    kernel: Callable[..., Any]  # with the best parameters bound
    name: str
    machine: str
    variants: int  # how many there are; `trials` may hold fewer
    baseline: Trial  # the kernel's own defaults, else the first variant
    trials: list[Trial] = field(default_factory=list)
    kept: bool = False  # read from the file of `keep`, not searched now

    @property
    def best(self) -> Trial:
        """The fastest trial whose results agree with the baseline's."""
        return self.trials[0]

    @property
    def gain(self) -> float:
        """The baseline's time over the best one's."""
        assert self.baseline.time_ns and self.best.time_ns
        return self.baseline.time_ns / self.best.time_ns

    def as_dict(self) -> dict[str, Any]:
        """This tuning for JSON (docs/formats/tuning.md)."""
        return {
            "kernel": self.name,
            "machine": self.machine,
            "variants": self.variants,
            "best": asdict(self.best),
            "baseline": asdict(self.baseline),
            "trials": [asdict(trial) for trial in self.trials],
        }

    def rows(self) -> list[list[str]]:
        """A table of the trials, with its head."""
        names = list(self.best.words())
        rows = [[*names, "time", "", "bound"]]
        for trial in self.trials:
            time, ratio = trial.refused or "refused", ""
            if trial.time_ns is not None and self.best.time_ns:
                time = f"{trial.time_ns:,.0f} ns"
                ratio = f"{trial.time_ns / self.best.time_ns:.2f}x"
            rows.append([*(str(v) for v in trial.words().values()), time, ratio, trial.bound])
        return rows

    def text(self, rows_max: int = 20) -> str:
        """The best trials as a table, and what was gained."""
        rows = self.rows()
        shown = rows[: rows_max + 1]
        widths = [max(map(len, column)) for column in zip(*(r[:-3] for r in shown), strict=True)]
        lines = []
        for row in shown:
            cells = [f"{cell:<{width}}" for cell, width in zip(row, widths, strict=False)]
            lines.append("  ".join([*cells, f"{row[-3]:>12}  {row[-2]:>6}  {row[-1]}"]).rstrip())
        if len(rows) > len(shown):
            lines.append(f"... {len(rows) - len(shown)} more")
        lines.append(
            f"{self.name} on {self.machine}: {self._counts()}; best {self.best}: {self.gain:.2f} "
            f"times as fast as {self.baseline}"
        )
        return "\n".join(lines) + "\n"

    def _counts(self) -> str:
        """How many variants were tried, and how many of them cannot win."""
        refused = sum(bool(trial.refused) for trial in self.trials)
        return (
            f"{len(self.trials)} of {self.variants} variants tried"
            f"{' in an earlier search' if self.kept else ''}"
            f"{f', {refused} refused' if refused else ''}"
        )

    __str__ = text

    def _repr_html_(self) -> str:
        heads, *rows = self.rows()
        return notebook.table(heads, rows)


@dataclass(frozen=True)
class Space:
    """The variants: every choice of a value for each parameter."""

    over: dict[str, list[Any]]

    def __post_init__(self) -> None:
        for name, values in self.over.items():
            if not values:
                raise WrongSearch(f"tune(over=...) gives no value for {name}")

    def __len__(self) -> int:
        return math.prod(len(values) for values in self.over.values())

    def all(self) -> Iterator[Variant]:
        """Each variant, the last parameter changing fastest."""
        return points(self.over)

    def any(self, draw: random.Random) -> Variant:
        """A random variant."""
        return {name: draw.choice(values) for name, values in self.over.items()}

    def around(self, variant: Variant) -> Iterator[Variant]:
        """The variants that differ from this one in one parameter."""
        for name, values in self.over.items():
            for value in values:
                if value != variant[name]:
                    yield variant | {name: value}


class Search:
    """Times variants, each once, up to a number of trials."""

    def __init__(self, measure: Callable[[list[Variant]], list[Trial]], trials: int) -> None:
        self._measure = measure
        self._left = trials
        self._found: dict[str, Trial] = {}

    @property
    def done(self) -> bool:
        """Whether all trials are used up."""
        return self._left <= 0

    @property
    def trials(self) -> list[Trial]:
        """The trials, the fastest first, in the order of the search where they are equal."""
        return sorted(self._found.values(), key=_time)

    def time(self, variants: list[Variant]) -> list[Trial]:
        """The trials of these variants, as far as the number of trials allows."""
        new = {_key(v): v for v in variants if _key(v) not in self._found}
        chosen = dict(list(new.items())[: max(0, self._left)])
        self._left -= len(chosen)
        for key, trial in zip(chosen, self._measure(list(chosen.values())), strict=True):
            self._found[key] = trial
        return [self._found[_key(v)] for v in variants if _key(v) in self._found]

    def climb(self, space: Space, start: Variant) -> None:
        """Moves to the best variant that differs in one parameter, until none is better."""
        best = min(self.time([start]), key=_time, default=None)
        while best is not None and not self.done:
            here = best.words()
            next_best = min(self.time(list(space.around(here))), key=_time, default=best)
            if _time(next_best) >= _time(best):
                return
            best = next_best


def tune(
    kernel: Any,
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
    over: Mapping[str, Sequence[Any]],
    *,
    machine: Any = None,
    schedules: Sequence[str] = ("list",),
    trials: int = 200,
    seed: int = 0,
    verify: bool = True,
    tolerance: float = 1e-2,
    jobs: int = 1,
    keep: str | Path | None = None,
) -> Tuning:
    """Searches `over` for the fastest variant of `kernel`; see nki.jit's Kernel.tune()."""
    if "schedule" in over:
        raise WrongSearch("tune(over=...): orders of the compiler are given by schedules=")
    space = Space({name: list(values) for name, values in over.items()} | _schedules(schedules))
    if trials < 1 or jobs < 1:
        raise WrongSearch(f"tune() takes at least one trial and one job, not {trials} and {jobs}")
    start = _defaults(kernel, space)
    run = functools.partial(_time_variant, kernel, tuple(args), dict(kwargs), machine)
    baseline = run(start)
    if baseline.time_ns is None:  # the kernel's own error, with all its words
        _bench(kernel, args, kwargs, machine, start)
    named = dict(kwargs) | _parameters(start)
    key = _fingerprint(kernel, args, named, machine, space, trials, seed)
    name = getattr(kernel.function, "__name__", "kernel")
    tuning = Tuning(kernel, name, _machine_name(kernel, machine), len(space), baseline)
    stored = _read(keep)
    if keep is not None and not os.access(Path(os.path.realpath(keep)).parent, os.W_OK):
        raise WrongSearch(f"{keep} cannot be written: choose a folder that exists and takes files")
    if key in stored:
        tuning.trials, tuning.kept = _trials(stored[key], keep), True
    else:
        tuning.trials = _searched(space, start, baseline, run, trials, seed, jobs)
        if verify:
            _verify(kernel, args, kwargs, machine, tuning, tolerance)
    tuning.kernel = functools.partial(kernel, **tuning.best.parameters)
    if keep is not None and not tuning.kept:
        _keep(keep, key, tuning.as_dict())
    return tuning


def _searched(
    space: Space,
    start: Variant,
    baseline: Trial,
    run: Callable[[Variant], Trial],
    trials: int,
    seed: int,
    jobs: int,
) -> list[Trial]:
    """Every variant where `trials` allow it; else climbs from the start, then from random ones."""

    def search(measure: Callable[[list[Variant]], list[Trial]]) -> list[Trial]:
        known = {_key(start): baseline}
        found = Search(
            lambda variants: [
                known.get(_key(v)) or timed
                for v, timed in zip(variants, measure(variants), strict=True)
            ],
            trials,
        )
        if len(space) <= trials:
            found.time(list(space.all()))
            return found.trials
        draw = random.Random(seed)
        found.climb(space, start)
        while not found.done:
            found.climb(space, space.any(draw))
        return found.trials

    if jobs == 1:
        return search(lambda variants: [run(v) for v in variants])
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        return search(lambda variants: list(pool.map(run, variants)))


def _schedules(schedules: Sequence[str]) -> dict[str, list[str]]:
    chosen = [schedules] if isinstance(schedules, str) else list(schedules)
    if not chosen or set(chosen) - set(SCHEDULES):
        raise WrongSearch(f"schedules are of {', '.join(SCHEDULES)}, not {schedules!r}")
    return {"schedule": chosen}


def _parameters(variant: Variant) -> Variant:
    return {name: value for name, value in variant.items() if name != "schedule"}


def _defaults(kernel: Any, space: Space) -> Variant:
    """The variant of the kernel's defaults; the first value of a parameter that has none."""
    known = inspect.signature(kernel.function).parameters
    takes_any = any(p.kind is p.VAR_KEYWORD for p in known.values())
    start = {}
    for name, values in space.over.items():
        if name != "schedule" and name not in known and not takes_any:
            raise WrongSearch(f"tune(over=...): the kernel has no parameter {name!r}")
        default = known[name].default if name in known else None
        start[name] = default if any(v == default for v in values) else values[0]
    return start


def _bench(kernel: Any, args: Sequence, kwargs: Mapping, machine: Any, variant: Variant) -> Any:
    return kernel.run(
        *args,
        machine=machine,
        timed=True,
        values=False,
        schedule=variant["schedule"],
        **kwargs,
        **_parameters(variant),
    )[1]


def _time_variant(
    kernel: Any, args: tuple, kwargs: dict[str, Any], machine: Any, variant: Variant
) -> Trial:
    trial = Trial(_parameters(variant), variant["schedule"])
    try:
        result = _bench(kernel, args, kwargs, machine, variant)
    except (_core.InputError, _core.Fault) as error:
        broken = error.violations[0]
        refused = f"{broken.label}: {broken.found}" if error.violations else str(error)
        return Trial(trial.parameters, trial.schedule, refused=refused)
    except (AssertionError, ValueError) as error:  # what kernels say of shapes they do not take
        said = f"{type(error).__name__}: {error}".rstrip(": ")
        return Trial(trial.parameters, trial.schedule, refused=said)
    return Trial(trial.parameters, trial.schedule, result.time_ns, result.bound)


def _verify(
    kernel: Any, args: Sequence, kwargs: Mapping, machine: Any, tuning: Tuning, tolerance: float
) -> None:
    """Refuses the fastest trials while their results differ from the baseline's."""
    import numpy as np

    def values(trial: Trial) -> list[np.ndarray]:
        own = [a.copy() if isinstance(a, np.ndarray) else a for a in args]  # some are written
        result = kernel.run(
            *own, machine=machine, timed=False, schedule="author", **kwargs, **trial.parameters
        )[0]
        return [np.asarray(one, np.float64) for one in _leaves(result)]

    wanted = values(tuning.baseline)
    while tuning.best.parameters != tuning.baseline.parameters:
        try:
            refused = _difference(values(tuning.best), wanted, tolerance)
        except (_core.InputError, _core.Fault) as error:
            refused = str(error).splitlines()[0]
        if not refused:
            return
        worst = tuning.trials.pop(0)
        tuning.trials.append(Trial(worst.parameters, worst.schedule, refused=refused))


def _leaves(result: Any) -> Iterator[Any]:
    if isinstance(result, (tuple, list)):
        for one in result:
            yield from _leaves(one)
    elif isinstance(result, dict):
        yield from _leaves(list(result.values()))
    else:
        yield result


def _difference(found: list[np.ndarray], wanted: list[np.ndarray], tolerance: float) -> str:
    import numpy as np  # here, so that commands without kernels start without it

    for i, (ours, theirs) in enumerate(zip(found, wanted, strict=True)):
        if ours.shape != theirs.shape:
            return f"result {i} has the shape {ours.shape}, not {theirs.shape}"
        scale = np.abs(theirs[np.isfinite(theirs)]).max(initial=0) or 1
        far = ~np.isclose(ours, theirs, rtol=tolerance, atol=tolerance * scale, equal_nan=True)
        if far.any():
            return f"result {i} differs in {far.sum():,} of {far.size:,} elements"
    return ""


def _time(trial: Trial) -> float:
    return math.inf if trial.time_ns is None else trial.time_ns


def _key(variant: Variant) -> str:
    return json.dumps(variant, sort_keys=True, default=repr)


def _machine_name(kernel: Any, machine: Any) -> str:
    return kernel._machine(machine).name


def _fingerprint(
    kernel: Any, args: Sequence, kwargs: dict[str, Any], machine: Any, space: Space, *more: int
) -> str:
    """Of all that the times follow from: the program of the first variant stands for its source."""
    has = kernel._machine(machine)
    traced = kernel._trace(args, kwargs, 0, has)
    parts = [_key(space.over), str(has.hash), str(kernel.grid), *map(str, more)]
    digest = hashlib.sha256("\n".join(parts).encode())
    exact = _core.disassemble(_core.program_bytes(traced.program), "a kernel", True)
    for line in exact.splitlines():
        if not line.startswith(("frame ", "loc ")):  # lines of the source may move
            digest.update(f"{re.sub(r';? loc [0-9]+$', '', line)}\n".encode())
    return digest.hexdigest()[:32]


def _read(keep: str | Path | None) -> dict[str, Any]:
    """What the file keeps; nothing where there is none. Raises WrongSearch for another file."""
    if keep is None or not Path(keep).exists():
        return {}
    try:
        document = json.loads(Path(keep).read_text(encoding="utf-8"))
        if document["schema"] != FORMAT:
            raise ValueError
        return dict(document["kernels"])
    except (ValueError, KeyError, TypeError, RecursionError):
        raise _other_file(keep) from None


def _keep(keep: str | Path, key: str, found: dict[str, Any]) -> None:
    """Adds a search to the file, with what others have added since it was read."""
    with alone_with(keep):
        document = {"schema": FORMAT, "kernels": _read(keep) | {key: found}}
        write_whole(keep, f"{json.dumps(document, indent=1)}\n".encode())


def _trials(kept: Any, keep: Any) -> list[Trial]:
    try:
        trials = [Trial(**trial) for trial in kept["trials"]]
        trials[0].parameters.items()
    except (LookupError, TypeError, AttributeError):
        raise _other_file(keep) from None
    return trials


def _other_file(keep: Any) -> WrongSearch:
    return WrongSearch(f"{keep} is not a file of tunings ({FORMAT}): choose another name")
