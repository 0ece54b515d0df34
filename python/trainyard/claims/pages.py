"""The claims as pages: docs/claims.md, and one page with a chart for each answer with a range."""

# ruff: noqa: E501  the text is Markdown, whose tables have no other place to break

from __future__ import annotations

from typing import TYPE_CHECKING

from trainyard.claims.table import METHODS, VERDICTS, Answer, Claim, claims
from trainyard.planner.text import number

if TYPE_CHECKING:
    from trainyard.view.sheet import Sheet

HEAD = """\
# What is claimed about Trainium3, and what we find

Made by `tools/claims_page.py` from `python/trainyard/claims`; do not edit. `trainyard claims C19` shows one in full.

Each claim stands with who made it. Ours is a value with its interval, and what it hinges on: the figures that move it most. The interval
is what the documented ranges of all figures allow at once; of the analytic model, P10 to P90 of 256 draws of all figures from their
ranges, and the verdict has the share of draws that bear the claim out. An answer by that model is no simulation of every instruction.

| verdict | means |
|---|---|
"""


def ours(answer: Answer) -> str:
    """Our figure with its interval: "1.8x (1.6 to 2.1)"."""
    if answer.ours is None:
        return ""
    unit = answer.unit if answer.unit in ("x", "%") else f" {answer.unit}"
    text = f"{answer.ours:.4g}{unit}"
    if answer.low is not None and answer.high is not None and answer.low != answer.high:
        text += f" ({number(answer.low)} to {number(answer.high)})"
    return text


def chance(answer: Answer) -> str:
    """The share of draws that bear the claim out: " (12 %)"."""
    return "" if answer.chance is None else f" ({100 * answer.chance:.0f} %)"


def counts(found: dict[str, list[Answer]]) -> str:
    """ "12 holds, 9 fails, ...": of each claim the first answer that decides something."""
    verdicts = []
    for answers in found.values():
        deciding = [one.verdict for one in answers if one.verdict != "record"]
        verdicts.append(deciding[0] if deciding else "record" if answers else "unanswered")
    kinds = [*VERDICTS, "unanswered"]
    return ", ".join(f"{verdicts.count(kind)} {kind}" for kind in kinds if kind in verdicts)


def markdown(found: dict[str, list[Answer]]) -> str:
    """docs/claims.md."""
    lines = [HEAD.rstrip("\n"), *(f"| {name} | {what} |" for name, what in VERDICTS.items()), ""]
    lines += [f"{len(found)} claims, by the first answer that decides: {counts(found)}.", ""]
    lines += ["| id | claim | who | ours | verdict | by | why, and what it hinges on |"]
    lines += ["|---|---|---|---|---|---|---|"]
    for id, claim in claims().items():
        against = f"; against {claim.against}" if claim.against else ""
        head = f"{claim.claim}: {claim.figure}{against}".replace("|", "\\|")
        for answer in found[id] or [None]:
            if answer is None:
                lines.append(f"| {id} | {head} | {claim.who} | | no answer yet | | |")
                continue
            hinges = f" Hinges on {answer.hinges}." if answer.hinges else ""
            lines.append(
                f"| {id} | {head} | {claim.who} | {ours(answer)} | **{answer.verdict}**{chance(answer)} | "
                f"{METHODS[answer.method]} | {_sentence(answer.text)}{hinges} |"
            )
    return "\n".join(lines) + "\n"


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:] + ("" if text.endswith(".") else ".")


def sheet_of(found: dict[str, list[Answer]]) -> Sheet:
    """The page: a table of all claims, and a chart for each whose answer has a range."""
    from trainyard.view.sheet import Sheet, quantity

    known = claims()
    sheet = Sheet("What is claimed about Trainium3, and what we find")
    sheet.text(f"{len(found)} claims, by the first answer that decides: {counts(found)}.")
    rows: list[list[object]] = []
    for id, answers in found.items():
        for answer in answers or [None]:
            head = [id, _headline(known[id]), known[id].who]
            if answer is None:
                rows.append([*head, "", "no answer yet", "", ""])
                continue
            value = ours(answer)
            value, _, bracket = value.partition(" (")
            note = f"({bracket}" if bracket else ""
            shown = quantity(value, answer.ours, note) if answer.ours is not None else value
            words = _sentence(answer.text)
            words += f" Hinges on {answer.hinges}." if answer.hinges else ""
            rows.append(
                [*head, shown, answer.verdict + chance(answer), METHODS[answer.method], words]
            )
    heads = ("id", "claim", "who", "ours", "verdict", "by", "why, and what it hinges on")
    sheet.table(heads, rows)
    sheet.heading("Answers with a range")
    for id, answers in found.items():
        for answer in answers:
            if bars := _bars(answer):
                sheet.bars(f"{id}  {_headline(known[id])}", bars)
    return sheet


def _headline(claim: Claim) -> str:
    against = f", against {claim.against}" if claim.against else ""
    return f"{claim.claim}: {claim.figure}{against}"


def _bars(answer: Answer) -> dict[str, tuple[str, float, float, float]]:
    """Our range beside the one that is claimed; none where ours is one number."""
    if answer.ours is None or answer.low is None or answer.high in (None, answer.low):
        return {}
    bars = {"ours": (ours(answer), answer.ours, answer.low, float(answer.high or 0))}
    if answer.claimed:
        low, high = answer.claimed
        words = "holds from" if high is None else "holds up to" if not low else "holds in"
        ends = [end for end in (low, high) if end]
        text = " to ".join(f"{end:.4g}" for end in ends) + f" {answer.unit}"
        bars[words] = (text, sum(ends) / len(ends), min(ends), max(ends))
    return bars
