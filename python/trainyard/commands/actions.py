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

    def add_document(
        self, name: str, help: str, json_help: str = "machine-readable output"
    ) -> argparse.ArgumentParser:
        """One more action, which prints a document for people or as JSON."""
        parser = self.add(name, help)
        parser.add_argument("--json", action="store_true", help=json_help)
        return parser
