"""trainyard compare: one model, several machines."""

from __future__ import annotations

import argparse
import shlex
import sys

import trainyard
from trainyard import _core
from trainyard.commands import exit_codes, fit, output
from trainyard.commands.amounts import amount
from trainyard.commands.progress import Progress

NAME = "compare"
HELP = "compare machines for a model: throughput, latency, watts, dollars, each an interval"
EXAMPLES = (
    (
        "trainyard compare llama3-70b --on trn3-gen2,trn2-ultraserver,gb300-nvl72,b200,h100,tpu7",
        "serving, each machine by its best plan",
    ),
    (
        "trainyard compare deepseek-v3 --on trn3-gen2,gb300-nvl72 --page moe.html",
        "one page with plots, every input and its source",
    ),
    (
        "trainyard compare llama3-405b --on trn2,h100 --phase training --chips 2048 --tokens 15e12",
        "days, megawatt hours and dollars of a training run",
    ),
    (
        "trainyard compare llama3-70b --on trn2-ultraserver,trn3-gen2 --weights bf16 --exact",
        "the best plans of Trainium simulated layer by layer, the best by simulated time chosen",
    ),
    ("trainyard compare --list", "the models and machines that are known by name"),
)
PLAN = (
    "interactivity",
    "tokens",
    "training_format",
    "price",
    "region",
    "tp",
    "pp",
    "dp",
    "pads_heads",
    "software",
)


def add_answers(parser: argparse.ArgumentParser) -> None:
    """What compare and cost ask beyond the workload."""
    add = parser.add_argument
    add("--phase", choices=("serving", "training"), default="serving", help="serving by default")
    add(
        "--interactivity",
        type=float,
        metavar="N",
        help="tokens a second for a user at least; 30, or what a given --batch allows",
    )
    add("--tokens", type=amount, metavar="N", help="of a training run; 1e12")
    add("--training-format", metavar="FORMAT", help="bf16, fp8 or fp4; bf16")
    add("--price", metavar="BASIS", help="own, on_demand, spot, contract, ...; own")
    add("--region", metavar="NAME", help="a region of the price list, such as us-east-2")
    for name in ("tp", "pp", "dp"):
        add(f"--{name}", type=int, metavar="N", help="use this value instead of the best plan's")
    add(
        "--software",
        action="store_true",
        default=None,
        help="what the machine's software measures (software.* of the machine), not what the "
        "machine would do",
    )
    add(
        "--pads-heads",
        action="store_true",
        default=None,
        help="let tp be what does not divide the heads, which software then pads",
    )


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds this subcommand's arguments."""
    parser.add_argument("model", nargs="?", help="a name or a config.json")
    parser.add_argument("--on", metavar="A,B,C", help="the machines")
    parser.add_argument("--list", action="store_true", help="print the known models and machines")
    add_answers(parser)
    parser.add_argument(
        "--exact",
        action="store_true",
        help="answer by simulated layers on Trainium (the prefill and a decoding step, or a "
        "microbatch of training), and choose the best of --plans by simulated time; needs JAX",
    )
    parser.add_argument(
        "--plans",
        type=int,
        metavar="N",
        help="with --exact: simulate so many of the analytic model's best plans, of serving with "
        "the batches around theirs; 4",
    )
    parser.add_argument("--page", metavar="FILE.html", help="write one page with plots and inputs")
    parser.add_argument("--figure", metavar="FILE", help="write the plots as FILE.svg or FILE.png")
    fit.add_workload(parser)


def run(options: argparse.Namespace) -> int:
    """Runs the subcommand."""
    if options.list:
        return _list(options.json)
    if not options.model or not options.on:
        raise trainyard.UsageError("compare needs a model and --on MACHINES; see --list")
    if options.plans is not None and not options.exact:
        raise trainyard.UsageError("--plans is how many --exact simulates; add --exact")
    asked = fit.workload_of(options, (*fit.WORKLOAD, *PLAN))
    if options.exact:
        from trainyard.planner import exact  # NumPy, which other commands start without

        progress = Progress(None)
        asked = asked | {"tell": progress.tell} | fit.workload_of(options, ("plans",))
        try:
            result = exact.compare(options.model, options.on, options.phase, **asked)
        finally:
            progress.clear()
    else:
        result = trainyard.compare(options.model, options.on, options.phase, **asked)
    if options.page:
        result.save_page(options.page, shlex.join(["trainyard", *sys.argv[1:]]))
    if options.figure:
        result.figure().save(options.figure)
    if options.json:
        output.write_json("trainyard.comparison/1", result.as_dict())
    else:
        print(result)
    return exit_codes.OK if any(row.plan for row in result) else exit_codes.DOES_NOT_FIT


def _list(as_json: bool) -> int:
    names = {"models": _core.models(), "machines": _core.accelerators()}
    lines = [f"{kind}: {', '.join(found)}" for kind, found in names.items()]
    return output.show(as_json, "trainyard.names/1", names, lines)
