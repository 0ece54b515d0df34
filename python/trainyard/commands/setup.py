"""trainyard setup: installs what one of the frameworks needs."""

from __future__ import annotations

import argparse
import sys

from trainyard import torch_setup
from trainyard.commands import exit_codes

NAME = "setup"
HELP = "install a framework's packages into this Python's environment"
EXAMPLES = (
    (
        "trainyard setup torch",
        "PyTorch and transformers, pinned, without a GPU's libraries (1.4 GB on disk)",
    ),
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds this subcommand's arguments."""
    parser.add_argument("framework", choices=("torch",), help="what to install")


def run(options: argparse.Namespace) -> int:
    """Runs the subcommand."""
    version = torch_setup.install(lambda text: print(text, file=sys.stderr, flush=True))
    print(f"PyTorch {version} is ready: import torch_neuronx, then device or backend neuron")
    return exit_codes.OK
