"""all-MiniLM-L6-v2 embeds real sentences on one simulated Trainium3 core, and answers a query.

  python examples/embed.py              256 sentences of Python's own reference manual
  python examples/embed.py --small      32 of them, for tests
  python examples/embed.py --query "How do I close a file?"

The model is plain JAX (examples/models/minilm.py). Printed are the agreement with float32 on the
CPU, the sentences nearest to the query, simulated time, energy and dollars, and where the time went
by operation of the model.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections import Counter
from pathlib import Path
from pydoc_data.topics import topics

import jax
import numpy as np
from trainyard import model

sys.path.insert(0, str(Path(__file__).parent / "models"))
import minilm

BATCH, LENGTH = 16, 24  # sentences a run, tokens a sentence


def sentences(count: int) -> list[str]:
    """Sentences of 8 to 16 words, spread evenly over the topics of Python's help system."""
    text = " ".join(" ".join(body.split()) for _, body in sorted(topics.items()))
    found = re.findall(r"(?<=[.] )[A-Z][a-z]+(?: [\w'*\"-]+,?){7,15}[.](?= [A-Z])", text)
    distinct = list(dict.fromkeys(found))
    return [distinct[i * len(distinct) // count] for i in range(count)]


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--small", action="store_true", help="32 sentences")
    parser.add_argument("--query", default="What happens when an exception is not caught?")
    parser.add_argument("--machine", default="trn3", help="a machine file or name (trn3)")
    return parser.parse_args()


def embed(compiled, weights, tokenizer, texts) -> tuple[np.ndarray, model.Run]:
    """Vectors of all texts, a batch at a time, and the first run, which is timed."""
    timed, vectors = None, []
    for first in range(0, len(texts), BATCH):
        batch = texts[first : first + BATCH]
        padded = batch + [""] * (BATCH - len(batch))
        run = compiled.run(weights, *minilm.tokens(tokenizer, padded, LENGTH), timed=timed is None)
        timed = timed or run
        vectors.append(run.results[: len(batch)])
    return np.concatenate(vectors), timed


def main() -> int:
    arguments = parse()
    weights, tokenizer = minilm.load()
    texts = sentences(32 if arguments.small else 256)
    ids, mask = minilm.tokens(tokenizer, texts[:BATCH], LENGTH)
    started = time.perf_counter()
    compiled = model.compile(minilm.embed, weights, ids, mask, machine=arguments.machine)
    compiling = time.perf_counter() - started
    vectors, run = embed(compiled, weights, tokenizer, [*texts, arguments.query])
    running = time.perf_counter() - started - compiling
    with jax.default_device(jax.devices("cpu")[0]):
        expected = jax.jit(minilm.embed)(weights, *minilm.tokens(tokenizer, texts, LENGTH))
    agreement = float((vectors[:-1] * np.asarray(expected)).sum(-1).min())

    print(f"MiniLM-L6-v2 on {arguments.machine}, one core, float32: {len(texts)} sentences")
    print(f"  cosine with float32 on the CPU: at least {agreement:.7f}")
    print(f"  '{arguments.query}'")
    score = vectors[:-1] @ vectors[-1]
    for place in np.argsort(-score)[:3]:
        print(f"    {score[place]:.3f}  {texts[place]}")
    tell(compiled, run)
    print(f"  on this host: {compiling:.1f} s to compile, {running:.1f} s to run")
    return 0 if agreement > 0.9999 else 1


def tell(compiled: model.Model, run: model.Run) -> None:
    """Simulated time, energy and dollars of a sentence, and the operations that took the time."""
    [report] = run.reports
    throughput = {each["format"]: each for each in report["throughput"]}["fp32"]
    rent = {each["basis"]: each["dollars"]["value"] for each in report["dollars"]["rent"]}
    print(f"  simulated: {run.seconds / BATCH * 1e6:.1f} us a sentence, {report['bound']['why']}")
    print(f"  {100 * throughput['share']:.1f} % of the tensor engine's float32 peak")
    low, likely, high = (value / BATCH * 1e6 for value in run.joules)
    print(f"  a million sentences: {likely:,.0f} J ({low:,.0f} to {high:,.0f}, assumed), ", end="")
    print(", ".join(f"${value / BATCH * 1e6:.3f} ({basis})" for basis, value in rent.items()))
    if compiled.routines:
        print(f"  routines of GpSimd: {compiled.routines}")
    busy: Counter[str] = Counter()
    for line in report["lines"]:
        operation = line["function"].rpartition("/")[2]
        busy[operation] += sum(line["engine_ticks"][kind] for kind in ("working",))
    total = sum(busy.values())
    print("  engine time by operation: ", end="")
    print(", ".join(f"{name} {100 * ticks / total:.0f} %" for name, ticks in busy.most_common(6)))


if __name__ == "__main__":
    sys.exit(main())
