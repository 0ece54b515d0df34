"""What people run, in small form: 10 FP32 steps with the CPU's losses, on the device."""

import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
import torch_neuronx  # noqa: E402, F401
from torch import nn  # noqa: E402
from torch.nn import functional as F  # noqa: E402


def whisper():
    config = transformers.WhisperConfig(
        vocab_size=64,
        num_mel_bins=8,
        d_model=16,
        encoder_layers=1,
        decoder_layers=1,
        encoder_attention_heads=2,
        decoder_attention_heads=2,
        encoder_ffn_dim=32,
        decoder_ffn_dim=32,
        max_source_positions=16,
        max_target_positions=16,
        pad_token_id=0,
        bos_token_id=1,
        eos_token_id=2,
        decoder_start_token_id=1,
        dropout=0.0,
        suppress_tokens=None,
        begin_suppress_tokens=None,
    )
    return transformers.WhisperForConditionalGeneration(config), {
        "input_features": torch.randn(2, 8, 32),
        "labels": torch.randint(3, 60, (2, 6)),
    }


def classifier():
    config = transformers.ViTConfig(
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        image_size=8,
        patch_size=4,
        num_labels=3,
    )
    return transformers.ViTForImageClassification(config), {
        "pixel_values": torch.randn(2, 3, 8, 8),
        "labels": torch.tensor([0, 2]),
    }


def llama():
    config = transformers.LlamaConfig(
        vocab_size=32,
        hidden_size=16,
        intermediate_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_key_value_heads=1,
        tie_word_embeddings=True,
    )
    tokens = torch.randint(0, 32, (2, 8))
    return transformers.LlamaForCausalLM(config), {"input_ids": tokens, "labels": tokens}


class Residual(nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.norms = nn.ModuleList([nn.GroupNorm(2, inputs), nn.GroupNorm(2, outputs)])
        self.first = nn.Conv2d(inputs, outputs, 3, padding=1)
        self.second = nn.Conv2d(outputs, outputs, 3, padding=1)
        self.time = nn.Linear(8, outputs)
        self.skip = nn.Conv2d(inputs, outputs, 1)

    def forward(self, x, time):
        h = self.first(F.silu(self.norms[0](x))) + self.time(time)[:, :, None, None]
        return self.skip(x) + self.second(F.silu(self.norms[1](h)))


class UNet(nn.Module):
    """A diffusion model's, with attention in the middle."""

    def __init__(self):
        super().__init__()
        self.before = Residual(2, 4)
        self.down = nn.Conv2d(4, 8, 3, 2, 1)
        self.attention = nn.MultiheadAttention(8, 2, batch_first=True)
        self.up = nn.ConvTranspose2d(8, 4, 4, 2, 1)
        self.after = Residual(8, 2)

    def forward(self, x, steps, noise):
        rates = torch.exp(-torch.arange(4, device=x.device))
        angles = steps[:, None].float() * rates
        time = torch.cat([angles.sin(), angles.cos()], 1)
        high = self.before(x, time)
        low = self.down(high)
        tokens = low.flatten(2).transpose(1, 2)
        mixed = self.attention(tokens, tokens, tokens, need_weights=False)[0]
        low = low + mixed.transpose(1, 2).reshape(low.shape)
        return F.mse_loss(self.after(torch.cat([high, self.up(low)], 1), time), noise)


def unet():
    noise = torch.randn(2, 2, 4, 4)
    given = {"x": noise + torch.randn(2, 2, 4, 4), "steps": torch.tensor([3, 700]), "noise": noise}
    return UNet(), given


def losses(make, device, compiled, count=10):
    torch._dynamo.reset()
    torch.manual_seed(0)
    model, given = make()
    model = model.to(device).train()
    given = {name: value.to(device) for name, value in given.items()}
    used = torch.compile(model, backend="neuron") if compiled else model
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    made = []
    for _ in range(count):
        optimizer.zero_grad()
        loss = used(**given)
        loss = loss if isinstance(loss, torch.Tensor) else loss.loss
        loss.backward()
        optimizer.step()
        made.append(loss.item())
    return made


@pytest.mark.parametrize("compiled", [False, True], ids=["eager", "compiled"])
@pytest.mark.parametrize("make", [whisper, classifier, llama, unet])
def test_training_has_the_losses_of_the_cpu(make, compiled):
    theirs = losses(make, "cpu", False)
    assert theirs[-1] < theirs[0]
    assert losses(make, "neuron", compiled) == pytest.approx(theirs, abs=1e-4)


def test_the_trainer_tunes_with_low_rank_weights(tmp_path):
    peft = pytest.importorskip("peft")

    def tune(use_cpu):
        torch.manual_seed(0)
        model, given = llama()
        model = peft.get_peft_model(
            model, peft.LoraConfig(r=2, target_modules=["q_proj", "v_proj"], lora_dropout=0.0)
        )
        rows = [{name: value[i % 2] for name, value in given.items()} for i in range(8)]
        arguments = transformers.TrainingArguments(
            output_dir=str(tmp_path),
            max_steps=3,
            per_device_train_batch_size=2,
            learning_rate=1e-2,
            logging_steps=1,
            report_to=[],
            save_strategy="no",
            disable_tqdm=True,
            use_cpu=use_cpu,
        )
        trainer = transformers.Trainer(model=model, args=arguments, train_dataset=rows)
        trainer.train()
        assert trainer.model.device.type == ("cpu" if use_cpu else "neuron")
        return [row["loss"] for row in trainer.state.log_history if "loss" in row]

    theirs = tune(True)
    assert len(theirs) == 3
    assert tune(False) == pytest.approx(theirs, abs=1e-4)
