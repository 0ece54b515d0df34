"""trainyard claims: what is said in public about the machines, and what we find."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Iterator

import trainyard
from trainyard import claims
from trainyard.claims import pages
from trainyard.commands import output

NAME = "claims"
HELP = "check public claims: source, our figure, verdict, and what it depends on"
EXAMPLES = (
    ("trainyard claims", "every claim with our figure and the verdict"),
    ("trainyard claims C09", "one claim in full"),
    ("trainyard claims --page claims.html", "one page with plots"),
    ("trainyard claims --json", "all of it as data"),
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds this subcommand's arguments."""
    parser.add_argument("id", nargs="*", help="claims to show; all without one")
    parser.add_argument("--page", metavar="FILE.html", help="write one page with plots")
    parser.add_argument("--json", action="store_true", help="machine-readable output")


def run(options: argparse.Namespace) -> int:
    """Runs the subcommand."""
    known = claims.claims()
    unknown = [id for id in options.id if id not in known]
    if unknown:
        raise trainyard.UsageError(
            f"there is no claim {unknown[0]}; they are C01 to {list(known)[-1]}"
        )
    chosen = [known[id] for id in options.id] or list(known.values())
    found = {claim.id: claims.answers(claim.id) for claim in chosen}
    if options.page:
        pages.sheet_of(found).save(options.page)
    document = {
        "claims": [
            vars(claim) | {"answers": [answer.as_dict() for answer in found[claim.id]]}
            for claim in chosen
        ]
    }
    lines = [line for claim in chosen for line in _lines(claim, found[claim.id], bool(options.id))]
    return output.show(options.json, "trainyard.claims/1", document, lines)


def _lines(claim: claims.Claim, answers: list[claims.Answer], in_full: bool) -> Iterator[str]:
    against = f", against {claim.against}" if claim.against else ""
    yield f"{claim.id}  {claim.claim}: {claim.figure}{against}  [{claim.who}]"
    for answer in answers:
        yield f"     {answer.verdict:7}{pages.ours(answer):>26}  by {claims.METHODS[answer.method]}"
        if in_full:
            yield from textwrap.wrap(
                answer.text, 100, initial_indent=" " * 12, subsequent_indent=" " * 12
            )
            if answer.hinges:
                yield f"            hinges on {answer.hinges}"
    if not answers:
        yield "     no answer yet"
