"""What cc-test is asked besides one collective: parts that differ, and other jobs on its links."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from typing import Any

from trainyard import UsageError, collectives, notebook
from trainyard.commands.amounts import size
from trainyard.files import read_json

OPERATIONS = {
    name: operation
    for name, operation in collectives.NCCOM_OPERATIONS.items()
    if name not in ("alltoallv", "barrier")
}
FORM = "OP:SIZE:RANKS, for instance alltoall:64MiB:72-143 or allr:1GiB:0,8,16"


def counts_of(options: argparse.Namespace) -> list[list[float]] | None:
    """The parts of an all-to-all. Raises UsageError."""
    if options.counts is None:
        return None
    if options.operation != "alltoallv":
        raise UsageError(f"--counts belongs to alltoallv, not to {options.operation}")
    document = read_json(options.counts, "a JSON file of counts")
    found = document.get("counts") if isinstance(document, dict) else document
    rows = found if isinstance(found, list) else []
    if not rows or not all(
        isinstance(row, list) and all(type(one) in (int, float) for one in row) for row in rows
    ):
        raise UsageError(
            f'{options.counts} has no counts: write {{"counts": [[0, 3], [1, 0]]}}, a row a rank'
        )
    return rows


def jobs_of(options: argparse.Namespace, groups: list[list[int]]) -> list[collectives.Job]:
    """The other jobs. Raises UsageError."""
    if not options.beside:
        return []
    if len(groups) > 1 or options.operation in ("alltoallv", "barrier") or options.fault:
        raise UsageError(
            "--beside takes one group of an operation other than alltoallv and barrier, and no "
            "--fault"
        )
    return [_job(text) for text in options.beside]


def _job(text: str) -> collectives.Job:
    operation, _, rest = text.partition(":")
    amount, _, ranks = rest.partition(":")
    if operation not in OPERATIONS or not ranks:
        raise UsageError(f"--beside {text}: write {FORM}; OP is one of {', '.join(OPERATIONS)}")
    try:
        bytes_ = size(amount)
        found = tuple(_ranks(ranks))
    except (argparse.ArgumentTypeError, ValueError) as error:
        raise UsageError(f"--beside {text}: {error}; write {FORM}") from None
    return collectives.Job(OPERATIONS[operation], bytes_, found)


def _ranks(text: str) -> Iterator[int]:
    """0-3,8 is 0, 1, 2, 3, 8. Raises ValueError."""
    for part in text.split(","):
        first, dash, last = part.partition("-")
        if not first.isdecimal() or (dash and not last.isdecimal()):
            raise ValueError(f"{part!r} is no rank and no range of ranks")
        yield from range(int(first), int(last if dash else first) + 1)


def add_beside(
    row: dict[str, Any],
    setting: collectives.Setting,
    request: collectives.Request,
    others: Sequence[collectives.Job],
) -> None:
    """What becomes of a row's collective and of the jobs beside it."""
    if not others:
        return
    first = collectives.Job(
        request.operation, request.bytes, tuple(request.groups[0]), row["algorithm"]
    )
    times = collectives.beside(setting, [first, *others], request.sbuf)
    row["beside_us"] = times[0]["beside_us"]
    row["beside"] = [
        {
            "operation": job.operation,
            "bytes": job.bytes,
            "ranks": len(job.ranks),
            "first_rank": job.ranks[0],
            **time,
        }
        for job, time in zip(others, times[1:], strict=True)
    ]


def draw_links(
    path: str, setting: collectives.Setting, request: collectives.Request, row: dict[str, Any]
) -> None:
    """Saves a picture of the links under a row's collective. Raises UsageError."""
    from trainyard import link_picture

    if request.operation == collectives.ALL_TO_ALL_V or request.faults:
        raise UsageError("--links draws no alltoallv and no faults")
    groups = [list(group) for group in request.groups]
    loads = setting.fabric().link_loads(
        request.operation, request.bytes, groups, row["algorithm"], request.sbuf
    )
    size = notebook.size_text(row["bytes"])
    where = f"{row['ranks']} ranks of {setting.system}: {row['algorithm']}"
    title = f"{request.operation} of {size} over {where}"
    link_picture.draw(title, setting.description(), loads).save(path)


def lines(row: dict[str, Any]) -> Iterator[str]:
    """The jobs beside a row's collective, in words."""
    if "beside" not in row:
        return
    more = _more(row["beside_us"], row["time_us"])
    yield f"    beside the others {row['beside_us']:.2f} us, {more}"
    for job in row["beside"]:
        name = (
            f"{job['operation']} of {notebook.size_text(job['bytes'])} on {job['ranks']} ranks "
            f"from {job['first_rank']}"
        )
        if job["runs"] == 0:
            yield f"    {name}: {job['alone_us']:.2f} us alone; it ended no run in that time"
            continue
        yield (
            f"    {name}: {job['beside_us']:.2f} us a run, "
            f"{_more(job['beside_us'], job['alone_us'])}; {job['runs']} ended"
        )


def _more(time: float, alone: float) -> str:
    return f"{time / alone - 1:+.1%} against {alone:.2f} us alone"
