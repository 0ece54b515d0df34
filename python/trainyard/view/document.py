"""What the page shows, as one document of JSON (docs/formats/view.md)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from trainyard import _core, topology
from trainyard.tracebacks import is_ours
from trainyard.view import ranks, timeline

SCHEMA, VERSION = "trainyard.view", 1
_SOURCE_BYTES_MAX = 400_000  # of one file; a generated one may have any size
_SOURCES_BYTES_MAX = 2_000_000
# What places name; a report of somebody else's is not to bring other files into a page.
_SOURCE_SUFFIXES = (".py", ".ipynb", ".mlir")


def document_of(runs: list[dict[str, Any]], comparison: dict[str, Any] | None = None) -> Any:
    """The document of one run, or of two and what changed between them."""
    document: dict[str, Any] = {
        "schema": SCHEMA,
        "version": VERSION,
        "trainyard": _core.__version__,
        "runs": runs,
    }
    return document | ({"comparison": comparison} if comparison else {})


def details_of(result: Any) -> dict[str, Any]:
    """What a recorded run tells beside its report and its trace; KERNEL.details.json."""
    run = result._recorded
    details = json.loads(run.details())
    details["report_ticks"] = result.report["duration_ticks"]  # which may be of a slower rank
    details["machine"] = _figures_of(result.machine)
    if len(result.runs) > 1:
        details["ranks_ns"] = result.rank_times_ns
        details["ranks"] = [kind.as_dict() for kind in ranks.kinds_of(result)]
    if result.links is not None and result.system is not None:
        details["topology"] = topology.describe(result.system)
    return details | {"sources": sources_of(files_of(result.report))}


# Of the machine, what tables of Parquet tell of it: its key, and what makes it of the base unit.
_FIGURES = {
    **{f"{one}_ghz": f"{one}.clock" for one in ("tensor", "vector", "scalar", "gpsimd", "sync")},
    "array_rows": "array.rows",
    "array_columns": "array.columns",
    "partitions": "sbuf.partitions",
    "dma_engines": "dma.engines",
    "throttle_low": "throttle.low",
    "throttle_denominator": "throttle.denominator",
}


def _figures_of(machine: Any) -> dict[str, float]:
    """Clocks in GHz, counts, and bytes per second of DMA and of one HBM stack."""
    known = {row["key"]: (row["value"], row["unit"]) for row in machine.provenance()}
    found = {name: float(known[key][0]) for name, key in _FIGURES.items() if key in known}

    def rate(key: str) -> float:
        value, unit = known[key]
        return float(value) * _BYTES_PER_SECOND[unit]

    found["dma_bytes_per_second"] = rate("dma.link") * found["dma_engines"]
    found["hbm_stack_bytes_per_second"] = rate("hbm.bandwidth") / float(known["hbm.stacks"][0])
    return found


_BYTES_PER_SECOND = {"GB/s": 1e9, "TB/s": 1e12, "B/ns": 1e9, "GiB/s": 2.0**30}


def without_facts(details: dict[str, Any]) -> dict[str, Any]:
    """The details for a page, which does not show what each instruction moves."""
    return {key: value for key, value in details.items() if key not in ("facts", "ranks")}


def of_result(result: Any) -> dict[str, Any]:
    """A run of a document, from a timed Result."""
    found: dict[str, Any] = {"name": result.name, "report": result.report}
    if result.links is not None:
        found["links"] = result.links
    if not result.recorded:
        return found | {"details": {"sources": sources_of(files_of(result.report))}}
    rows = timeline.of_columns(result._recorded.columns())
    details = without_facts(details_of(result))
    if kinds := ranks.kinds_of(result):
        found["ranks"] = ranks.as_documents(kinds)
    return found | {"timeline": timeline.as_document(rows), "details": details}


def files_of(report: dict[str, Any]) -> list[str]:
    """The files of the author's that a report names, those with most engine time first."""
    lines = [*report.get("lines", []), *report.get("operations", [])]
    files = (str(line.get("place", "")).rpartition(":")[0] for line in lines)
    return list(dict.fromkeys(file for file in files if file))


def sources_of(files: list[str]) -> dict[str, str]:
    """The text of source files that are still there, as far as they are the author's."""
    sources: dict[str, str] = {}
    size = 0
    for file in files:
        path = Path(file)
        if is_ours(file) or path.suffix not in _SOURCE_SUFFIXES:
            continue
        try:
            if not path.is_file() or path.stat().st_size > _SOURCE_BYTES_MAX:
                continue
            text = path.read_text(encoding="utf-8", errors="replace")
        except OSError:  # one that may not be read
            continue
        size += len(text)
        if size > _SOURCES_BYTES_MAX:
            break
        sources[file] = text
    return sources
