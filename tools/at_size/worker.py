"""Compiles the programs whose numbers come on stdin, one line of JSON for each on stdout."""

from __future__ import annotations

import json
import os
import re
import sys
import time
import warnings

HBM_BYTES = 36 * 2**30  # of a device of two cores: machines/trn3.toml, a quarter of a chip's


def outcome(seed: int, number: int) -> dict[str, object]:
    """ok with the simulated time, refused with the label."""
    import jax

    from at_size.programs import live_bytes, program

    begun = time.process_time()
    found: dict[str, object] = {"number": number}
    try:
        made = program(seed, number)
        found |= {"words": made.words, "live": live_bytes(made)}
        jitted = jax.jit(made.function, compiler_options={"mode": "machine"})
        lowered = jitted.lower(*made.arguments)
        found["traced"] = time.process_time() - begun
    except Exception as error:  # what JAX itself refuses, such as a gradient that it lacks
        return found | {"end": "no program", "cause": str(error)[:200]}
    try:
        costs = lowered.compile().cost_analysis()
        costs = costs[0] if isinstance(costs, list) else costs
        found |= {"end": "ok", "seconds": costs.get("seconds")}
    except Exception as error:
        text = str(error)
        label = re.match(r"\w+: ([a-z]+\.[a-z_-]+)", text)
        is_full = text.startswith("RESOURCE_EXHAUSTED") and int(found.get("live", 0)) > HBM_BYTES  # type: ignore[call-overload]
        end = "full" if is_full else "refused"
        found |= {"end": end, "cause": label[1] if label else text[:60], "error": text[:2000]}
    found["host"] = time.process_time() - begun
    return found


def main(seed: int) -> None:
    os.environ["JAX_PLATFORMS"] = "neuron,cpu"
    warnings.simplefilter("ignore")
    for line in sys.stdin:
        print(json.dumps(outcome(seed, int(line))), flush=True)
