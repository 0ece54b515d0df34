"""trainyard view: a page about a run, as one HTML file or from a server on this computer."""

from __future__ import annotations

import argparse
import sys
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Any

import trainyard
from trainyard import differences
from trainyard.commands import exit_codes, output
from trainyard.files import write_whole

if TYPE_CHECKING:
    from trainyard import view

NAME = "view"
HELP = "look at a run: one page with its timeline, memory over time, source, energy and cost"
EXAMPLES = (
    ("trainyard view build/profile/softmax.tytrace", "writes build/profile/softmax.html"),
    ("trainyard view --open build/profile", "all runs of a directory, in the browser"),
    ("trainyard view before.tytrace after.tytrace", "what changed, by source line"),
    ("trainyard view --serve large.tytrace", "a large trace: intervals are sent when looked at"),
    ("trainyard view --chrome run.json --csv run.csv run.tytrace", "for other viewers"),
    ("trainyard view --parquet tables run.tytrace", "the tables of Neuron Explorer's profiles"),
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds this subcommand's arguments."""
    parser.add_argument(
        "runs",
        nargs="+",
        metavar="RUN",
        help="a trace (.tytrace) or report (.json) of trainyard profile, the output of trainyard "
        "time --json, or a directory of them; a second RUN is compared with the first",
    )
    parser.add_argument("--output", metavar="FILE", help="the page (default: RUN.html beside RUN)")
    parser.add_argument("--open", action="store_true", help="also open it in the browser")
    parser.add_argument(
        "--serve",
        action="store_true",
        help="serve the page on 127.0.0.1 until Ctrl-C, for traces too large for one file",
    )
    parser.add_argument(
        "--port", type=int, default=0, help="of the server (default: one that is free)"
    )
    parser.add_argument("--json", action="store_true", help="print the page's document instead")
    parser.add_argument(
        "--chrome", metavar="FILE", help="write the first run for chrome://tracing instead"
    )
    parser.add_argument("--csv", metavar="FILE", help="write its intervals as a table instead")
    parser.add_argument(
        "--parquet",
        metavar="DIR",
        help="write it as Neuron Explorer writes a profile instead, TABLE.parquet of each table; "
        "needs pyarrow",
    )


def run(options: argparse.Namespace) -> int:
    """Runs the subcommand."""
    from trainyard import view  # needs NumPy, which other commands start without

    if len(options.runs) > 2:
        raise trainyard.UsageError("trainyard view takes one RUN, or two to compare")
    sides = [view.runs_at(path) for path in options.runs]
    if options.chrome or options.csv or options.parquet:
        return _export(options, sides[0][0])
    runs = [run for side in sides for run in (side if len(sides) == 1 else side[:1])]
    comparison = _compared(runs) if len(sides) == 2 else None
    if options.json:
        document = view.document_of([run.as_dict() for run in runs], comparison)
        output.write_document(document)
        return exit_codes.OK
    if not options.serve and (page := _page(runs, comparison)) is not None:
        path = Path(options.output or _beside(options.runs[-1]))
        write_whole(path, page)
        print(f"wrote {path}", file=sys.stderr)
        if options.open:
            webbrowser.open(path.resolve().as_uri())
        return exit_codes.OK
    return _serve(options, runs, comparison)


def _page(runs: list[view.files.Run], comparison: dict[str, Any] | None) -> bytes | None:
    """The page, or nothing, said on stderr, where it would be too large for a browser."""
    from trainyard import view

    rows = sum(run.rows for run in runs)
    if rows <= view.ROWS_MAX:
        document = view.document_of([run.as_dict() for run in runs], comparison)
        page = view.page_of(document).encode()
        if len(page) <= view.PAGE_BYTES_MAX:
            return page
        found = f"{len(page) / 1e6:.0f} MB"
    else:
        found = f"{rows:,} intervals"
    print(
        f"trainyard: {found} are too much for one file (at most {view.PAGE_BYTES_MAX / 1e6:.0f} MB "
        f"and {view.ROWS_MAX:,} intervals): serving the page instead",
        file=sys.stderr,
    )
    return None


def _serve(
    options: argparse.Namespace, runs: list[view.files.Run], comparison: dict[str, Any] | None
) -> int:
    from trainyard.view import server

    with server.server_of(runs, comparison, options.port) as made:
        address = f"http://127.0.0.1:{made.server_port}/"
        print(f"the page is at {address} until Ctrl-C", file=sys.stderr, flush=True)
        if options.open:
            webbrowser.open(address)
        try:
            made.serve_forever()
        except KeyboardInterrupt as error:
            if type(error) is not KeyboardInterrupt:  # a signal to end, which is no Ctrl-C
                raise
    return exit_codes.OK


def _export(options: argparse.Namespace, run: view.files.Run) -> int:
    from trainyard import view
    from trainyard.view import exports

    if run.timeline is None:
        raise trainyard.UsageError(f"{options.runs[0]} has no trace, which this export needs")
    view.need_rows(run.timeline)
    for path, write in ((options.chrome, exports.chrome_json), (options.csv, exports.csv_text)):
        if path:
            write_whole(path, write(run.timeline).encode())
            print(f"wrote {path}", file=sys.stderr)
    if options.parquet:
        from trainyard.view import explorer

        rows = explorer.write(run, options.parquet)
        filled = sum(count > 0 for count in rows.values())
        print(
            f"wrote {len(rows)} tables of schema {explorer.version()} to {options.parquet}, "
            f"{filled} of which have rows",
            file=sys.stderr,
        )
    return exit_codes.OK


def _beside(path: str) -> Path:
    """Where the page about a run goes that nobody named: beside a file, in a directory."""
    named = Path(path)
    if named.is_dir():
        return named / "index.html"
    return named.with_name(named.name.removesuffix(named.suffix) + ".html")


def _compared(runs: list[view.files.Run]) -> dict[str, Any]:
    """What changed from the first run to the second, as trainyard diff --json tells it."""
    before, after = (run.facts["report"] for run in runs)
    return differences.diff(before, after).as_dict()
