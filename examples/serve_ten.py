"""Serves ten requests with SmolLM2-135M-Instruct on one simulated Trainium3 core: one table.

  python examples/serve_ten.py            real answers of eight tokens each
  python examples/serve_ten.py --small    random weights, for tests

The scheduler is that of `trainyard serve`, without HTTP: continuous batching over a paged cache.
All times, joules and dollars are those of the simulated machine; requests arrive on its clock.
"""

from __future__ import annotations

import argparse
import time

import numpy as np
from trainyard import _core
from trainyard.serving import exact, models, stepping
from trainyard.serving.engines import price

QUESTIONS = (
    "What is the capital of France?",
    "Name a primary colour.",
    "Is the sky blue?",
    "What is 2 + 2?",
    "Who wrote Hamlet?",
    "Say hello in Spanish.",
    "What do bees make?",
    "Name a planet.",
    "What is the opposite of hot?",
    "Which animal barks?",
)
TOKENS = 8  # of an answer, at most
SECONDS_APART = 0.004  # in the mean


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--small", action="store_true", help="random weights, for tests")
    parser.add_argument("--machine", default="trn3", help="a machine file or name (trn3)")
    return parser.parse_args()


def asked(model: models.Model) -> list[stepping.Asked]:
    """The questions, at times drawn from a seed."""
    gaps = np.random.default_rng(0).exponential(SECONDS_APART, len(QUESTIONS))
    return [
        stepping.Asked(model.chat([("user", text)]), TOKENS, arrival=float(at))
        for text, at in zip(QUESTIONS, np.cumsum(gaps), strict=True)
    ]


def main() -> int:
    options = parse()
    model = models.load("random-2x64" if options.small else models.DEFAULT)
    limits = exact.Limits(blocks=64, batches=(4, 8), chunks=(48,), contexts=(64,))
    engine = exact.Engine(model, options.machine, limits)
    began = time.perf_counter()
    server, results = stepping.serve(engine, asked(model))
    host = time.perf_counter() - began
    second = _core.TICKS_PER_SECOND
    print(f"{model.name} on one core of {options.machine}, ten requests, simulated times")
    print(f"  {'question':30} {'answer':38} {'wait ms':>8} {'TTFT ms':>8} {'TPOT ms':>8} {'J':>7}")
    tokens = 0
    for text, (ids, record, _) in zip(QUESTIONS, results, strict=True):
        tokens += len(ids)
        kept = [one for one in ids if one not in model.stops]
        said = " ".join(model.tokenizer.decode(kept).split())
        answer = "".join(one if one.isprintable() else "." for one in said)
        queue, ttft, rest = (
            (record[last] - record[first]) / second * 1e3
            for first, last in (
                ("arrival", "first_scheduled"),
                ("arrival", "first_token"),
                ("first_token", "end"),
            )
        )
        tpot = f"{rest / (len(ids) - 1):8.3f}" if len(ids) > 1 else f"{'-':>8}"
        print(f"  {text:30} {answer:38.38} {queue:8.3f} {ttft:8.3f} {tpot} {record['joules']:7.3f}")
    seconds, busy = server.now / second, server.busy / second
    line = f"{tokens} tokens in {1e3 * seconds:.1f} ms ({tokens / seconds:.0f} a second), "
    line += f"{server.joules:.2f} J"
    hourly = price(options.machine)
    if hourly is not None:
        line += f", {hourly * busy / 3600 / tokens * 1e6:.3g} USD a million tokens"
    print(f"{line}; {host:.0f} s of this computer")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
