"""trainyard plan: what a service or a training run needs. Each action is a module of its own."""

from __future__ import annotations

import argparse

from trainyard.commands import plan_serve, plan_train
from trainyard.commands.actions import Actions

NAME = "plan"
HELP = "say how many chips a service needs, or how to lay out a training run, and what it costs"
ACTIONS = {"serve": plan_serve, "train": plan_train}
EXAMPLES = tuple(example for one in ACTIONS.values() for example in one.EXAMPLES)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds this subcommand's arguments."""
    actions = Actions(parser)
    for name, module in ACTIONS.items():
        module.arguments(actions.add_document(name, module.HELP))


def run(options: argparse.Namespace) -> int:
    """Runs the subcommand."""
    return ACTIONS[options.action].run(options)
