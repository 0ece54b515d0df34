"""trainyard cc-test: what collectives take on a system of chips, as nccom-test prints it."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from trainyard import UsageError, collectives, faults, line_chart, notebook, replica_groups
from trainyard.collectives import NCCOM_OPERATIONS as OPERATIONS
from trainyard.commands import cc_jobs, exit_codes, output
from trainyard.commands.amounts import size
from trainyard.files import write_whole

if TYPE_CHECKING:
    from trainyard.view.sheet import Sheet

NAME = "cc-test"
HELP = "time collectives over the chips of a system: bandwidths, algorithms, the busiest link"
EXAMPLES = (
    ("trainyard cc-test allr -r 1152 -b 1MiB -e 1GiB -f 4", "all-reduce over a whole UltraServer"),
    (
        "trainyard cc-test alltoall --machine trn2-ultraserver --lnc 8 -r 64 -e 1GiB --why",
        "with every algorithm and link",
    ),
    (
        "trainyard cc-test allr --machine trn3-gen2 --lnc 8 -r 144 --fault link:5.twin@10us=down",
        "with a cable that fails",
    ),
    ("trainyard cc-test allg -r 32 --plot gather.png", "the bandwidths as a picture"),
    (
        "trainyard cc-test allr --lnc 8 -r 72 --beside alltoall:64MiB:72-143",
        "beside another job's all-to-all in the other rack",
    ),
)
LONG_NAMES = ("all_reduce", "all_gather", "reduce_scatter")  # nccom-test knows these, too
SIZES = {"fp32": 4, "uint32": 4, "int32": 4, "bf16": 2, "fp16": 2, "uint16": 2, "int16": 2}
SIZES |= {"fp8": 1, "uint8": 1, "int8": 1}
# Of those that are checked on values.
DTYPES = {
    "fp32": "float32",
    "bf16": "bfloat16",
    "fp16": "float16",
    "uint8": "uint8",
    "int8": "int8",
}
# Flags of nccom-test about repetitions and its display, with the arguments that each takes.
IGNORED: tuple[tuple[tuple[str, ...], int | str], ...] = (
    (("-n", "--iters"), 1),
    (("-w", "--warmup_iters"), 1),
    (("-I", "--neff_iters"), 1),
    (("-W", "--neff_warmup_iters"), 1),
    (("-t", "--stats"), "+"),
    (("--show-algorithm",), 0),
    (("--non-interactive",), 0),
    (("--unique-buff",), 0),
)
SCHEMA = "trainyard.cc_test/1"
ROWS_MAX = 1000


class _Ignored(argparse.Action):
    """Takes its arguments and does nothing."""

    def __call__(self, *_: object) -> None:
        """A simulated time has no spread, and a run no display."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds this subcommand's arguments."""
    parser.add_argument(
        "operation", choices=(*OPERATIONS, *LONG_NAMES), help="as nccom-test names them"
    )
    parser.add_argument("--machine", default="trn3-gen2", help="a system (default: trn3-gen2)")
    parser.add_argument(
        "-r",
        "--nworkers",
        type=int,
        default=None,
        metavar="RANKS",
        dest="ranks",
        help="the first so many, 2 or more (default: all of the system)",
    )
    parser.add_argument(
        "-N",
        "--nnodes",
        type=int,
        default=1,
        metavar="NODES",
        dest="nodes",
        help="spread them over so many hosts of a cluster (default: 1)",
    )
    _sizes(parser)
    _groups(parser)
    for names, count in IGNORED:
        parser.add_argument(
            *names, nargs=count, action=_Ignored, metavar="N", help="accepted, has no effect"
        )
    _simulation(parser)


def _sizes(parser: argparse.ArgumentParser) -> None:
    """Which buffers are measured, and whether their values are."""
    for short, long, default, text in (
        ("-b", "--minbytes", "1KiB", "smallest buffer of a rank (default: 1KiB)"),
        ("-e", "--maxbytes", "1GiB", "largest one (default: 1GiB)"),
        ("-i", "--stepbytes", "0", "add this from one size to the next (default: multiply)"),
    ):
        parser.add_argument(
            short, long, type=size, default=size(default), metavar="SIZE", help=text
        )
    parser.add_argument(
        "-f",
        "--stepfactor",
        type=int,
        default=4,
        metavar="N",
        help="multiply by this from one size to the next (default: 4)",
    )
    parser.add_argument(
        "-d", "--datatype", choices=SIZES, default="fp32", help="of the elements (default: fp32)"
    )
    parser.add_argument(
        "-c",
        "--check",
        nargs="?",
        const="random",
        choices=("random",),
        help="run it on random values up to 1 MiB",
    )
    parser.add_argument("--sb2sb", action="store_true", help="buffers are in SBUF, not in HBM")


def _groups(parser: argparse.ArgumentParser) -> None:
    """Which ranks take part together."""
    parser.add_argument(
        "--data-parallel-dimension",
        type=int,
        metavar="N",
        dest="parts",
        help="the ranks in groups of N, all at once",
    )
    parser.add_argument(
        "--custom-replica-groups",
        type=Path,
        metavar="FILE",
        dest="groups",
        help='groups that run at once: {"replica_groups": [[0, 2], [1, 3]]}',
    )

    parser.add_argument(
        "--counts",
        type=Path,
        metavar="FILE",
        help="of alltoallv, what each rank sends to each one, in any unit: "
        '{"counts": [[0, 3], [1, 0]]}; the largest sum of a row or column is the size (default: '
        "equal parts)",
    )
    parser.add_argument(
        "--beside",
        action="append",
        default=[],
        metavar="OP:SIZE:RANKS",
        help="another job on the same links, which begins again when it ends: "
        "alltoall:64MiB:72-143; may be repeated",
    )


def _simulation(parser: argparse.ArgumentParser) -> None:
    """How it is simulated and told."""
    parser.add_argument("--lnc", type=int, default=1, help="cores of a rank (default: 1)")
    parser.add_argument("--algorithm", default="", help="only this one")
    parser.add_argument("--no-fold", action="store_true", help="simulate every rank for itself")
    parser.add_argument("--no-interval", action="store_true", help="leave out the range of times")
    parser.add_argument("--why", action="store_true", help="algorithms, links and classes")
    parser.add_argument("--set", action="append", default=[], dest="overrides", metavar="KEY=VALUE")
    parser.add_argument(
        "--fault",
        action="append",
        default=[],
        metavar="FAULT",
        help=f"{faults.FORMS}; may be repeated",
    )
    parser.add_argument("--plot", metavar="FILE", help="draw the bandwidths, .svg or .png")
    parser.add_argument(
        "--links",
        metavar="FILE",
        help="draw how busy the largest size keeps each link, .svg or .png",
    )
    parser.add_argument("--page", metavar="FILE.html", help="write one page: curves and tables")
    parser.add_argument(
        "--report-to-json-file",
        type=Path,
        metavar="FILE",
        dest="report",
        help="write what --json prints",
    )
    parser.add_argument("--json", action="store_true", help="machine-readable output")


def groups_of(options: argparse.Namespace, setting: collectives.Setting) -> list[list[int]]:
    """The groups that run at once. Raises UsageError."""
    if options.groups is not None:
        if options.ranks or options.parts or options.nodes != 1:
            raise UsageError("--custom-replica-groups names all ranks: leave out -r, -N and parts")
        return replica_groups.read(options.groups)
    ranks = setting.fabric().ranks if options.ranks is None else options.ranks
    if ranks < 2:
        raise UsageError(f"-r {ranks}: a collective has 2 ranks or more")
    group = collectives.group_of(setting, ranks, options.nodes)
    return [group] if options.parts is None else replica_groups.of_size(group, options.parts)


def sizes_of(options: argparse.Namespace) -> list[int]:
    """The sizes to run, smallest first."""
    if options.stepbytes == 0 and options.stepfactor < 2:
        raise UsageError("the step factor is 2 or more")
    sizes, now = [], options.minbytes
    width = SIZES[options.datatype]
    if 0 < options.minbytes < width:
        raise UsageError(
            f"-b {options.minbytes}: an element of {options.datatype} has {width} bytes"
        )
    while now <= options.maxbytes and len(sizes) <= ROWS_MAX:
        whole = now - now % width  # of elements, as nccl-tests has it
        if whole not in sizes[-1:]:
            sizes.append(whole)
        if options.operation == "barrier":
            return sizes
        now = now + options.stepbytes if options.stepbytes else max(now * options.stepfactor, 1)
    if not sizes or len(sizes) > ROWS_MAX:
        raise UsageError(f"-b, -e, -i and -f give {len(sizes)} sizes; 1 to {ROWS_MAX} are run")
    return sizes


def run(options: argparse.Namespace) -> int:
    """Runs the subcommand."""
    setting = collectives.Setting(options.machine, options.lnc, tuple(options.overrides))
    groups = groups_of(options, setting)
    ranks = len(groups[0])
    operation: str = OPERATIONS.get(options.operation) or options.operation
    failing = faults.expanded(options.fault, setting.description())
    counts = cc_jobs.counts_of(options)
    others = cc_jobs.jobs_of(options, groups)
    rows: list[dict] = []
    request: collectives.Request | None = None
    for bytes_ in sizes_of(options):
        request = collectives.Request(
            operation,
            0 if operation == "barrier" else bytes_,
            groups,
            options.algorithm,
            failing,
            not options.no_fold,
            options.sb2sb,
            counts,
        )
        row = collectives.price(setting, request, _has_interval(options))
        if failing:
            healthy = collectives.price(setting, replace(request, faults=()), interval=False)
            row["healthy_us"] = healthy["time_us"]
        cc_jobs.add_beside(row, setting, request, others)
        row["elements"] = int(request.bytes) // SIZES[options.datatype]
        row["check"] = _check(options, setting, request) if options.check else "-"
        rows.append(row)
        if row["stuck"]:
            break
    if options.plot:
        series = [(row["bytes"], row["busbw"] / 1e9) for row in rows if row["bytes"] > 0]
        title = f"{operation} over {ranks} ranks of {options.machine}, bus bandwidth, GB/s"
        line_chart.log_log(title, {options.machine: series}).save(options.plot)
    if options.links and request:
        cc_jobs.draw_links(options.links, setting, request, rows[-1])
    document = {"machine": options.machine, "ranks": ranks, "groups": len(groups), "rows": rows}
    if options.page:
        title = f"{operation} over {ranks} ranks of {options.machine}"
        sheet_of(title, setting.description().title, rows).save(options.page)
    if failing:
        document["faults"] = list(failing)
    lines = _lines(options, setting, document)
    if options.report:
        kept = json.dumps({"schema": SCHEMA} | document, indent=1)
        write_whole(options.report, f"{kept}\n".encode())
    output.show(options.json, SCHEMA, document, lines)
    if rows[-1]["stuck"]:
        return exit_codes.FAULT
    wrong = any(row["check"] == "wrong" for row in rows)
    return exit_codes.FINDINGS if wrong else exit_codes.OK


def _has_interval(options: argparse.Namespace) -> bool:
    return not (options.no_interval or options.fault)


def _check(options: argparse.Namespace, setting: Any, request: Any) -> str:
    """Whether the schedule leaves every rank with what NumPy says."""
    if not 0 < request.bytes <= 1 << 20 or len(request.groups[0]) > 128:
        return "-"
    if options.datatype not in DTYPES or request.operation == collectives.ALL_TO_ALL_V:
        return "-"
    correct = collectives.check_values(setting, request, DTYPES[options.datatype])
    return "right" if correct else "wrong"


def _lines(options: argparse.Namespace, setting: Any, document: dict[str, Any]) -> Iterator[str]:
    system, rows = setting.description(), document["rows"]
    yield f"{system.name}: {system.title}"
    cores = "1 core" if options.lnc == 1 else f"{options.lnc} cores"
    several = f"{document['groups']} groups of " if document["groups"] > 1 else ""
    where = ", in SBUF" if options.sb2sb else ""
    yield f"{several}{rows[0]['ranks']} ranks of {cores}{where}; 1 GB is 10^9 bytes, 1 GiB 2^30"
    yield from (f"fault {text}" for text in document.get("faults", ()))
    yield ""
    interval = _has_interval(options)
    wide = max(len("algorithm"), *(len(row["algorithm"]) for row in rows))
    yield (
        f"{'size(B)':>12} {'count(elems)':>13} {'type':>6} {'time:avg(us)':>13} "
        + (f"{'from':>10} {'to':>10} " if interval else "")
        + f"{'algbw(GB/s)':>12} {'busbw(GB/s)':>12} {'(GiB/s)':>9}  {'algorithm':{wide}} busiest"
    )
    for row in rows:
        check = "" if row["check"] == "-" else f"  values {row['check']}"
        yield (
            f"{row['bytes']:12.0f} {row['elements']:13d} {options.datatype:>6} "
            + (f"{'never':>13} " if row["stuck"] else f"{row['time_us']:13.2f} ")
            + (f"{row['low_us']:10.2f} {row['high_us']:10.2f} " if interval else "")
            + f"{row['algbw'] / 1e9:12.2f} {row['busbw'] / 1e9:12.2f} "
            f"{row['busbw'] / 2**30:9.2f}  {row['algorithm']:{wide}} {reason(row)}{check}"
        )
        yield from cc_jobs.lines(row)
        if "healthy_us" in row and not row["stuck"]:
            yield f"    {_effect(row)}"
        if options.why:
            yield from _details(row)
        if row["stuck"]:
            yield f"    nothing arrives after {row['time_us']:.2f} us"
        yield from (f"    {text}" for text in row["stuck"][:10])
        if len(row["stuck"]) > 10:
            yield f"    ... and {len(row['stuck']) - 10} more that wait"
    average = sum(row["busbw"] for row in rows) / len(rows)
    yield f"Avg bus bandwidth: {average / 1e9:.4f} GB/s"
    yield from _above_links(system, rows)
    if not interval:
        return
    names = sorted(figure["key"] for figure in system.uncertain())
    yield f"from and to: all uncertain figures at the ends of their ranges ({', '.join(names)})"


def _above_links(system: Any, rows: list[dict[str, Any]]) -> Iterator[str]:
    """Why a bus bandwidth can be more than any link between chips carries."""
    fastest = max((level["link_gbps"] for level in system.levels), default=0.0)
    most = max(row["busbw"] for row in rows) / 1e9
    if most > fastest:
        yield (
            f"Bus bandwidths above {fastest:g} GB/s, a link's rate, are right: they count what one "
            "ring of all ranks would carry, and a rank sends over several links, or within its "
            "chip, at once"
        )


def reason(row: dict[str, Any]) -> str:
    """What bounds a collective: its busiest resource, or the waits between its steps."""
    if row["stuck"]:
        return "stuck"
    if not row["loads"]:
        return "-"
    busiest = row["loads"][0]
    share = f"{busiest['kind']} {busiest['share']:.0%}"
    return share if busiest["share"] >= 0.5 else f"waits between steps; {share}"


def sheet_of(title: str, system: str, rows: list[dict[str, Any]]) -> Sheet:
    """Times and bandwidths by size as a page, with the links and the algorithms behind them."""
    from trainyard.view.sheet import Sheet, quantity

    sheet = Sheet(title)
    sheet.text(f"{system}. 1 GB is 10^9 bytes.")
    sheet.table(
        ("size", "time", "algorithm bandwidth", "bus bandwidth", "algorithm", "busiest"),
        [
            (
                quantity(notebook.size_text(row["bytes"]), row["bytes"]),
                quantity(f"{row['time_us']:.2f} us", row["time_us"], _range(row)),
                quantity(f"{row['algbw'] / 1e9:.2f} GB/s", row["algbw"]),
                quantity(f"{row['busbw'] / 1e9:.2f} GB/s", row["busbw"]),
                row["algorithm"],
                reason(row),
            )
            for row in rows
        ],
    )
    points = [(row["bytes"], row["busbw"] / 1e9) for row in rows]
    sheet.lines("Bus bandwidth by size", "bytes", "GB/s", {"bus bandwidth": points})
    times: dict[str, list[tuple[float, float]]] = {}
    for row in rows:
        for one in row["candidates"]:
            times.setdefault(one["algorithm"], []).append((row["bytes"], one["time_us"]))
    sheet.lines("Time of each algorithm, alone on the links", "bytes", "us", times)
    largest = rows[-1]
    loads = {
        load["name"]: (f"{load['share']:.1%}", *[load["share"]] * 3) for load in largest["loads"]
    }
    sheet.bars(
        f"What {notebook.size_text(largest['bytes'])} keep busy, of what each can carry", loads
    )
    return sheet


def _range(row: dict[str, Any]) -> str:
    return f"({row['low_us']:.2f} to {row['high_us']:.2f})" if "low_us" in row else ""


def _effect(row: dict[str, Any]) -> str:
    """What the faults did to a collective that ended."""
    healthy = row["healthy_us"]
    if row["time_us"] == healthy:
        return "the faults change nothing: what fails carries none of it, or fails after its end"
    return f"without the faults {healthy:.2f} us, {row['time_us'] / healthy - 1:+.1%} with them"


def _details(row: dict[str, Any]) -> Iterator[str]:
    for candidate in row["candidates"]:
        word = "takes" if candidate["was_run"] else "takes at least"
        yield (
            f"    {candidate['algorithm']:24} {word} {candidate['time_us']:.2f} us "
            f"in {candidate['steps']} steps"
        )
    yield (
        f"    links and switches take {row['link_joules']:.3g} J "
        f"({row['link_joules_low']:.3g} to {row['link_joules_high']:.3g})"
    )
    yield (
        f"    DMA engines and HBM take {row['memory_joules']:.3g} J "
        f"({row['memory_joules_low']:.3g} to {row['memory_joules_high']:.3g})"
    )
    for load in row["loads"]:
        yield f"    {load['name']:32} {load['share']:6.1%} of what it can carry"
    yield (
        f"    {row['transfers']} transfers of {row['classes']} kinds, {row['events']} events; "
        f"bound {row['bound_us']:.2f} us"
    )
