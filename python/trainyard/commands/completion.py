"""trainyard completion: what a shell needs to complete the command."""

from __future__ import annotations

import argparse

from trainyard.commands import exit_codes
from trainyard.shell import completion, parsed

NAME = "completion"
HELP = "print the completion script of a shell"
EXAMPLES = (
    (
        "trainyard completion bash",
        "for bash: write it to ~/.local/share/bash-completion/completions/trainyard",
    ),
    ("trainyard completion zsh", "for zsh: write it as _trainyard to a folder of fpath"),
    (
        "trainyard completion fish",
        "for fish: write it to ~/.config/fish/completions/trainyard.fish",
    ),
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds this subcommand's arguments."""
    parser.add_argument("shell", choices=("bash", "zsh", "fish"), help="whose script")


def run(options: argparse.Namespace) -> int:
    """Runs the subcommand."""
    print(completion.SHELLS[options.shell](parsed.command_of(options.parser)), end="")
    return exit_codes.OK
