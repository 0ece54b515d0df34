"""trainyard sweep: one question at every point of a grid, kept in an SQLite file."""

from __future__ import annotations

import argparse

from trainyard.commands import exit_codes, output
from trainyard.commands.progress import Progress
from trainyard.files import write_whole

NAME = "sweep"
HELP = "answer a study: machines x models x plans x prices, resumed where it was interrupted"
EXAMPLES = (
    ("trainyard sweep study.toml", "every point by all cores; results in study.sqlite"),
    (
        "trainyard sweep study.toml --processes 4 --csv study.csv",
        "by four processes, and as a table",
    ),
    ("trainyard sweep study.toml --cluster tcp://host:8786", "by the workers of a Dask scheduler"),
)
_SHOWN = 20


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds this subcommand's arguments."""
    add = parser.add_argument
    add("study", metavar="STUDY.toml", help="study.ask, axes and fixed options")
    add("--results", default="", metavar="FILE", help="where answers are kept; STUDY.sqlite")
    add("--processes", type=int, default=0, metavar="N", help="of this machine; its cores")
    add("--cluster", default="", metavar="ADDRESS", help="a Dask scheduler, tcp://HOST:PORT")
    add("--csv", metavar="FILE", help="write a line for each point")
    add("--progress", action="store_true", default=None, help="say how far it is, also in a file")
    add("--json", action="store_true", help="machine-readable output")


def run(options: argparse.Namespace) -> int:
    """Runs the subcommand."""
    from trainyard.planner import study_results, study_runs

    progress = Progress(options.progress)
    try:
        outcome = study_runs.run(
            options.study, options.results, options.processes, options.cluster, progress.tell
        )
    finally:
        progress.clear()
    if options.csv:
        write_whole(options.csv, study_results.as_csv(outcome.rows).encode())
    if options.json:
        output.write_json("trainyard.study/1", study_runs.dumps(outcome))
    else:
        counts = ", ".join(f"{count:,} {state}" for state, count in outcome.counts.items() if count)
        print(f"{outcome.study.size:,} points: {counts}; {outcome.new:,} of them now")
        print(f"in {outcome.seconds:.1f} s, kept in {outcome.results}")
        refused = [row for row in outcome.rows if row["state"] in ("refused", "crashed")]
        for why in list(dict.fromkeys(row["why"] for row in refused))[:_SHOWN]:
            print(f"not asked: {output.plain(why)}")
    return exit_codes.OK if outcome.counts["answered"] else exit_codes.DOES_NOT_FIT
