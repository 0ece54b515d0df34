"""Subcommands that are groups of actions: `trainyard machine show`."""

from __future__ import annotations

import argparse


class Actions:
    """The actions of one subcommand; options.action is the chosen one's name."""

    def __init__(self, parser: argparse.ArgumentParser) -> None:
        self._group = parser.add_subparsers(dest="action", required=True, metavar="ACTION")

    def add(self, name: str, help: str) -> argparse.ArgumentParser:
        """One more action, to which arguments can be added."""
        description = f"{help[0].upper()}{help[1:]}."
        return self._group.add_parser(name, help=help, description=description)
