"""Programs that ran on several devices: what each device computed, waited for and held.

`trainyard time|profile script.py` shows them (docs/jax.md). One timeline holds all devices, which
are alike: bodies that each computes alone, one behind the other, and collectives beside them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from trainyard.notebook import size_text, time_text

SHOWN = 8  # lines of a table
MICRO = 1e-3  # of a nanosecond, in microseconds


@dataclass
class DevicesRun:
    """One run, or what one would take; `data` as docs/formats/report.md says."""

    data: dict[str, Any]
    launches: int = 1

    @property
    def name(self) -> str:
        """The function's name."""
        return str(self.data["name"])

    @property
    def nanoseconds(self) -> float:
        """Simulated, of one run."""
        return float(self.data["ns"])

    @property
    def held_bytes(self) -> int:
        """At most, by a device: arguments, results and what lies between."""
        return int(self.data["argument_bytes"] + self.data["between_bytes"])

    def as_dict(self) -> dict[str, Any]:
        """For JSON; without the single tasks."""
        return {k: v for k, v in self.data.items() if k != "tasks"} | {"launches": self.launches}

    def lines(self) -> Iterator[str]:
        """For people."""
        d = self.data
        asked = "would take" if d["is_estimate"] else "takes"
        yield (
            f"{self.name} on {d['devices']} devices {asked} {time_text(d['ns'])}: "
            f"{time_text(d['computing_ns'])} computing, {time_text(d['exposed_ns'])} waiting; "
            f"collectives {time_text(d['collectives_ns'])}, "
            f"{time_text(max(0.0, d['collectives_ns'] - d['exposed_ns']))} of them hidden"
        )
        yield from (f"  fault: {fault}" for fault in d.get("faults", ()))
        yield from self._table("collective", "devices wait for")
        yield from self._table("body", "devices compute")
        yield from self._memory()

    def _table(self, kind: str, title: str) -> Iterator[str]:
        entries = [one for one in self.data["entries"] if one["kind"] == kind and one["ns"] > 0]
        if not entries:
            return
        rows = [_row(one) for one in entries[:SHOWN]]
        head = (title, "runs", "each", "all", "waited", "on path", "")
        widths = [max(len(row[i]) for row in (head, *rows)) for i in range(len(head))]
        for row in (head, *rows):
            cells = [row[0].ljust(widths[0])]
            cells += [row[i].rjust(widths[i]) for i in range(1, 6)]
            yield "  " + "  ".join([*cells, row[6]]).rstrip()
        if len(entries) > SHOWN:
            rest = entries[SHOWN:]
            yield (
                f"  and {len(rest)} more: {time_text(sum(one['ns'] for one in rest))}, "
                f"waited {time_text(sum(one['waited_ns'] for one in rest))}; --json has all"
            )

    def _memory(self) -> Iterator[str]:
        d = self.data
        too_much = ", which does not fit" if self.held_bytes > d["hbm_bytes"] else ""
        yield (
            f"  a device holds {size_text(self.held_bytes)} of {size_text(d['hbm_bytes'])} at "
            f"most{too_much}: {size_text(d['argument_bytes'])} of arguments and results, "
            f"{size_text(d['between_bytes'])} between; up to {size_text(d['early_bytes'])} more "
            "come before their turn"
        )
        for one in d["held"][:3]:
            yield f"    {size_text(one['bytes'])} {one['what']}  {one['place']}".rstrip()

    def trace(self) -> str:
        """The timeline in the JSON format of trace events, which ui.perfetto.dev opens.

        One track of what a device computes, one of each kind of collective under way.
        """
        entries = self.data["entries"]
        tracks = {"compute": 1}
        events: list[dict[str, Any]] = []
        for number, begin, end in self.data["tasks"]:
            entry = entries[number]
            track = "compute" if entry["kind"] == "body" else _what(entry, with_place=False)
            thread = tracks.setdefault(track, len(tracks) + 1)
            events.append(
                {"name": _what(entry), "ph": "X", "pid": 1, "tid": thread}
                | {"ts": begin * MICRO, "dur": (end - begin) * MICRO}
                | {"args": {k: entry[k] for k in ("place", "bytes", "algorithm", "busiest")}}
            )
        names: list[dict[str, Any]] = [
            {"name": "thread_name", "ph": "M", "pid": 1, "tid": thread, "args": {"name": track}}
            for track, thread in tracks.items()
        ]
        title = f"{self.name}: each of {self.data['devices']} devices"
        names.append({"name": "process_name", "ph": "M", "pid": 1, "args": {"name": title}})
        return json.dumps({"traceEvents": names + events, "displayTimeUnit": "ns"})


def _row(entry: dict[str, Any]) -> tuple[str, ...]:
    times = (entry["ns"] / entry["count"], entry["ns"], entry["waited_ns"], entry["on_path_ns"])
    return (_what(entry), str(entry["count"]), *map(time_text, times), _over(entry))


def _what(entry: dict[str, Any], with_place: bool = True) -> str:
    """ "all_gather 64 MiB, 4 devices, every 16th  model.py:12"."""
    text = entry["what"]
    if entry["kind"] == "collective":
        text += f" {size_text(entry['bytes'])}, {entry['devices']} devices"
        if entry["stride"] > 1:
            text += f" {entry['stride']} apart"
    return f"{text}  {_short(entry['place'])}".rstrip() if with_place else text


def _short(place: str) -> str:
    """The innermost line; without folders and scopes."""
    line = place.split(",", maxsplit=1)[0]
    return line.rsplit("/", maxsplit=1)[-1]


def _over(entry: dict[str, Any]) -> str:
    """How a collective went: its algorithm, and its busiest resource."""
    if not entry["algorithm"]:
        return ""
    return f"{entry['algorithm']}, {entry['busiest']} {100 * entry['busiest_share']:.0f} %"
