"""SmolLM2-135M-Instruct answers on one simulated Trainium3 core, its cache in simulated HBM.

  python examples/chat.py "What is the capital of France?"   answers, greedily
  python examples/chat.py --tokens 24 --machine trn2 "..."   at most 24 tokens, on another one

The model is plain JAX (examples/models/smollm2.py). Every token is also computed in float32 by JAX
on the CPU: where the two choose differently, both choices and their margin are printed. Time,
energy and what bounds each phase come last.
"""

from __future__ import annotations

import argparse
import sys
from functools import partial
from pathlib import Path

import jax
import numpy as np
from trainyard import model

sys.path.insert(0, str(Path(__file__).parent / "models"))
import smollm2

PROMPT_BUCKET = 32  # prompts are padded to a multiple of this


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("message", nargs="?", default="What is the capital of France?")
    parser.add_argument("--tokens", type=int, default=12, help="at most so many (12)")
    parser.add_argument("--machine", default="trn3", help="a machine file or name (trn3)")
    arguments = parser.parse_args()
    if arguments.tokens < 1:
        parser.error("--tokens is at least 1")
    return arguments


class Both:
    """The same step on the simulated core and, in float32, on the CPU."""

    def __init__(self, loaded: smollm2.Model, machine: str) -> None:
        self.function = partial(smollm2.step, epsilon=loaded.epsilon)
        self.weights = loaded.weights
        self.machine = machine
        self.compiled: dict[int, model.Model] = {}

    def __call__(self, caches, ids, start, last):
        arguments = np.array(ids, np.int32), np.int32(start), np.int32(last)
        if len(ids) not in self.compiled:
            self.compiled[len(ids)] = model.compile(
                jax.jit(self.function), self.weights, caches[0], *arguments, machine=self.machine
            )
        run = self.compiled[len(ids)].run(self.weights, caches[0], *arguments, timed=True)
        logits, cache = run.results
        with jax.default_device(jax.devices("cpu")[0]):
            expected, cpu_cache = self.function(self.weights, caches[1], *arguments)
        return logits, np.asarray(expected), (cache, cpu_cache), run


def choose(logits: np.ndarray, expected: np.ndarray, text) -> tuple[int, str]:
    """The greedy token, and a line where float32 on the CPU chooses another one."""
    ours, theirs = int(logits.argmax()), int(expected.argmax())
    if ours == theirs:
        return ours, ""
    margin = float(expected[theirs] - expected[ours])
    return ours, f"  [CPU: {text([theirs])!r}, ahead by {margin:.2g} of {abs(expected).max():.3g}]"


def main() -> None:
    arguments = parse()
    loaded = smollm2.load()
    prompt = smollm2.chat_tokens(loaded, arguments.message)
    padded = -(-len(prompt) // PROMPT_BUCKET) * PROMPT_BUCKET
    length = -(-(padded + arguments.tokens) // PROMPT_BUCKET) * PROMPT_BUCKET
    step = Both(loaded, arguments.machine)
    caches = smollm2.empty_cache(length), smollm2.empty_cache(length)
    ids = prompt + [0] * (padded - len(prompt))
    logits, expected, caches, prefill = step(caches, ids, 0, len(prompt) - 1)
    decoded = []
    largest = 0.0
    answer: list[int] = []
    print(f"> {arguments.message}")
    while True:
        largest = max(largest, float(np.abs(logits - expected).max()))
        token, difference = choose(logits, expected, loaded.tokenizer.decode)
        if token == loaded.special["<|im_end|>"] or len(answer) == arguments.tokens:
            break
        answer.append(token)
        print(loaded.tokenizer.decode([token]) + difference, end="", flush=True)
        position = len(prompt) + len(answer) - 1
        logits, expected, caches, run = step(caches, [token], position, 0)
        decoded.append(run)
    print("\n")
    tell(arguments.machine, len(prompt), prefill, decoded, largest)


def tell(machine: str, prompt: int, prefill: model.Run, decoded: list[model.Run], largest: float):
    """Time, energy and bounds of both phases."""
    print(f"on {machine}, one core, float32; logits differ from the CPU's by at most {largest:.1e}")
    print(
        f"  time to first token   {prefill.seconds * 1e3:8.2f} ms, for a prompt of {prompt} tokens"
    )
    print(f"    {bound(prefill)}")
    if not decoded:
        return
    seconds = float(np.mean([run.seconds for run in decoded]))
    low, likely, high = np.mean([run.joules for run in decoded], axis=0)
    print(f"  time a token          {seconds * 1e3:8.2f} ms, {1 / seconds:.1f} tokens/s")
    print(f"    {bound(decoded[0])}")
    bracket = f"{low * 1e3:.2f} to {high * 1e3:.2f}, assumed"
    print(f"  energy a token        {likely * 1e3:8.2f} mJ ({bracket})")
    print("  a million tokens      " + ", ".join(dollars(decoded[0])))


def bound(run: model.Run) -> str:
    """What holds the longest program of a run back."""
    report = max(run.reports, key=lambda each: each["duration_ns"])
    return f"bound by {report['bound']['name']}: {report['bound']['why']}"


def dollars(run: model.Run) -> list[str]:
    """Rent and electricity of a million runs, by price basis."""
    rent = run.reports[0]["dollars"]["rent"]
    return [f"${each['dollars']['value'] * 1e6:,.2f} ({each['basis']})" for each in rent]


if __name__ == "__main__":
    main()
