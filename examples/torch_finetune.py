"""transformers' Trainer tunes a language model with LoRA (peft) on one simulated Trainium3 core.

  build/torch/venv/bin/python examples/torch_finetune.py

A small Llama of random weights learns a sentence, byte by byte. The script is what it would be for
another device, but for the line `import torch_neuronx`. The same steps on the CPU must have the
same losses.
"""

from __future__ import annotations

import argparse
import os
import tempfile

os.environ.setdefault("HF_HUB_OFFLINE", "1")

import peft
import torch
import torch_neuronx
import transformers

TEXT = "the quick brown fox jumps over the lazy dog. "


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=10)
    parser.add_argument("--width", type=int, default=64, help="of the model (64)")
    parser.add_argument("--layers", type=int, default=2)
    return parser.parse_args()


def make_model(width: int, layers: int) -> torch.nn.Module:
    torch.manual_seed(0)
    config = transformers.LlamaConfig(
        vocab_size=128,
        hidden_size=width,
        intermediate_size=3 * width,
        num_hidden_layers=layers,
        num_attention_heads=4,
        num_key_value_heads=2,
    )
    low_rank = peft.LoraConfig(r=4, target_modules=["q_proj", "v_proj"], lora_dropout=0.0)
    return peft.get_peft_model(transformers.LlamaForCausalLM(config), low_rank)


def rows(count: int, length: int = 16) -> list[dict[str, torch.Tensor]]:
    text = torch.tensor(list(TEXT.encode() * 4))
    windows = [text[i * 7 : i * 7 + length] for i in range(count)]
    return [{"input_ids": row, "labels": row} for row in windows]


def tune(arguments: argparse.Namespace, use_cpu: bool) -> tuple[list[float], str]:
    """The losses, and the kind of the device."""
    with tempfile.TemporaryDirectory() as folder:
        options = transformers.TrainingArguments(
            output_dir=folder,
            max_steps=arguments.steps,
            per_device_train_batch_size=4,
            learning_rate=1e-2,
            logging_steps=1,
            report_to=[],
            save_strategy="no",
            disable_tqdm=True,
            use_cpu=use_cpu,
        )
        model = make_model(arguments.width, arguments.layers)
        trainer = transformers.Trainer(model=model, args=options, train_dataset=rows(8))
        trainer.train()
    losses = [row["loss"] for row in trainer.state.log_history if "loss" in row]
    return losses, trainer.model.device.type


def main() -> int:
    arguments = parse()
    transformers.logging.set_verbosity_error()
    with torch_neuronx.timing() as launches:
        losses, device = tune(arguments, use_cpu=False)
    expected, _ = tune(arguments, use_cpu=True)
    worst = max(abs(a - b) for a, b in zip(losses, expected, strict=True))
    seconds = sum(each.seconds for each in launches)
    print(f"on {device}: loss {losses[0]:.4f} at first, {losses[-1]:.4f} after {len(losses)} steps")
    print(f"{seconds * 1e3:.2f} ms simulated; at most {worst:.1e} from the CPU's losses")
    return 0 if worst < 1e-4 and device == "neuron" else 1


if __name__ == "__main__":
    raise SystemExit(main())
