"""trainyard tune: the fastest of a kernel's variants, or of the ways to compute a script."""

from __future__ import annotations

import argparse
import sys
from typing import Any

import trainyard
from trainyard import program_tuning, tuning
from trainyard.commands import exit_codes, failures, inputs, output, scripts, terminal

NAME = "tune"
HELP = "time a kernel with every combination of parameters, and check the results of the fastest"
EXAMPLES = (
    (
        "trainyard tune kernels.py:softmax 'x=float32[512,4096]' --over tile=512,1024,2048",
        "which tile is fastest?",
    ),
    (
        "trainyard tune kernels.py:softmax 'x=float32[512,4096]' --over tile=512,1024 "
        "--over buffers=1,2,3 --schedules list,free --keep tuned.json",
        "tiles, buffers and orders of the compiler; the next call reads the answer from the file",
    ),
    ("trainyard tune train.py", "the fastest way to compute each region of a JAX script"),
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds this subcommand's arguments."""
    parser.add_argument(
        "kernel",
        metavar="FILE[:KERNEL]",
        help="a kernel of a Python file; or a JAX script or StableHLO program, whose regions are "
        "timed in every way that the compiler knows: it takes the fastest from then on",
    )
    parser.add_argument(
        "inputs",
        nargs="*",
        help=f"the kernel's inputs, as {inputs.FORMS}, or the script's arguments",
    )
    parser.add_argument(
        "--over",
        action="append",
        default=[],
        metavar="NAME=VALUE,VALUE",
        help="a parameter of the kernel and the values to try; may be repeated",
    )
    parser.add_argument(
        "--schedules",
        default="list",
        metavar="NAMES",
        help=f"instruction orders to try, out of {', '.join(tuning.SCHEDULES)} (default: list)",
    )
    parser.add_argument(
        "--trials",
        type=int,
        default=200,
        metavar="N",
        help="time at most N variants; if there are more, search from the kernel's defaults and "
        "from random variants (default: 200)",
    )
    parser.add_argument(
        "--no-verify",
        action="store_true",
        help="take the fastest variant without comparing its results with those of the defaults",
    )
    parser.add_argument(
        "--jobs", type=int, default=1, metavar="N", help="processes that time variants (default: 1)"
    )
    parser.add_argument(
        "--keep",
        metavar="FILE",
        help="a JSON file of tunings: known searches are read from it, new ones are added",
    )
    parser.add_argument(
        "--seed", type=int, default=0, help="seed of random inputs and random variants (default 0)"
    )
    parser.add_argument(
        "--rows", type=int, default=20, metavar="N", help="show N variants (default: 20)"
    )
    scripts.add_machine_arguments(parser)


def _over(texts: list[str]) -> dict[str, list[Any]]:
    over: dict[str, list[Any]] = {}
    for text in texts:
        name, sign, values = text.partition("=")
        if not sign or not name.isidentifier() or not all(values.split(",")):
            raise trainyard.UsageError(f"--over is NAME=VALUE,VALUE as tile=128,256, not {text!r}")
        if name in over:
            raise trainyard.UsageError(f"--over {name} is given twice")
        over[name] = [inputs.value_of(value) for value in values.split(",")]
    return over


def run(options: argparse.Namespace) -> int:
    """Runs the subcommand."""
    if ":" not in options.kernel:
        return _tune_programs(options)
    over = _over(options.over)
    schedules = options.schedules.split(",")
    if not over and len(schedules) == 1:
        raise trainyard.UsageError("nothing to tune: give --over NAME=VALUE,VALUE")
    firsts = [f"{name}={values[0]}" for name, values in over.items()]
    try:
        with scripts.one_kernel(options) as kernel:
            given = inputs.parse([*options.inputs, *firsts], kernel.function, options.seed)
            found = tuning.tune(
                kernel,
                (),
                {name: value for name, value in given.items() if name not in over},
                over,
                machine=scripts.machine_of(options),
                schedules=schedules,
                trials=options.trials,
                seed=options.seed,
                verify=not options.no_verify,
                jobs=options.jobs,
                keep=options.keep,
            )
    except failures.ScriptError as error:
        if isinstance(error.__cause__, tuning.WrongSearch):
            raise trainyard.UsageError(str(error.__cause__)) from None
        ended = failures.explain(error)
        print(ended.text, file=sys.stderr)
        return ended.code
    if options.json:
        output.write_json(tuning.FORMAT, found.as_dict())
    else:
        print(found.text(options.rows), end="")
    return exit_codes.OK


def _tune_programs(options: argparse.Namespace) -> int:
    if options.over:
        raise trainyard.UsageError("--over is for a kernel: give FILE:KERNEL")
    machine = ["--machine", options.machine] if options.machine else []
    overrides = [word for each in options.overrides for word in ("--set", each)]
    try:
        found = program_tuning.tune([*machine, *overrides, options.kernel, *options.inputs])
    except program_tuning.ScriptFailed as failed:
        return int(failed.args[0])
    if options.json:
        output.write_json("trainyard.diff/1", found.as_dict())
        return exit_codes.OK
    text = "".join(f"{line}\n" for line in program_tuning.lines(found))
    print(terminal.shown(text, sys.stdout), end="")
    print(f"What each way takes is kept in {program_tuning.cache_file()}")
    return exit_codes.OK
