"""The options of a command line as they were given: what none of them can mean, and which of them
an error is about."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from typing import Any

from trainyard.usage import UsageError

Range = tuple[float, float]


def actions_of(options: argparse.Namespace) -> Iterator[argparse.Action]:
    """The arguments of the command, and of its action where it has some."""
    pending = [options.parser] if hasattr(options, "parser") else []
    while pending:
        for action in pending.pop()._actions:
            if isinstance(action, argparse._SubParsersAction):
                chosen = getattr(options, action.dest or "", None)
                pending += [action.choices[chosen]] if chosen in action.choices else []
            else:
                yield action


def name_of(action: argparse.Action) -> str:
    """As one types it."""
    return action.option_strings[-1] if action.option_strings else str(action.dest)


def check(options: argparse.Namespace) -> None:
    """Raises UsageError for an option that says nothing, as one of an empty variable of the shell
    does, unless that is what it says where it is left out."""
    for action in actions_of(options):
        value = getattr(options, action.dest, None)
        is_one = action.nargs in (None, "?")
        if not is_one or value is None or value == action.default:
            continue
        each = value if isinstance(action, argparse._AppendAction) else [value]
        if any(one in ("", []) for one in each):  # argparse makes [] of --name=--
            raise UsageError(f"{name_of(action)} says nothing")


def check_ranges(options: argparse.Namespace, ranges: Mapping[str, Range]) -> None:
    """Raises UsageError for a number that is not within its bounds, by the name of its option."""
    for name, (low, high) in ranges.items():
        value = getattr(options, name)
        if value is not None and not low <= value <= high:  # nan is not
            raise UsageError(f"--{name.replace('_', '-')} is {low:g} to {high:g}, not {value:g}")


def check_words(options: argparse.Namespace, words: Mapping[str, tuple[str, ...]]) -> None:
    """Raises UsageError for a word that is none of those that an option knows."""
    for name, known in words.items():
        value = getattr(options, name)
        if value is not None and value not in known:
            raise UsageError(f"--{name.replace('_', '-')} is {', '.join(known)}, not {value}")


# Names that the core and Python's functions have for what an option says, where these differ; a
# command adds its own as the default of `names`.
NAMES = {"machine": "on", "settings": "overrides"}
# Errors whose place is a folder or a file, by their labels.
LABELS = {"machine.not_found": "machine", "machine.override": "settings"}


def named(text: str, error: BaseException, options: argparse.Namespace | None) -> str:
    """The text of an error with the option that it is about, where it says which and that was
    given."""
    if options is None:
        return text
    if isinstance(error, UsageError):
        action = _action_of(error.option, options)
        headline = text.partition("\n")[0]
        if action is None or name_of(action) in headline:
            return text
        return text.replace("trainyard: ", f"trainyard: {name_of(action)}: ", 1)
    pending = list(getattr(error, "violations", ()))
    lines = []
    for line in text.split("\n"):
        lines.append(line)
        if pending and line.removeprefix("error: ").startswith(f"{pending[0].label}: "):
            found = pending.pop(0)
            lines += _line(found, LABELS.get(found.label, found.place), options)
    return "\n".join(lines)


def _line(violation: Any, name: str, options: argparse.Namespace) -> list[str]:
    """What to add to a violation: the option and what was given, of several the one found."""
    action = _action_of(name, options)
    if action is None:
        return []
    value = getattr(options, action.dest)
    each = [str(one) for one in (value if isinstance(value, list) else [value])]
    shown = violation.found if violation.found in each else each[0]
    return [f"  option: {name_of(action)} {shown[:80]}"]


def _action_of(name: str, options: argparse.Namespace) -> argparse.Action | None:
    """The option that the core, or a function, knows by this name; none where it was not given."""
    known = NAMES | getattr(options, "names", {})
    for action in actions_of(options):
        is_it = action.option_strings and action.dest in (name, known.get(name))
        if is_it and getattr(options, action.dest, None) not in (None, action.default):
            return action
    return None
