"""A small ResNet learns the digits of scikit-learn on one simulated Trainium3 core.

  python examples/train_resnet.py                    100 steps in float32
  python examples/train_resnet.py --precision bf16   convolutions in BF16, weights in float32

The model is plain JAX (examples/models/resnet.py); forward, backward and update are one program;
batch norms use the batch at hand and are folded into the kernels afterwards. Printed are the loss
beside the same steps in float32 on the CPU, the share of unseen digits that are named, simulated
time and energy.
"""

from __future__ import annotations

import argparse
import gzip
import sys
import time
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import jax
import numpy as np

jax.config.update("jax_platforms", "cpu")  # what JAX itself computes: the curve to compare with

from trainyard import model  # noqa: E402

sys.path.insert(0, str(Path(__file__).parent / "models"))
import resnet  # noqa: E402

UNSEEN = 360  # digits that are kept for the test
PRECISIONS = {"fp32": {}, "bf16": {"auto_cast": "matmult", "auto_cast_type": "bf16"}}


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--precision", default="fp32", choices=PRECISIONS)
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--machine", default="trn3", help="a machine file or name (trn3)")
    arguments = parser.parse_args()
    if min(arguments.steps, arguments.batch) < 1:
        parser.error("--steps and --batch are at least 1")
    return arguments


def digits() -> tuple[np.ndarray, np.ndarray]:
    """Pictures [1797, 8, 8, 1] from 0 to 1, shuffled, and what they show."""
    folder = Path(find_spec("sklearn").origin).parent  # importing it would need SciPy
    with gzip.open(folder / "datasets/data/digits.csv.gz") as file:
        rows = np.loadtxt(file, delimiter=",")
    rows = rows[np.random.default_rng(0).permutation(len(rows))]
    pictures = rows[:, :-1].reshape(-1, 8, 8, 1) / 16
    return pictures.astype(np.float32), rows[:, -1].astype(np.int32)


def rate(number: int, steps: int) -> np.float32:
    """Falls from 0.3 to 0 along a cosine."""
    return np.float32(0.15 * (1 + np.cos(np.pi * number / steps)))


def main() -> int:
    arguments = parse()
    shape = resnet.DIGITS
    pictures, labels = digits()
    seen = len(pictures) - UNSEEN
    step = partial(resnet.step, shape=shape)
    on_cpu = jax.jit(step)
    weights = expected = resnet.initial(shape)
    moments = expected_moments = jax.tree.map(np.zeros_like, weights)
    compiled, timed, furthest = None, None, 0.0
    started = time.perf_counter()
    for number in range(arguments.steps):
        chosen = np.random.default_rng(number).choice(seen, arguments.batch, replace=False)
        batch = pictures[chosen], labels[chosen], rate(number, arguments.steps)
        if compiled is None:
            options = PRECISIONS[arguments.precision]
            compiled = model.compile(
                step, weights, moments, *batch, machine=arguments.machine, **options
            )
            print(
                f"ResNet of 8 x 8 pixels, {arguments.precision} on {arguments.machine}, one core: "
                f"{compiled.instructions:,} instructions"
            )
        run = compiled.run(weights, moments, *batch, timed=timed is None)
        timed = timed or run
        weights, moments, found = run.results
        expected, expected_moments, wanted = on_cpu(expected, expected_moments, *batch)
        furthest = max(furthest, abs(float(found) - float(wanted)))
        if number % 10 == 0 or number + 1 == arguments.steps:
            print(f"  step {number:4}  loss {float(found):.6f}  on the CPU {float(wanted):.6f}")
    statistics: list = []
    resnet.scores(weights, pictures[:seen], shape, statistics)
    folded = resnet.folded(jax.tree.map(np.asarray, weights), statistics)
    named = model.compile(partial(resnet.scores, shape=shape), folded, pictures[seen:])(
        folded, pictures[seen:]
    )
    share = float((np.argmax(named, -1) == labels[seen:]).mean())
    tell(compiled, timed, arguments)
    print(f"  unseen digits named on the machine: {share:.1%} of {UNSEEN}")
    print(f"  loss never further than {furthest:.1e} from the CPU's")
    print(f"  on this host: {time.perf_counter() - started:.0f} s")
    return 0 if share > 0.9 or arguments.steps < 50 else 1


def tell(compiled: model.Model, run: model.Run, arguments: argparse.Namespace) -> None:
    """Simulated time and energy of a step."""
    rate = arguments.batch / run.seconds
    print(f"  a step: {run.seconds * 1e6:.0f} us, {rate:,.0f} images/s, {run.joules[1]:.3f} J")
    if compiled.routines:
        print(f"  routines of GpSimd: {compiled.routines}")


if __name__ == "__main__":
    sys.exit(main())
