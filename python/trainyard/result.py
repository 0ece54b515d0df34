"""What a run tells: time, bound, profile."""

from __future__ import annotations

import functools
import json
import linecache
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from trainyard import _core, findings, interrupts, notebook, plots, questions, saved
from trainyard.files import write_whole


def violation_as_dict(violation: Any) -> dict[str, str]:
    """A broken rule as data."""
    return {part: getattr(violation, part) for part in ("label", "rule", "place", "found", "fix")}


def _source_of(place: str) -> str:
    """The text of the line that FILE:LINE names, without its indentation; "" where it is gone."""
    file, _, number = place.partition("\n")[0].rpartition(":")
    return linecache.getline(file, int(number)).strip() if number.isdigit() else ""


def _write(contents: dict[Path, bytes]) -> list[Path]:
    """Writes files that belong together, all of them where Ctrl-C comes between two."""
    with interrupts.held():
        for path, content in contents.items():
            write_whole(path, content)
    return list(contents)


def _view() -> Any:
    """trainyard.view, which needs NumPy, without which commands start sooner."""
    from trainyard import view

    return view


class Result:
    """The outcome of one run of a kernel on every core of its grid.

    Timed runs know `time_ns`, `bound`, `report` (a dict; docs/formats/report.md) and, when
    recorded, save() a trace. Printing a timed result shows the report. `findings` are those of the
    checks that did not stop the run; trainyard/findings.py says what each holds.
    """

    def __init__(
        self, machine: Any, instances: list[Any], runs: list[Any], system: Any = None
    ) -> None:
        self.machine = machine
        self.system = system  # of a run on several chips
        self.instances = instances
        self.runs = runs
        self.findings = findings.merged(one for run in runs for one in run.findings)
        self._report: dict[str, Any] | None = None
        self._advised = False

    def __getstate__(self) -> dict[str, Any]:
        """What pickle keeps: all that the result tells; the machine's memory is not part of it."""
        if self.runs[0].timed:
            self.try_next  # noqa: B018  a saved run cannot be asked any more
        return {
            "machine": self.machine,
            "system": None,
            "instances": [saved.instance(one) for one in self.instances],
            "runs": [saved.run(one) for one in self.runs],
            "findings": self.findings,
            "_report": self._report,
            "_advised": True,  # it answers no new questions
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)

    @property
    def name(self) -> str:
        """The kernel's name."""
        return self.instances[0].program.name

    @property
    def _slowest(self) -> Any:
        return max(self.runs, key=lambda run: run.ticks)

    @property
    def _recorded(self) -> Any:
        """The slowest of the cores that were recorded, or the slowest of all."""
        return max((run for run in self.runs if run.is_recorded), key=_ticks, default=self._slowest)

    @property
    def links(self) -> dict[str, Any] | None:
        """What went between the chips of a timed run on a system, else None.

        A dict: `chips` and `chips_run` (those that did not stand for another one that does the
        same), `collectives` (operation, bytes, ranks, algorithm and its rejected `candidates`),
        `links` (busiest first: name, bytes, share of what it could carry in the run, `use` over
        equal parts of it), `left_out` (links not in the list) and `faults`.
        """
        run = self.runs[0]
        return run.links if run.timed else None

    @property
    def time_ns(self) -> float:
        """Simulated nanoseconds, of the slowest core. Raises InputError for an untimed run."""
        return self._slowest.time_ns

    @property
    def as_written_ns(self) -> float | None:
        """Simulated nanoseconds in the author's order, where the compiler could choose another."""
        return self.report.get("as_written_ns")

    @property
    def rank_times_ns(self) -> list[float]:
        """Simulated nanoseconds of each rank (its slowest core), by rank. Raises InputError."""
        times: dict[int, float] = {}
        for instance, run in zip(self.instances, self.runs, strict=True):
            times[instance.rank] = max(times.get(instance.rank, 0.0), run.time_ns)
        return list(times.values())

    @property
    def bound(self) -> str:
        """What holds the run back: an engine, "dma", "hbm" or "latency"."""
        return self._slowest.bound

    @property
    def report(self) -> dict[str, Any]:
        """Everything the report says, as data (docs/formats/report.md)."""
        report = self._report
        if report is None:
            report = json.loads(self._slowest.json())
            for line in report["lines"]:
                line["source"] = _source_of(line["place"])
            self._report = report
        return report

    def ask(
        self,
        *,
        interval: bool = False,
        what_if: Iterable[str] = (),
        instructions_max: int = 0,
        advice: bool = False,
    ) -> None:
        """Adds answers to the report, by simulating the same program again, time only.

        `interval`: how the time moves over the documented ranges of the figures that nobody has
        published; left out where it takes more than `instructions_max` simulated instructions (0:
        no limit). `what_if`: changes of the machine, each "KEY=VALUE" (several joined by commas),
        or "all" for a built-in list. `advice`: what to try next. Raises InputError for a setting
        that the machine refuses.
        """
        if any(isinstance(one, saved.SavedRun) for one in self.runs):
            raise ValueError("a pickled result answers no new questions: ask() before pickling it")
        changes = questions.changes_of(what_if, self.machine)
        self._advised = self._advised or advice
        if interval or changes or advice:
            _core.answer(
                self.instances,
                self.machine,
                self.runs,
                interval,
                changes,
                instructions_max,
                advice,
                self.system,
            )
            self._report = None

    @property
    def interval(self) -> dict[str, Any] | None:
        """The times that the documented ranges of assumed figures allow, and who moves them most.

        A dict of docs/formats/report.md; found out when first asked for. None where what the
        kernel does depends on its data.
        """
        if "interval" not in self.report:
            self.ask(interval=True)
        return self.report.get("interval")

    @property
    def what_ifs(self) -> list[dict[str, Any]]:
        """The answers to ask(what_if=...), shortest time first."""
        return self.report.get("what_ifs", [])

    @property
    def cycles(self) -> int:
        """Simulated time in cycles of the tensor engine's clock, rounded up."""
        return -(-self._slowest.ticks // self.machine.tensor_ticks_per_cycle)

    @functools.cached_property
    def timeline(self) -> list[dict[str, Any]]:
        """What every track (engine, DMA queue or engine, memory) of the slowest core did, by track.

        Needs a recorded run. Dicts of `track`, `instruction` (its number in the program),
        `mnemonic`, `place`, `reason` ("working" or why it waited), `begin_ns` and `end_ns`. Raises
        ValueError where nothing was recorded.
        """
        run = self._recorded
        if not run.is_recorded:
            raise ValueError("a timeline needs a run with record=True")
        program = self.instances[self.runs.index(run)].program
        names = ("track", "instruction", "reason", "begin_ns", "end_ns")
        rows: list[dict[str, Any]] = [dict(zip(names, row, strict=True)) for row in run.intervals()]
        for row in rows:
            i = row["instruction"]
            row |= {"mnemonic": program.mnemonic(i), "place": program.place(i)}
        return rows

    def as_dict(self) -> dict[str, Any]:
        """This result for JSON."""
        data = {
            "kernel": self.name,
            "machine": self.machine.name,
            "instructions": [run.instructions for run in self.runs],
            "findings": self.findings,
        }
        if self.runs[0].timed:
            self.try_next  # noqa: B018  the report holds it
            data |= {"time_ns": self.time_ns, "bound": self.bound, "report": self.report}
            if self.links is not None:
                data["links"] = self.links
        return data

    def save(self, stem: str | Path) -> list[Path]:
        """Writes STEM.json (the report), and of a recorded run STEM.tytrace, STEM.pftrace and
        STEM.details.json.

        The .pftrace opens in ui.perfetto.dev; the details are for `trainyard view STEM.tytrace`.
        Of a run on a system, STEM.links.json says what went between chips, and the .pftrace has up
        to 32 of the cores, joined by arrows where they meet, and the busiest links; of recorded
        ranks that differ, each kind has STEM.rankN.tytrace and its details. Returns the paths
        written. Raises OSError; what was written by then stays, whole.
        """
        contents = {".json": f"{json.dumps(self.report, indent=1)}\n".encode()}
        if self.links is not None:
            contents[".links.json"] = json.dumps(self.links, indent=1).encode()
        run = self._recorded
        if run.is_recorded:
            on_chips = self.links is not None and self.system is not None
            picture = _core.perfetto_of_ranks(self.runs) if on_chips else run.perfetto()
            contents |= {".tytrace": run.trace(), ".pftrace": picture}
            contents[".details.json"] = json.dumps(_view().document.details_of(self)).encode()
            contents |= _view().ranks.files_of(self)
        return _write({Path(f"{stem}{suffix}"): content for suffix, content in contents.items()})

    def save_programs(self, stem: str | Path) -> list[Path]:
        """Writes the compiled program of each core, STEM.typrog and STEM.core1.typrog.

        `trainyard isa disassemble` prints such files. Returns the paths written; raises OSError.
        """
        contents = {}
        for core, instance in enumerate(self.instances):
            path = Path(f"{stem}.core{core}.typrog" if core else f"{stem}.typrog")
            contents[path] = _core.program_bytes(instance.program)
        return _write(contents)

    @property
    def recorded(self) -> bool:
        """Whether the run kept a trace."""
        return self.runs[0].timed and self._recorded.is_recorded

    def timeline_svg(self) -> str:
        """A picture of what each track did. Raises ValueError where nothing was recorded."""
        run = self._recorded
        if not run.is_recorded:
            raise ValueError("a timeline needs a run with record=True")
        rows = ((row[0], *row[2:]) for row in run.intervals())
        title = f"{self.name} on {self.machine.name}: {notebook.time_text(self.time_ns)}"
        return plots.timeline(rows, self.time_ns, title)

    def save_plots(self, stem: str | Path) -> list[Path]:
        """Writes STEM.timeline.svg of a recorded run, and STEM.roofline.svg where it calculated.

        Returns the paths written; raises ValueError where nothing was recorded, and OSError.
        """
        contents = {"timeline": self.timeline_svg()}
        if picture := plots.roofline(self.report, f"{self.name} on {self.machine.name}: roofline"):
            contents["roofline"] = picture
        return _write(
            {Path(f"{stem}.{name}.svg"): text.encode() for name, text in contents.items()}
        )

    def save_html(self, stem: str | Path) -> list[Path]:
        """Writes STEM.html: the page that `trainyard view` makes, which needs no network.

        Returns the path written. Raises OSError, and UsageError where the page would be too large.
        """
        view = _view()
        page = view.page_of(view.document_of([view.of_result(self)]))
        return _write({Path(f"{stem}.html"): page.encode()})

    def __repr__(self) -> str:
        if not self.runs[0].timed:
            return f"Result({self})"
        time = notebook.time_text(self.time_ns)
        return f"Result({self.name} on {self.machine.name}: {time}, bound by {self.bound})"

    def view(self, *others: Result, height: int = 720) -> Any:
        """The page of `trainyard view` as a widget for a notebook's cell, of this run and others.

        Its `selection` follows what the reader selects. Raises UsageError where anywidget is not
        installed. `height` is in pixels.
        """
        from trainyard.view import widget

        return widget.widget_of([self, *others], height)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:
        """The page, of a recorded run where a notebook can show it; its tables stand beside it."""
        if not self.recorded:
            return None
        from trainyard.view import widget

        if not widget.is_installed():
            return None
        return self.view()._repr_mimebundle_(include=include, exclude=exclude)

    def _repr_html_(self) -> str:
        return notebook.of_result(self)

    @property
    def try_next(self) -> str | None:
        """What would make the run shorter, and by how much, from what simulations found.

        None where what the kernel does depends on its data, or finding out takes too long.
        """
        if not self._advised:
            self.ask(advice=True, instructions_max=questions.UNASKED_MAX)
        return self.report.get("try_next")

    def __str__(self) -> str:
        if not self.runs[0].timed:
            return f"{self.name}: {sum(run.instructions for run in self.runs)} instructions"
        self.try_next  # noqa: B018  the report shows it
        text = self._slowest.text().rstrip("\n")
        return "\n".join([text, *cores_text(self), *links_text(self)]) + "\n"


def _ticks(run: Any) -> int:
    return int(run.ticks)


def cores_text(result: Result) -> Iterator[str]:
    """How long each core of a grid took, where the report is of the slowest of several."""
    shown = result._slowest
    rank = result.instances[result.runs.index(shown)].rank
    of_rank = [
        run
        for instance, run in zip(result.instances, result.runs, strict=True)
        if instance.rank == rank
    ]
    if len(of_rank) < 2:
        return
    yield ""
    yield "Cores of the grid (the report is of the one marked *, the slowest)"
    for core, run in enumerate(of_rank):
        mark = "*" if run is shown else " "
        yield (
            f" {mark}core {core}  {notebook.time_text(run.time_ns):>12}  "
            f"{run.instructions} instructions, bound by {run.bound}"
        )


LINKS_SHOWN = 6


def links_text(result: Result) -> Iterator[str]:
    """What went between chips, and what of it is not shown."""
    found = result.links
    if found is None or (found["chips"] < 2 and not found["faults"]):
        return
    yield ""
    folded = found["chips"] - found["chips_run"]
    alike = f", {folded} of which do what another one does" if folded else ""
    chips = f"{found['chips']} chip{'s' if found['chips'] > 1 else ''}"
    yield f"Between chips: {chips}{alike}; {found['transfers']} transfers"
    for one in found["collectives"]:
        others = ", ".join(
            f"{other['algorithm']} {other['time_us']:.1f}{'' if other['was_run'] else ' or more'}"
            for other in one["candidates"][1:4]
        )
        yield (
            f"  {one['operation']} of {one['bytes']} bytes over {one['ranks']} ranks, "
            f"{one['groups']} group{'s' if one['groups'] > 1 else ''}, {one['times']} times: "
            f"{one['algorithm']}" + (f" (alone on the links, us: {others})" if others else "")
        )
    for link in found["links"][:LINKS_SHOWN]:
        more = f" and {link['alike'] - 1} alike" if link["alike"] > 1 else ""
        yield f"  {link['name']}{more}: {link['bytes']:.0f} bytes, busy {link['share']:.1%}"
    rest = len(found["links"]) + found["left_out"] - LINKS_SHOWN
    if rest > 0:
        yield f"  {rest} more kinds of links carried less"
    recorded = sum(1 for run in result.runs if run.is_recorded)
    if 0 < recorded < len(result.runs):
        yield f"  recorded in full: {recorded} of {len(result.runs)} cores"
    yield from (f"  fault: {one}" for one in found["faults"])
