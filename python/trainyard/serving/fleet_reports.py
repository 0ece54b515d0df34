"""The answer of a search over fleets as text, JSON, CSV and a page."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from trainyard.serving.fleet_search import FleetPlan, Trial, name_of

if TYPE_CHECKING:
    from trainyard.view.sheet import Sheet

SHOWN = 12  # fleets in the table


def as_dict(plan: FleetPlan) -> dict[str, Any]:
    """For JSON."""
    best = plan.best
    return {
        "slo": {name: one for name, one in vars(plan.slo).items() if one is not None},
        "share": plan.share,
        "rate": plan.rate,
        "chips": plan.chips,
        "best": best.as_dict() if best else None,
        "served": best.served.as_dict() if best else None,
        "checked": plan.checked,
        "why_not_fewer": plan.why_not_fewer(),
        "alone": [
            {
                **{"tp": one.tp, "dp": one.dp, "chunk": one.asked.chunk_tokens_max},
                **{"max_num_seqs": one.asked.requests_max, "rate": rate},
            }
            for one, rate in plan.alone
        ],
        "tried": [one.as_dict() for one in plan.tried],
    }


def as_csv(plan: FleetPlan) -> str:
    """Every fleet that was simulated, the best first."""
    text = io.StringIO()
    rows = [one.as_dict() for one in plan.tried]
    writer = csv.DictWriter(text, list(rows[0]) if rows else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def lines(plan: FleetPlan, model: str, machine: str) -> Iterator[str]:
    """For people."""
    what = f"{100 * plan.share:g} % of requests with {plan.slo}"
    yield f"{model} on {machine}: {plan.rate:.4g} requests/s, {what}"
    if not plan.tried:
        yield "no replica keeps the service level, not even for a request alone: ask for less"
        return
    yield ""
    yield "  chips   within    TTFT p99    TPOT p99      USD/h   chunk   seqs   fleet"
    for one in plan.tried[:SHOWN]:
        yield _line(one)
    if len(plan.tried) > SHOWN:
        yield f"  and {len(plan.tried) - SHOWN} more (--csv, --json)"
    yield ""
    if plan.best is None:
        yield "none keeps the service level: ask for less, or name --tp"
        return
    limits = f"pieces of {plan.best.chunk} tokens, up to {plan.best.batch} requests at once each"
    yield f"fewest: {plan.chips} chips, {name_of(plan.best)}, {limits}"
    if plan.checked is not None:
        share = f"{100 * plan.checked:.2f} %"
        yield f"with arrivals that nothing was chosen by: {share} within the service level"
    yield f"why not fewer: {plan.why_not_fewer()}"
    values = plan.best.served.values
    usd, joules = values["usd_per_million_output_tokens"], values["joules_per_output_token"]
    yield (
        f"a million output tokens: {_number(usd, '.3f')} USD "
        f"({plan.best.served.replica.asked.price}); an output token: {_number(joules, '.2f')} J"
    )


def _number(value: float | None, form: str) -> str:
    return "unknown" if value is None else format(value, form)


def _line(one: Trial) -> str:
    found = one.as_dict()
    share = f"{100 * found['good_share']:.1f} %"
    return (
        f"  {one.chips:5} {share:>8} {found['p99_ttft_ms']:8.0f} ms {found['p99_tpot_ms']:8.1f} ms "
        f"{_number(found['usd_per_hour'], '.2f'):>10} {one.chunk:7} {one.batch:6}   "
        f"{name_of(one)}"
    )


def sheet_of(plan: FleetPlan, model: str, machine: str) -> Sheet:
    """The answer as a page: in words, every fleet, and chips against who keeps the level."""
    from trainyard.view.sheet import Sheet

    sheet = Sheet(f"{model} on {machine}: fleets")
    sheet.code("\n".join(lines(plan, model, machine)))
    if plan.tried:
        rows = [one.as_dict() for one in plan.tried]
        sheet.heading("Fleets that were simulated")
        sheet.table(tuple(rows[0]), [["" if v is None else v for v in r.values()] for r in rows])
        kinds: dict[str, list[tuple[float, float]]] = {}
        for one in sorted(plan.tried, key=lambda one: one.chips):
            replica, fleet = one.served.replica, one.served.fleet
            kind = f"tp {replica.tp}, dp {replica.dp}{', prefill apart' if fleet.readers else ''}"
            kinds.setdefault(kind, []).append((one.chips, 100 * one.served.good_share))
        title = "Requests within the service level over chips"
        sheet.lines(title, "chips", "% of requests", kinds)
    return sheet
