"""Questions about a timed run that are answered by simulating it again on other machines."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from trainyard import _core

# Simulated instructions that nobody minds waiting for, about two seconds: what `profile` spends on
# the interval of a time unasked.
UNASKED_MAX = 10_000_000

# A name, settings as Machine.with_overrides takes them, and whether it was asked for by itself.
Change = tuple[str, list[str], bool]


def changes_of(asked: Iterable[str], machine: Any) -> list[Change]:
    """The changes that `asked` names: each "KEY=VALUE", several joined by commas, or "all".

    Raises InputError for a setting that the machine refuses.
    """
    changes: list[Change] = []
    for text in [asked] if isinstance(asked, str) else asked:
        if text == "all":
            changes += _core.standard_changes()
            continue
        settings = [setting.strip() for setting in text.split(",")]
        machine.with_overrides(settings)
        changes.append((",".join(settings), settings, True))
    return changes


def warnings_of(settings: Iterable[str], machine: Any) -> list[str]:
    """What to say about settings ("KEY=VALUE") that change nothing."""
    effects = {figure["key"]: figure.get("effect") for figure in machine.provenance()}
    keys = [setting.partition("=")[0].strip() for setting in settings]
    unread = sorted({key for key in keys if effects.get(key) == "none"})
    if not unread:
        return []
    return [f"no model reads {', '.join(unread)} yet: setting {_it(unread)} changes no result"]


def warnings_of_changes(changes: Iterable[Change], machine: Any) -> list[str]:
    """What to say about what-ifs that a re-simulation cannot show."""
    effects = {figure["key"]: figure.get("effect", "timing") for figure in machine.provenance()}
    keys = {setting.partition("=")[0] for _, settings, _ in changes for setting in settings}
    blind = sorted(key for key in keys if effects.get(key) not in ("timing", "none"))
    result = warnings_of((f"{key}=" for key in keys), machine)
    if blind:
        result.append(
            f"{', '.join(blind)} may change the program or other answers, and a what-if times the "
            f"same program: use --set to see the effect"
        )
    return result


def _it(keys: list[str]) -> str:
    return "it" if len(keys) == 1 else "them"
