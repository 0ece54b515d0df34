"""trainyard plan serve: replicas and chips for a load within a service level."""

from __future__ import annotations

import argparse
import json
from typing import Any

import trainyard
from trainyard.commands import exit_codes, given, output
from trainyard.commands.progress import Progress
from trainyard.files import write_whole

HELP = "the chips that serve a load within a service level, their throughput, joules and dollars"
EXAMPLES = (
    (
        "trainyard plan serve llama3-70b --on trn3-gen2 --slo ttft=500ms,tpot=30ms --rate 200",
        "chips for 200 requests a second of which 99 % keep both limits",
    ),
    (
        "trainyard plan serve llama3-8b --on trn3-gen2 --tp 1 --trace azure.csv --save run.json",
        "a recorded trace on one replica, saved as `vllm bench serve` saves it",
    ),
    (
        "trainyard plan serve llama3-70b --on trn3-gen2 --users 10000 --questions-per-hour 20 "
        "--curve",
        "chips for 10,000 users, and throughput against what each user gets",
    ),
    (
        "trainyard plan serve llama3-8b --on trn3-gen2 --tp 1 --at 60 --replicas 2 --readers 1 "
        "--fault replica:0@20s=down+30s",
        "two replicas and one that reads prompts for them, and what a lost one means",
    ),
    (
        "trainyard plan serve llama3-70b --on trn3-gen2 --rate 50 --weights fp8 --fleets",
        "the fleet with the fewest chips: size of a replica, how many, prefill apart or not",
    ),
    (
        "trainyard plan serve llama3-8b --on trn3-gen2 --tp 1 --at 20 --explain-request 7",
        "what one request waited for and paid for, at 20 requests a second",
    ),
)

FAULT = "replica:1@10s=down, for ever, or replica:1@10s=down+30s; may be repeated"
FLEETS = (
    "search fleets behind a router: chips of a replica, how many, --readers, --chunk, "
    "--max-num-seqs; with --rate, --users or --trace"
)
EP = "whole experts on each core: yes, no (each is divided), auto (both are tried); auto"
AUTOSCALE = "target=24,least=1,most=8,every=10s,patience=60s: requests for a replica"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds this action's arguments."""
    add = parser.add_argument
    add("model", help="a name (see trainyard compare --list) or a config.json")
    add("--on", required=True, metavar="MACHINE", help="one of the compared machines")
    add("--slo", default="ttft=500ms,tpot=30ms", help="limits of a request: ttft, tpot, e2el")
    add("--share", type=float, default=0.99, metavar="N", help="of requests that keep it; 0.99")
    _add_load(parser)
    _add_replica(parser)
    _add_fleet(parser)
    add("--curve", action="store_true", help="also the Pareto front: tok/s a chip against a user")
    add("--explain-request", type=int, metavar="N", help="what request N (from 0) paid for")
    add("--timeline", metavar="FILE", help="write the steps of the run, for ui.perfetto.dev")
    add("--save", metavar="FILE", help="write the run as `vllm bench serve --save-result` does")
    add("--save-detailed", action="store_true", help="with --save: each request's times, too")
    add("--csv", metavar="FILE", help="write every point that was tried, one a line")
    add("--page", metavar="FILE.html", help="write one page with the curve and every point")
    parser.set_defaults(names=LOAD | ASKED)


def _add_load(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--rate", type=float, metavar="N", help="requests a second of the whole service")
    add("--at", type=float, metavar="N", help="run one replica at this rate; no search")
    add("--concurrency", type=int, metavar="N", help="run one replica with N users; no search")
    add("--users", type=int, metavar="N", help="of the service, with --questions-per-hour")
    add("--questions-per-hour", type=float, metavar="N", help="of each user")
    add("--isl", type=float, default=1024, metavar="TOKENS", help="of a prompt in the mean; 1024")
    add("--osl", type=float, default=128, metavar="TOKENS", help="of an answer in the mean; 128")
    add("--range", type=float, default=0.0, metavar="N", help="lengths up to this share off; 0")
    add("--shared", type=int, default=0, metavar="TOKENS", help="that prompts begin with alike; 0")
    add("--prefixes", type=int, default=1, metavar="N", help="different such beginnings; 1")
    add("--requests", type=int, default=4000, metavar="N", help="of a run; 4000")
    add("--burstiness", type=float, default=1.0, metavar="N", help="gamma arrivals; 1: Poisson")
    add("--seed", type=int, default=0, metavar="N", help="of arrivals and lengths; 0")
    add("--trace", metavar="FILE", help="recorded arrivals: Azure's CSV or Mooncake's JSON lines")


def _add_replica(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--tp", type=int, metavar="N", help="chips of a replica; powers of two are tried")
    add("--dp", type=int, metavar="N", help="groups of tp chips that share the experts")
    add("--ep", default="auto", metavar="HOW", help=EP)
    add("--weights", metavar="FORMAT", help="bf16, fp8 or fp4")
    add("--cache", default="bf16", metavar="FORMAT", help="bf16, fp8 or fp4; bf16")
    add("--price", default="own", metavar="BASIS", help="own, on_demand, spot, contract, ...; own")
    add("--region", default="", metavar="NAME", help="a region of the price list")
    add("--set", action="append", default=[], metavar="KEY=NUMBER", dest="settings")
    add("--max-num-seqs", type=int, metavar="N", help="requests at once; 256")
    add("--max-num-batched-tokens", type=int, metavar="N", help="of a step; 2048 and one each")
    add("--chunk", type=int, metavar="TOKENS", help="of a prompt in a step; 512")
    add("--swap", action="store_true", help="preempt by copying to the host; else by recomputing")
    add("--no-prefix-cache", action="store_true", help="read each prompt as a whole")
    add("--queue", type=int, metavar="N", help="reject requests while N wait")
    add("--draft", type=int, default=0, metavar="N", help="tokens drafted in a step; 0")
    add("--draft-layers", type=int, default=0, metavar="N", help="that draft; 0: at no cost")
    add("--acceptance", type=float, default=0.0, metavar="P", help="of a drafted token; 0")
    add("--host-us", type=float, default=0.0, metavar="US", help="of the host in a step; 0")
    add("--exact", action="store_true", help="step times by simulated layers; Trainium, needs JAX")


def _add_fleet(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--fleets", action="store_true", help=FLEETS)
    add("--replicas", type=int, metavar="N", help="with --at or --trace: run a fleet, no search")
    add("--readers", type=int, default=0, metavar="N", help="replicas besides, which read prompts")
    add("--routing", default="least", metavar="HOW", help="random, round-robin, least or prefix")
    add("--fault", action="append", default=[], metavar="FAULT", help=FAULT)
    add("--autoscale", metavar="POLICY", help=AUTOSCALE)
    add("--cold-start", type=float, metavar="S", help="of a replica; its weights over PCIe")


# What is not of a load, a replica or a fleet, which check theirs.
RANGES: dict[str, given.Range] = {
    "share": (1e-6, 1),
    "concurrency": (1, 1e6),
    "users": (1, 1e9),
    "questions_per_hour": (1e-9, 1e6),
    "explain_request": (0, 1e8),
}
# What planned.plan() and planned.run() call it, and what it is called here.
LOAD = {"spread": "range"} | {
    name: name for name in ("isl", "osl", "requests", "burstiness", "shared", "prefixes", "seed")
}
ASKED = {
    "requests_max": "max_num_seqs",
    "step_tokens_max": "max_num_batched_tokens",
    "chunk_tokens_max": "chunk",
    "waiting_max": "queue",
    "swaps": "swap",
    "draft_tokens": "draft",
    "simulated": "exact",
} | {
    name: name
    for name in (
        *("tp", "dp", "ep", "weights", "cache", "price", "region", "settings"),
        *("draft_layers", "acceptance", "host_us"),
    )
}


def _check(options: argparse.Namespace) -> None:
    """Raises UsageError for what no option can be, also one that this run does not need."""
    from trainyard.serving import fleets, replicas
    from trainyard.serving.bounds import BOUNDS

    rates = dict.fromkeys(("rate", "at"), (1e-9, BOUNDS["rate"][1]))  # at 0 nobody comes
    given.check_ranges(options, RANGES | rates)
    given.check_words(options, {"routing": fleets.ROUTINGS, "ep": replicas.EXPERTS})
    _fleet(options)  # its numbers are checked also where there is none
    tokens = BOUNDS["prompt"][1]
    if options.trace is None and options.isl + options.osl > tokens:
        raise trainyard.UsageError(f"--isl and --osl are {tokens:g} tokens together at most")
    if options.rate is not None and options.at is not None:
        raise trainyard.UsageError("--rate searches and --at runs: leave one of them out")


def run(options: argparse.Namespace) -> int:
    """Runs the action."""
    from trainyard.serving import planned, reports  # NumPy, which other commands start without

    _check(options)

    load = _load(options)
    rate = _rate(options)
    progress = Progress(None)
    asked = _asked(options)
    if options.fleets:
        return _search_fleets(options, load, rate, asked, progress)
    try:
        if _fleet_asked(options):
            plan = _fleet_plan(options, load, rate, asked)
        elif options.at is not None or options.concurrency or (options.trace and rate is None):
            plan = planned.run(
                options.model,
                options.on,
                load,
                options.slo,
                options.at,
                options.concurrency or 0,
                share=options.share,
                watched=-1 if options.explain_request is None else options.explain_request,
                keeps_steps=bool(options.timeline),
                detailed=options.save_detailed,
                **asked,
            )
        else:
            if options.explain_request is not None or options.timeline:
                raise trainyard.UsageError(
                    "--explain-request and --timeline are of one run: add --at RATE, "
                    "--concurrency N or --trace FILE"
                )
            plan = planned.plan(
                options.model,
                options.on,
                load,
                options.slo,
                options.share,
                rate,
                options.curve,
                progress.tell,
                **asked,
            )
    finally:
        progress.clear()
    _write_files(options, plan)
    if options.json:
        output.write_json("trainyard.plan_serve/1", reports.as_dict(plan))
    else:
        print("\n".join(reports.lines(plan, options.model, options.on)))
        if options.explain_request is not None and plan.served:
            print("\n".join(["", *reports.explain_request(plan.served, options.explain_request)]))
    return exit_codes.OK if plan.served else exit_codes.DOES_NOT_FIT


def _search_fleets(
    options: argparse.Namespace,
    load: Any,
    rate: float | None,
    asked: dict[str, Any],
    progress: Progress,
) -> int:
    from trainyard.serving import fleet_reports, fleet_search

    for name in ("replicas", "fault", "autoscale", "at", "concurrency", "curve", "timeline"):
        if getattr(options, name):
            raise trainyard.UsageError(f"--fleets searches; --{name} is of one run: leave it out")
    if options.readers or options.explain_request is not None or options.save:
        raise trainyard.UsageError(
            "--fleets searches; --readers, --explain-request and --save are of one run: name it "
            "with --at and --replicas"
        )
    chunks = fleet_search.CHUNKS if options.chunk is None else (options.chunk,)
    batches = fleet_search.BATCHES if options.max_num_seqs is None else (options.max_num_seqs,)
    try:
        plan = fleet_search.plan(
            options.model,
            options.on,
            load,
            options.slo,
            rate,
            options.share,
            options.routing,
            progress.tell,
            chunks,
            batches,
            **asked,
        )
    finally:
        progress.clear()
    if options.csv:
        write_whole(options.csv, fleet_reports.as_csv(plan).encode())
    if options.page:
        fleet_reports.sheet_of(plan, options.model, options.on).save(options.page)
    if options.json:
        output.write_json("trainyard.plan_fleets/1", fleet_reports.as_dict(plan))
    else:
        print("\n".join(fleet_reports.lines(plan, options.model, options.on)))
    return exit_codes.OK if plan.best else exit_codes.DOES_NOT_FIT


def _fleet_asked(options: argparse.Namespace) -> bool:
    asked = options.readers or options.fault or options.autoscale
    return options.replicas is not None or bool(asked)


def _fleet_plan(
    options: argparse.Namespace, load: Any, rate: float | None, asked: dict[str, Any]
) -> Any:
    from trainyard.serving import fleets

    if rate is not None or options.concurrency or not (options.at or options.trace):
        raise trainyard.UsageError(
            "a fleet serves requests as they come: name --at RATE or --trace FILE, without "
            "--rate, --users and --concurrency"
        )
    if options.explain_request is not None or options.timeline or options.curve:
        raise trainyard.UsageError(
            "--explain-request, --timeline and --curve are of one replica: leave the fleet out"
        )
    return fleets.run(
        options.model,
        options.on,
        load,
        _fleet(options),
        options.slo,
        options.at,
        options.save_detailed,
        share=options.share,
        **asked,
    )


def _fleet(options: argparse.Namespace) -> Any:
    from trainyard.serving import fleets

    return fleets.Fleet(
        replicas=1 if options.replicas is None else options.replicas,
        readers=options.readers,
        routing=options.routing,
        outages=tuple(fleets.Outage.parse(text) for text in options.fault),
        scaling=fleets.Scaling.parse(options.autoscale) if options.autoscale else None,
        cold_start=options.cold_start,
    )


def _write_files(options: argparse.Namespace, plan: Any) -> None:
    from trainyard.serving import reports

    if options.save and plan.served:
        write_whole(options.save, json.dumps(plan.served.as_dict(), indent=1).encode())
    if options.timeline:
        write_whole(options.timeline, json.dumps(reports.timeline(plan.served)).encode())
    if options.csv:
        write_whole(options.csv, reports.as_csv(plan).encode())
    if options.page:
        reports.sheet_of(plan, options.model, options.on).save(options.page)


def _load(options: argparse.Namespace) -> Any:
    from trainyard.serving import planned, traces

    trace = traces.read_trace(options.trace) if options.trace else None
    return planned.Load(**{name: getattr(options, one) for name, one in LOAD.items()}, trace=trace)


def _rate(options: argparse.Namespace) -> float | None:
    """Requests a second of the service, where it is asked for."""
    if (options.users is None) != (options.questions_per_hour is None):
        raise trainyard.UsageError("--users and --questions-per-hour belong together")
    if options.users is None:
        return options.rate
    if options.rate is not None:
        raise trainyard.UsageError("--rate and --users say the same: leave one of them out")
    return options.users * options.questions_per_hour / 3600


def _asked(options: argparse.Namespace) -> dict[str, Any]:
    from trainyard.serving.replicas import Asked

    found = {name: getattr(options, one) for name, one in ASKED.items()}
    found["settings"] = tuple(options.settings)
    found["caches_prefixes"] = not options.no_prefix_cache
    for name in ("requests_max", "chunk_tokens_max"):  # None where a search may choose
        if found[name] is None:
            found[name] = Asked.__dataclass_fields__[name].default
    return found
