"""Plans of training as text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from trainyard.planner.text import GIB, interval, number

if TYPE_CHECKING:
    from trainyard.planner.plans import TrainPlan, TrainPlans

SHOWN = 10  # plans of a table
_PARTS = (
    ("products", "products of layers"),
    ("attention", "attention"),
    ("output", "output matrix"),
    ("launches", "launches"),
    ("exposed_collectives", "collectives that nothing hides"),
    ("bubble", "pipeline fills and drains"),
    ("exposed_gradients", "gradients, once a step"),
    ("optimizer", "optimizer"),
    ("fixed", "fixed"),
)
_VALUES = (
    ("days", "computing"),
    ("goodput", "goodput"),
    ("elapsed_days", "elapsed"),
    ("chip_hours", "chip hours"),
    ("mwh", "energy"),
    ("usd", "dollars"),
)


def lines(plans: TrainPlans) -> Iterator[str]:
    """The ranked table, the best plan's parts and place, and the run."""
    asked = plans.document["asked"]
    yield (
        f"{plans.model['title']} on {plans.machine['title']}: {number(asked['tokens'])} tokens, "
        f"steps of {asked['global_batch']:.0f} sequences of {asked['sequence']:.0f}"
    )
    counts = plans.counts
    yield (
        f"{counts['timed']:,} plans timed, {counts['refused']:,} did not fit, "
        f"{counts['pruned']:,} groups that no library runs left out"
    )
    for document in plans.documents:
        if document["asked"]["chips_within_power"] < document["asked"]["chips"]:
            yield (
                f"the cap on power feeds {document['asked']['chips_within_power']:,} chips of "
                f"{document['asked']['chips']:,}, those that stand by besides"
            )
    if plans.best is None:
        yield plans.why
        return
    yield ""
    yield from _table(plans)
    yield ""
    yield from _best(plans)


def _table(plans: TrainPlans) -> Iterator[str]:
    several = len(plans.documents) > 1
    heading = f"{'chips':>8} {'tp':>3} {'cp':>3} {'ep':>3} {'pp':>3} {'dp':>5} {'mb':>3} "
    yield heading + (
        f"{'recompute':>9} {'ZeRO':>6} {'schedule':>9} {'GiB':>6} {'step s':>8} {'MFU':>6} "
        f"{'bubble':>6} {'days':>7} {'M$':>8}"
    )
    ranked = sorted(plans, key=lambda one: one.values["elapsed_days"])
    shown = plans.frontier() if several else tuple(ranked)
    for plan in shown[:SHOWN]:
        yield _row(plan)
    left = len(plans.plans) - min(SHOWN, len(shown))
    if left > 0:
        what = "what no other beats in days and dollars; " if several else ""
        yield f"({what}{left} more plans in --csv and --json)"


def _row(plan: TrainPlan) -> str:
    values = plan.values
    turns = f"{plan.schedule} x{plan.interleave}" if plan.interleave > 1 else plan.schedule
    dollars = f"{values['usd'] / 1e6:8.2f}" if "usd" in values else f"{'-':>8}"
    return (
        f"{plan.chips:8} {plan.tp:3} {plan.cp:3} {plan.ep:3} {plan.pp:3} {plan.dp:5} "
        f"{plan.microbatch:3} {plan.recompute:>9} {plan.sharing:>6} {turns:>9} "
        f"{plan.bytes / GIB:6.1f} {values['step_seconds']:8.3f} {100 * values['mfu']:5.1f}% "
        f"{100 * values['bubble']:5.1f}% {values['elapsed_days']:7.1f} {dollars}"
    )


def _best(plans: TrainPlans) -> Iterator[str]:
    best, document = plans.best, plans.document
    assert best is not None
    total = best.parts["seconds"]
    yield f"a step of {total:.3f} s, {best.parts['microbatches']:.0f} microbatches a replica:"
    for name, what in _PARTS:
        if best.parts[name] > 0.0005 * total:
            seconds = best.parts[name]
            yield f"  {what:32}{seconds:9.3f} s {100 * seconds / total:5.1f} %"
    peak = f"{document['peak_tflops']:.4g} TFLOPS of dense {best.workload['format']}"
    native = "" if document["native"] else ", the next wider format's: the machine has none"
    yield (
        f"MFU {100 * best.values['mfu']:.1f} %: operations that the model needs, none twice, over "
        f"{best.chips:,} chips of {peak}{native}"
    )
    memory = document["memory"]
    parts = ", ".join(f"{one['name']} {one['bytes'] / GIB:.1f}" for one in memory["parts"])
    yield f"memory: {memory['total'] / GIB:.1f} of {memory['capacity'] / GIB:.1f} GiB ({parts})"
    axes = [
        f"{one['axis']} {one['size']:.0f} over the {one['links']}"
        for one in document["fabric"]
        if one["size"] > 1
    ]
    yield f"fabric: {best.placement}: {', '.join(axes) or 'one chip'}"
    yield from _run(plans, document)


def _run(plans: TrainPlans, document: dict[str, Any]) -> Iterator[str]:
    lost = document["interruptions"]
    yield (
        f"interruptions: one in {number(lost['hours_between_failures'])} h, "
        f"{number(lost['restart_seconds'] / 60)} min each; a checkpoint of "
        f"{number(lost['checkpoint_seconds'])} s every "
        f"{number(lost['checkpoint_interval_seconds'] / 60)} min; "
        f"{lost['spare_chips']:.0f} chips stand by (availability "
        f"{100 * lost['availability']:.1f} %); stragglers take {100 * lost['stragglers']:.0f} %"
    )
    if not plans.values:
        return
    yield "of the run, and from P10 to P90 over the ranges of all figures:"
    for name, what in _VALUES:
        if (one := plans.values.get(name)) is not None:
            low, high = (one.low if end is None else end for end in (one.p10, one.p90))
            yield f"  {what:12}{interval(low, one.value, high, one.unit)}"
    moved = ", ".join(by.key for by in plans.values["elapsed_days"].moved_by[:4])
    if moved:
        yield f"days move most with {moved}"
    if document["unknown"]:
        yield f"not public, so left out: {', '.join(document['unknown'])}"
