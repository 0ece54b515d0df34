"""How near is the planned engine to the exact server? Serves the same requests with both and prints
a table: mean, median and 99th percentile of TTFT and TPOT at three rates, one beyond saturation.

  python tools/serving_fidelity.py                    SmolLM2-135M-Instruct: ten minutes and more
  python tools/serving_fidelity.py --model random-2x64 --requests 30

The planned engine's table is made of programs of fewer layers (trainyard.serving.tables); --same
makes it of the server's own programs, which must give the same times. The times of the exact server
do not depend on values, so that --clock takes them from such a table without computing any, for
thousands of requests. Exits with 1 where an error is beyond --most.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from typing import Any

import numpy as np
from trainyard import _core
from trainyard.serving import exact, models, stepping, tables
from trainyard.serving.measures import Records

SHARES = (50, 99)


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", default=models.DEFAULT)
    parser.add_argument("--requests", type=int, default=16)
    parser.add_argument("--prompt", type=int, nargs=2, default=(8, 120), metavar=("LEAST", "MOST"))
    parser.add_argument("--output", type=int, nargs=2, default=(4, 10), metavar=("LEAST", "MOST"))
    parser.add_argument("--loads", type=float, nargs="+", default=(0.2, 0.5, 3.0))
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--most", type=float, default=0.03, help="relative error; 0.03")
    parser.add_argument("--same", action="store_true", help="a table of the server's programs")
    parser.add_argument("--contexts", type=int, nargs="+", help="the server's buckets of context")
    parser.add_argument("--chunks", type=int, nargs="+", help="of pieces of a prompt")
    parser.add_argument("--batches", type=int, nargs="+", help="of requests")
    parser.add_argument("--clock", action="store_true", help="the exact server without values")
    return parser.parse_args()


def drawn(options: argparse.Namespace, vocabulary: int, rate: float) -> list[stepping.Asked]:
    """Requests of random tokens, Poisson at a rate."""
    random = np.random.default_rng(options.seed)
    arrivals = np.cumsum(random.exponential(1 / rate, options.requests))
    return [
        stepping.Asked(
            random.integers(0, vocabulary, random.integers(*options.prompt)).tolist(),
            int(random.integers(*options.output)),
            arrival=float(at),
        )
        for at in arrivals
    ]


def measures(ttft: Any, tpot: Any) -> dict[str, float]:
    """Milliseconds."""
    found = {}
    for name, values in (("TTFT", ttft), ("TPOT", tpot)):
        found[f"{name} mean"] = 1e3 * float(np.mean(values))
        found |= {f"{name} p{share}": 1e3 * float(np.percentile(values, share)) for share in SHARES}
    return found


def of_exact(records: list[dict[str, Any]]) -> dict[str, float]:
    second = _core.TICKS_PER_SECOND
    ttft = [(one["first_token"] - one["arrival"]) / second for one in records]
    tpot = [
        (one["end"] - one["first_token"]) / second / (one["output"] - 1)
        for one in records
        if one["output"] > 1
    ]
    return measures(ttft, tpot)


def of_planned(
    engine: exact.Engine, requests: list[stepping.Asked], costs: Any
) -> dict[str, float]:
    rows = [
        (round(one.arrival * _core.TICKS_PER_SECOND), len(one.prompt), one.output, ())
        for one in requests
    ]
    simulation = _core.ServingSimulation()
    settings = engine.limits.scheduler()
    records = Records(_core.simulate_trace(rows, 0, settings, costs, simulation).records())
    return measures(records.ttft, records.tpot)


def capacity(engine: exact.Engine, options: argparse.Namespace, costs: Any) -> float:
    """Requests a second that the planned engine answers when all come at once."""
    requests = drawn(options, engine.model.config.vocabulary, 1e9)
    rows = [(0, len(one.prompt), one.output, ()) for one in requests]
    run = _core.simulate_trace(rows, 0, engine.limits.scheduler(), costs, _core.ServingSimulation())
    return options.requests * _core.TICKS_PER_SECOND / run.end


def limits_of(options: argparse.Namespace) -> exact.Limits:
    """The server's own, but for what is asked."""
    given = {name: getattr(options, name) for name in ("contexts", "chunks", "batches")}
    limits = replace(exact.Limits(), **{name: tuple(one) for name, one in given.items() if one})
    waiting = max(limits.waiting_max, options.requests)  # nobody is refused
    return replace(limits, blocks=max(limits.blocks, limits.contexts[-1] // 8), waiting_max=waiting)


def tell_steps(table: tables.Tables) -> None:
    """How far the table is from the server's programs."""
    errors = table.errors()
    print("steps: " + ", ".join(f"{k} {r} x {c} {100 * e:+.2f} %" for k, r, c, e in errors))
    mean = sum(e for *_, e in errors) / len(errors)
    worst = max(abs(e) for *_, e in errors)
    print(
        f"by stacks of {table.stacks} layers: {100 * mean:+.2f} % in the mean, up to "
        f"{100 * worst:.2f} %"
    )


def main() -> int:
    options = parse()
    engine = exact.Engine(models.load(options.model), limits=limits_of(options))
    engine.on_compile = lambda text: print(text, file=sys.stderr, flush=True)
    table = tables.Tables(engine, options.same)
    costs = table.costs()
    most = 0.0
    if options.clock:
        tell_steps(table)
    unit = capacity(engine, options, costs)
    print(f"{options.model}, {options.requests} requests at each rate")
    for load in options.loads:
        requests = drawn(options, engine.model.config.vocabulary, load * unit)
        if options.clock:
            wanted = of_planned(engine, requests, tables.Tables(engine, True).costs())
        else:
            _, results = stepping.serve(engine, requests, stops=False)
            wanted = of_exact([one[1] for one in results])
        found = of_planned(engine, requests, costs)
        print(f"\n{load * unit:.1f} requests/s ({load:g} of what it can do)")
        print(f"  {'':10} {'exact ms':>10} {'planned ms':>10} {'error':>8}")
        for name, value in wanted.items():
            error = found[name] / value - 1
            most = max(most, abs(error))
            print(
                f"  {name:10} {value:10.3f} {found[name]:10.3f} {100 * error:+7.2f} %", flush=True
            )
    print(f"\nlargest error {100 * most:.2f} %, at most {100 * options.most:g} % are meant")
    return 0 if most <= options.most else 1


if __name__ == "__main__":
    sys.exit(main())
