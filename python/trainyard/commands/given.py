"""The options of a command line as they were given: what none of them can mean, and which of them
an error is about."""

from __future__ import annotations

import argparse
import re
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


def named(text: str, options: argparse.Namespace | None) -> str:
    """An error with the option that it is about, where it is about one and does not say so: the
    one whose name the rule has, or whose value is what was found."""
    if options is None:
        return text
    first, _, rest = text.partition("\n")
    if "--" in first:
        return text
    scores: dict[str, int] = {}
    shown: dict[str, str] = {}
    for action in actions_of(options):
        value = getattr(options, action.dest, None)
        if not action.option_strings or value in (None, action.default, True):
            continue
        flag = action.option_strings[-1]
        given = [str(one) for one in (value if isinstance(value, list) else [value])]
        words = flag.lstrip("-").replace("-", "[ _]")
        score = 2 * bool(re.search(rf"\b{words} (is|are|cannot)\b", first))
        found = [one for one in given if _is_in(one, first)]
        scores[flag] = score + bool(found)
        shown[flag] = (found or given)[0]
    best = max(scores.values(), default=0)
    about = [flag for flag, score in scores.items() if score == best]
    if best == 0 or len(about) > 1:
        return text
    flag = about[0]
    if first.startswith("trainyard: "):
        return text.replace("trainyard: ", f"trainyard: {flag}: ", 1)
    line = f"  option: {flag} {shown[flag][:80]}"
    return "\n".join([first, line, *([rest] if rest else [])])


def _is_in(value: str, text: str) -> bool:
    """Whether a text holds a value as a word of its own, or the same number in other digits."""
    if value and re.search(rf"(?<![\w.]){re.escape(value)}(?![\w])", text):
        return True
    try:
        wanted: Any = float(value)
    except ValueError:
        return False
    numbers = re.findall(r"(?<![\w.])-?(?:inf|nan|[0-9.]+(?:e[+-]?[0-9]+)?)(?![\w])", text)
    return any(_number(one) == wanted for one in numbers)


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
