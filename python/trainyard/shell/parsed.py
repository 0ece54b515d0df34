"""The command's arguments as plain records, read from its parser."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import trainyard
from trainyard import _core, findings

_FILES = ("FILE", "DIR", "SVG", "file", "script", "before", "after", "output")


@dataclass(frozen=True)
class Argument:
    """An option (with `flags`) or a positional argument.

    `value` names what follows an option, "" for a switch; `words` are the values known beforehand;
    `takes_file` says that a file may stand there.
    """

    flags: tuple[str, ...]
    name: str
    value: str
    words: tuple[str, ...]
    takes_file: bool
    help: str


@dataclass(frozen=True)
class Command:
    """A subcommand, or an action of one: `path` is ("machine", "show")."""

    path: tuple[str, ...]
    help: str
    arguments: tuple[Argument, ...]
    actions: tuple[Command, ...]

    @property
    def options(self) -> tuple[Argument, ...]:
        """Those with flags."""
        return tuple(one for one in self.arguments if one.flags)

    @property
    def positionals(self) -> tuple[Argument, ...]:
        """Those without."""
        return tuple(one for one in self.arguments if not one.flags)


def command_of(parser: argparse.ArgumentParser, path: tuple[str, ...] = ()) -> Command:
    """The whole command, or from `path` on."""
    arguments, actions = [], []
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            helps = {one.dest: one.help for one in action._choices_actions}
            for name, sub in action.choices.items():
                found = command_of(sub, (*path, name))
                said = helps.get(name) or ""
                actions.append(Command(found.path, said, found.arguments, found.actions))
        else:
            arguments.append(_argument(action, path))
    return Command(path, parser.description or "", tuple(arguments), tuple(actions))


def each(command: Command) -> Iterator[Command]:
    """The command, its subcommands, their actions."""
    yield command
    for action in command.actions:
        yield from each(action)


def _argument(action: argparse.Action, path: tuple[str, ...]) -> Argument:
    flags = tuple(action.option_strings)
    metavar = action.metavar if isinstance(action.metavar, str) else ""
    value = "" if flags and action.nargs == 0 else (metavar or action.dest)
    words = tuple(str(one) for one in action.choices or ())
    makes = (
        None if flags and not value else _KNOWN.get((*path, action.dest), _KNOWN.get(action.dest))
    )
    if not words and makes is not None:
        words = tuple(makes())
    name = metavar or action.dest
    takes_file = not words and any(one in _FILES for one in (metavar, action.dest))
    takes_file = takes_file or action.dest in ("machine", "model", "arguments")
    if not value and flags:
        takes_file = False
    return Argument(flags, name, value, words, takes_file, (action.help or "").replace("%%", "%"))


def _mnemonics() -> list[str]:
    return [one["mnemonic"] for one in _core.instruction_schema()]


def _checks() -> list[str]:
    return list(findings.registry())


def _models() -> list[str]:
    return _core.models()


def _compared() -> list[str]:
    return [one if isinstance(one, str) else one["name"] for one in _core.accelerators()]


def _machines() -> list[str]:
    return [*trainyard.machines(), *trainyard.systems()]


# What the values of an argument may be, by its name, or by the command and its name.
_KNOWN: dict[str | tuple[str, ...], Callable[[], list[str]]] = {
    "machine": trainyard.machines,
    "mnemonic": _mnemonics,
    "suppress": _checks,
    "id": _checks,
    "model": _models,
    "on": _compared,
    ("machine", "show", "name"): _machines,
    ("machine", "explain", "name"): _machines,
}
