"""trainyard fit: does a model fit a machine, and what would."""

from __future__ import annotations

import argparse

import trainyard
from trainyard.commands import exit_codes, given, output

NAME = "fit"
HELP = "say whether a model fits a machine, for serving and training, and which plans do"
EXAMPLES = (
    ("trainyard fit llama3-70b --on trn3-gen2", "the fewest chips that hold it, part by part"),
    (
        "trainyard fit path/to/config.json --on trn2 --chips 4 --batch 32 --input 8192",
        "any Hugging Face model, on four chips with 32 requests at once",
    ),
    ("trainyard fit llama3-70b --on trn2 --tp 8 --zero 3", "a layout that you have in mind"),
    ("trainyard fit deepseek-v3 --on gb300-nvl72 --weights fp8 --json", "as data"),
)


def add_workload(parser: argparse.ArgumentParser) -> None:
    """What may be said about requests and training, for fit, compare and cost."""
    add = parser.add_argument
    add("--input", type=float, metavar="TOKENS", help="tokens of a request's prompt; 1024")
    add("--output", type=float, metavar="TOKENS", help="tokens of its answer; 1024")
    add("--batch", type=float, metavar="N", help="requests at once in a replica")
    add("--weights", metavar="FORMAT", help="bf16, fp8 or fp4")
    add("--cache", metavar="FORMAT", help="of the KV cache: bf16, fp8 or fp4; bf16")
    add(
        "--chips", type=int, metavar="N", help="chips to use; of serving, whole replicas share them"
    )
    add("--sequence", type=float, metavar="TOKENS", help="of training; 8192")
    add("--global-batch", type=float, metavar="N", help="sequences of a training step; 1024")
    add("--microbatch", type=float, metavar="N", help="sequences of a microbatch; 1")
    add("--recompute", metavar="WHAT", help="none, selective, mlp or full")
    add(
        "--set",
        action="append",
        metavar="KEY=NUMBER",
        dest="settings",
        help="override a figure, for example power.all_in=1500",
    )
    add("--json", action="store_true", help="machine-readable output")


LAYOUT = ("tp", "pp", "dp", "zero", "pads_heads")
WORKLOAD = (
    "input",
    "output",
    "batch",
    "weights",
    "cache",
    "chips",
    "sequence",
    "global_batch",
    "microbatch",
    "recompute",
    "settings",
)


FORMATS = ("bf16", "fp8", "fp4")
WORDS = {
    "weights": FORMATS,
    "cache": FORMATS,
    "training_format": FORMATS,
    "recompute": ("none", "selective", "mlp", "full"),
}


def workload_of(options: argparse.Namespace, names: tuple[str, ...] = WORKLOAD) -> dict:
    """The options that were given, as trainyard.fit() takes them. Raises UsageError for a word that
    an option does not know, also where the question does not need it."""
    given.check_words(options, {name: WORDS[name] for name in names if name in WORDS})
    return {name: value for name in names if (value := getattr(options, name)) is not None}


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds this subcommand's arguments."""
    parser.add_argument("model", help="a name (see trainyard compare --list) or a config.json")
    parser.add_argument(
        "--on", required=True, metavar="MACHINE", help="one of the compared machines"
    )
    for name in LAYOUT[:3]:
        parser.add_argument(f"--{name}", type=int, metavar="N", help="of the layout to look at")
    parser.add_argument("--zero", type=int, metavar="0-3", help="what replicas share out; 1")
    parser.add_argument(
        "--pads-heads", action="store_true", default=None, help="tp may leave heads over"
    )
    add_workload(parser)


def run(options: argparse.Namespace) -> int:
    """Runs the subcommand."""
    asked = workload_of(options, (*WORKLOAD, *LAYOUT))
    result = trainyard.fit(options.model, options.on, **asked)
    if options.json:
        output.write_document(result.document)
    else:
        print(result)
    fits = result.serving.fits or result.training.fits
    return exit_codes.OK if fits else exit_codes.DOES_NOT_FIT
