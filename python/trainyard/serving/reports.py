"""The answers of the planned engine as text, JSON, CSV and a timeline."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from trainyard import _core
from trainyard.serving import measures
from trainyard.serving.fleets import FleetServed
from trainyard.serving.planned import Plan, Served
from trainyard.serving.replicas import Replica
from trainyard.usage import UsageError

if TYPE_CHECKING:
    from trainyard.view.sheet import Sheet

POINT: tuple[str, ...] = (
    "tp",
    "dp",
    "ep",
    "num_chips",
    "request_rate",
    "max_concurrency",
    "good_share",
    "request_throughput",
    "mean_ttft_ms",
    "p99_ttft_ms",
    "mean_tpot_ms",
    "p99_tpot_ms",
    "output_tput_per_gpu",
    "mean_intvty",
    "output_tput_per_mw",
    "usd_per_million_output_tokens",
    "joules_per_million_output_tokens",
)


def as_dict(plan: Plan) -> dict[str, Any]:
    """For JSON."""
    return {
        "slo": {name: one for name, one in vars(plan.slo).items() if one is not None},
        "share": plan.share,
        "rate": plan.rate,
        "replicas": plan.replicas if plan.served else None,
        "chips": plan.chips if plan.served else None,
        "served": plan.served.as_dict() if plan.served else None,
        "tried": [
            {
                "tp": replica.tp,
                "dp": replica.dp,
                "ep": replica.ep or None,
                "served": one.as_dict() if one else None,
            }
            for replica, one in plan.tried
        ],
        "pareto": [point(one) for one in plan.front],
    }


def point(served: Served) -> dict[str, Any]:
    """The columns of a curve."""
    found = served.as_dict()
    return {name: found[name] for name in POINT}


def as_csv(plan: Plan) -> str:
    """Every point that was tried, and those of the front."""
    text = io.StringIO()
    writer = csv.DictWriter(text, POINT, lineterminator="\n")
    writer.writeheader()
    for one in [*(one for _, one in plan.tried if one), *plan.front]:
        writer.writerow(point(one))
    return text.getvalue()


def lines(plan: Plan, model: str, machine: str) -> Iterator[str]:
    """For people."""
    yield f"{model} on {machine}: {100 * plan.share:g} % of requests with {plan.slo}"
    if len(plan.tried) > 1:
        yield ""
        more = "   how" if any(replica.ep for replica, _ in plan.tried) else ""
        yield f"  chips a replica   requests/s   requests/s a chip   USD/M output tokens{more}"
        for replica, one in plan.tried:
            yield _tried_line(replica, one)
    if plan.served is None:
        yield "no replica keeps the service level, not even for a request alone: ask for less"
        return
    yield ""
    yield from _served_lines(plan, plan.served)
    if plan.front:
        yield ""
        yield from _front_lines(plan.front)


def sheet_of(plan: Plan, model: str, machine: str) -> Sheet:
    """The plan as a page: the answer in words, every point that was tried, and the front."""
    from trainyard.view.sheet import Sheet

    sheet = Sheet(f"{model} on {machine}: serving")
    sheet.code("\n".join(lines(plan, model, machine)))
    tried = [one for _, one in plan.tried if one]
    for title, points in (("Replicas that were tried", tried), ("Pareto front", plan.front)):
        if points:
            sheet.heading(title)
            rows = [["" if one is None else one for one in point(each).values()] for each in points]
            sheet.table(POINT, rows)
    if plan.front:
        found = [point(one) for one in plan.front]
        curve = [(one["mean_intvty"], one["output_tput_per_gpu"]) for one in found]
        title = "Output of a chip over speed for a user"
        sheet.lines(title, "tok/s/user", "tok/s/chip", {machine: curve})
    return sheet


def _tried_line(replica: Replica, served: Served | None) -> str:
    chips = replica.chips
    how = f"   {replica.words}" if replica.ep else ""
    if served is None:
        return f"  {chips:15}   {'not even a request alone keeps the level':<54}{how}"
    rate = served.bench["request_throughput"]
    usd = served.values["usd_per_million_output_tokens"]
    return f"  {chips:15} {rate:12.3g} {rate / chips:19.3g} {_number(usd, '.2f'):>21}{how}"


def _number(value: float | None, form: str) -> str:
    return "unknown" if value is None else format(value, form)


def _served_lines(plan: Plan, served: Served) -> Iterator[str]:
    replica, values = served.replica, served.values
    settings, bench = replica.settings, served.bench
    tokens = bench["total_input_tokens"] + bench["total_output_tokens"]
    mean = max(1.0, tokens / max(1, bench["completed"]))
    kept = _core.kept_tokens(settings.windows, mean) / mean
    held = round(settings.blocks * settings.block_tokens / kept)
    such = " of such requests" if any(settings.windows) else ""
    chips = "chip" if replica.chips == 1 else "chips"
    yield (
        f"a replica of {replica.chips} {chips} ({replica.words}, weights in {replica.weights}), "
        f"whose cache holds {held:,} tokens{such}"
    )
    if plan.rate and served.rate:
        yield (
            f"{plan.rate:.4g} requests/s: {plan.replicas} replicas, {plan.chips} chips, each "
            f"replica up to {served.rate:.3g} requests/s"
        )
    if isinstance(served, FleetServed):
        yield from _fleet_lines(served)
    yield from measures.block(served.bench)
    yield f"within the service level: {100 * served.good_share:.2f} %"
    yield (
        f"a chip: {values['output_tput_per_gpu']:.1f} output tok/s; a user: "
        f"{_number(values['mean_intvty'], '.1f')} tok/s; a megawatt: "
        f"{_number(values['output_tput_per_mw'], ',.0f')} output tok/s"
    )
    yield (
        f"a million output tokens: {_number(values['usd_per_million_output_tokens'], '.3f')} USD "
        f"({replica.asked.price}), "
        f"{_number(values['joules_per_million_output_tokens'], ',.0f')} J"
    )
    if unknown := replica.found["unknown"]:
        yield f"figures that nobody has published: {', '.join(unknown)}"
    counters = served.run.counters()
    yield (
        f"scheduler: {counters['steps']:,} steps, {counters['preemptions']} preemptions, "
        f"{_share(counters['prefix_hits'], counters['prefix_queries'])} of prompts' tokens in the "
        f"cache, at most {counters['peak_running']} requests at once, "
        f"{counters['peak_waiting']} waiting, {counters['rejections']} rejected"
    )
    if replica.layers:
        for phase, row, column, error in replica.layers.errors(replica.axes):
            what = f"{row:g} tokens" if phase == "prefill" else f"{row:g} requests of {column:g}"
            yield f"layers of a {phase} of {what}: the table is {100 * error:+.1f} % off"


def _fleet_lines(served: FleetServed) -> Iterator[str]:
    fleet, found = served.fleet, served.as_dict()["fleet"]
    readers = f", and {fleet.readers} that read prompts" if fleet.readers else ""
    yield f"a fleet of {fleet.replicas} of them{readers}, routing {fleet.routing}"
    if fleet.readers:
        yield f"keys and values reach the next replica after {found['mean_sent_ms']:.3g} ms"
    if fleet.scaling:
        most = max(one["serving"] for one in found["sizes"])
        mean = found["replica_seconds"] / (served.run.end / _core.TICKS_PER_SECOND)
        yield (
            f"scaled for {fleet.scaling.target:g} requests a replica: at most {most} served, "
            f"{mean:.2f} were paid for in the mean; a cold start takes {found['cold_start']:.3g} s"
        )
    if fleet.outages:
        failed = served.bench["failed"]
        yield f"lost replicas: {served.run.moved} requests moved, {failed} failed"


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "none"


def _front_lines(front: tuple[Served, ...]) -> Iterator[str]:
    yield "  chips  users  tok/s a chip  tok/s a user  TTFT p99 ms  USD/M output  J/M output"
    for one in front:
        v = one.values
        yield (
            f"  {one.replica.chips:5} {one.users:6} {v['output_tput_per_gpu']:13.1f} "
            f"{_number(v['mean_intvty'], '.1f'):>13} {one.bench['p99_ttft_ms']:12.1f} "
            f"{_number(v['usd_per_million_output_tokens'], '.3f'):>13} "
            f"{_number(v['joules_per_million_output_tokens'], ',.0f'):>11}"
        )


def explain_request(served: Served, number: int) -> Iterator[str]:
    """What a request waited for and paid for. Raises UsageError for one that does not exist."""
    columns = measures.Records(served.run.records()).columns
    count = len(columns["arrival"])
    if not 0 <= number < count:
        raise UsageError(f"there is no request {number}; they are 0 to {count - 1}")
    record = {name: column[number] for name, column in columns.items()}
    yield from explain(number, record, served.run.events())


def explain(number: int, record: dict[str, Any], events: list[dict[str, Any]]) -> Iterator[str]:
    """Of its record and its events; the parts add up to its latency."""
    ms = _core.TICKS_PER_SECOND / 1e3
    yield f"request {number}: {record['prompt']} tokens in, {record['output']} out"
    if record["end"] < 0 or record["first_token"] < 0:
        yield f"  it ended without a token (state {record['state']})"
        return
    whole = record["end"] - record["arrival"]
    queue = record["first_scheduled"] - record["arrival"]
    stood = whole - queue - record["prefill_ticks"] - record["decode_ticks"]
    read = f"{record['chunks']} pieces, {record['cached']} cached"
    parts = (
        ("waiting to be admitted", queue, ""),
        ("prompt", record["prefill_ticks"], read),
        ("decoding", record["decode_ticks"], f"{record['decodes']} steps"),
        ("preempted, or others' steps", stood, f"{record['preemptions']} preemptions"),
    )
    for name, ticks, note in parts:
        note = f"  ({note})" if note else ""
        yield f"  {name:<28}{ticks / ms:12.3f} ms {100 * ticks / whole:6.1f} %{note}"
        for part, own in _parts_of(name, ticks, events):
            yield f"    {part:<26}{own / ms:12.3f} ms {100 * own / whole:6.1f} %"
    yield f"  {'latency':<28}{whole / ms:12.3f} ms  100.0 %, {record['joules']:.4g} J"
    decodes = [one for one in events if one["kind"] == "decode"]
    for one in events:
        if one["kind"] == "decode" and one not in (decodes[0], decodes[-1]):
            continue
        tokens = f", {one['tokens']} tokens" if one["tokens"] else ""
        batch = f", in a batch of {one['batch']}" if one["batch"] else ""
        begin, end = ((at - record["arrival"]) / ms for at in (one["begin"], one["end"]))
        yield f"    {begin:10.3f} to {end:10.3f} ms  {one['kind']}{tokens}{batch}"


PHASES = {"prompt": "prefill", "decoding": "decode"}  # kinds of events
PARTS = {"collectives": "collectives", "launches": "launches and scheduling", "swaps": "swaps"}


def _parts_of(name: str, ticks: int, events: list[dict[str, Any]]) -> Iterator[tuple[str, int]]:
    """What the steps of a phase are made of, where events of all of them say it."""
    steps = [one for one in events if one["kind"] == PHASES.get(name)]
    if not ticks or not any(one[part] for one in steps for part in PARTS):
        return
    found = {words: sum(one[part] for one in steps) for part, words in PARTS.items()}
    yield "computing", ticks - sum(found.values())
    yield from ((words, own) for words, own in found.items() if own)


def timeline(served: Served) -> dict[str, Any]:
    """The steps of a run as Chrome's trace events; times in microseconds of the simulated clock."""
    columns = {name: np.frombuffer(held, kind) for name, (kind, held) in served.run.steps().items()}
    us = _core.TICKS_PER_SECOND / 1e6
    events: list[dict[str, Any]] = []
    for row in zip(*(columns[name].tolist() for name in columns), strict=True):
        one = dict(zip(columns, row, strict=True))
        kind = "prefill" if one["prefills"] else "decode"
        begin = one["begin"] / us
        events.append(
            {
                "name": f"{kind} x{one['steps']}",
                "ph": "X",
                "ts": begin,
                "dur": (one["end"] - one["begin"]) / us,
                "pid": 1,
                "tid": 1,
                "args": {k: one[k] for k in ("prefills", "prefill_tokens", "decodes", "steps")},
            }
        )
        counts = {"waiting": one["waiting"], "decoding": one["decodes"]}
        events.append({"name": "requests", "ph": "C", "ts": begin, "pid": 1, "args": counts})
        blocks = {"used": one["blocks"]}
        events.append({"name": "cache blocks", "ph": "C", "ts": begin, "pid": 1, "args": blocks})
    return {"traceEvents": events, "displayTimeUnit": "ms"}
