"""Whisper in PyTorch writes down a sound on one simulated Trainium3 core.

  build/torch/venv/bin/python examples/torch_whisper.py

No package ships trained weights, so the model is transformers' own with small random ones: its
words mean nothing, but they must be those of the CPU. Two tones of half a second are the sound;
`generate` keeps its cache in simulated HBM.
"""

from __future__ import annotations

import argparse
import math
import os

os.environ.setdefault("HF_HUB_OFFLINE", "1")

import torch
import torch_neuronx
import transformers

RATE, BINS = 16000, 16


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tokens", type=int, default=8, help="to write (8)")
    parser.add_argument("--width", type=int, default=64, help="of the model (64)")
    return parser.parse_args()


def make_model(width: int) -> torch.nn.Module:
    config = transformers.WhisperConfig(
        vocab_size=128,
        num_mel_bins=BINS,
        d_model=width,
        encoder_layers=2,
        decoder_layers=2,
        encoder_attention_heads=4,
        decoder_attention_heads=4,
        encoder_ffn_dim=2 * width,
        decoder_ffn_dim=2 * width,
        max_source_positions=50,
        max_target_positions=32,
        pad_token_id=0,
        bos_token_id=1,
        eos_token_id=2,
        decoder_start_token_id=1,
        suppress_tokens=None,
        begin_suppress_tokens=None,
        tie_word_embeddings=False,
    )
    torch.manual_seed(0)
    model = transformers.WhisperForConditionalGeneration(config).eval()
    with torch.no_grad():  # larger ones than a training begins with, or every word would be one
        for each in model.parameters():
            if each.dim() == 2:
                each.mul_(10)
    return model


def hear() -> torch.Tensor:
    """Log energies of a sound of one second, [1, bins, 100], as Whisper's are made: on the host."""
    time = torch.arange(RATE) / RATE
    tone = torch.where(time < 0.5, 440.0, 880.0)
    sound = torch.sin(2 * math.pi * tone * time)
    extractor = transformers.WhisperFeatureExtractor(feature_size=BINS, chunk_length=1)
    return extractor(sound.numpy(), sampling_rate=RATE, return_tensors="pt").input_features


def write(model: torch.nn.Module, features: torch.Tensor, tokens: int) -> list[int]:
    start = torch.tensor([[1]], device=features.device)
    given = {"max_new_tokens": tokens, "min_new_tokens": tokens, "do_sample": False}
    with torch.no_grad():
        made = transformers.GenerationMixin.generate(
            model, features, decoder_input_ids=start, **given
        )
    return made[0].tolist()


def main() -> int:
    arguments = parse()
    transformers.logging.set_verbosity_error()
    model, features = make_model(arguments.width), hear()
    expected = write(model, features, arguments.tokens)
    model = model.to("neuron")  # the line
    with torch_neuronx.timing() as launches:
        made = write(model, features.to("neuron"), arguments.tokens)
    seconds = sum(each.seconds for each in launches)
    joules = sum(each.joules[1] for each in launches)
    print("tokens:", *made)
    print("the CPU's:", *expected)
    print(
        f"{arguments.tokens} tokens of random weights in {len(launches)} launches: "
        f"{seconds * 1e6:.0f} us simulated, {joules * 1e3:.1f} mJ"
    )
    return 0 if made == expected else 1


if __name__ == "__main__":
    raise SystemExit(main())
