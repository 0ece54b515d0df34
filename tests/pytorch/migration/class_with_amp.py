"""A class that trains, under another name of torch.cuda."""

import argparse
import contextlib
import os
from dataclasses import dataclass, field

import torch
import torch.cuda as tc
from torch import nn
from torch.cuda.amp import GradScaler, autocast
from torch.utils.data import DataLoader, TensorDataset

os.environ.setdefault("CUDA_VISIBLE_DEVICES", "0")
torch.backends.cudnn.benchmark = True
torch.backends.cuda.matmul.allow_tf32 = True


@dataclass
class Config:
    gpu: int = 0
    amp: bool = True
    dtype: torch.dtype = torch.bfloat16
    device: str = field(default="cuda")


class Trainer:
    def __init__(self, config: Config):
        self.device = torch.device("cuda", config.gpu)
        tc.set_device(self.device)
        self.config = config
        torch.manual_seed(3)
        self.model = nn.Sequential(nn.Linear(12, 24), nn.GELU(), nn.LayerNorm(24), nn.Linear(24, 3))
        self.model.to(device=self.device)
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=3e-3, fused=True)
        self.scaler = GradScaler(enabled=config.dtype is torch.float16)
        self.log = []

    def batch(self, pair):
        return [t.to(self.device, non_blocking=True) for t in pair]

    def epoch(self, loader):
        for pair in loader:
            x, y = self.batch(pair)
            assert x.is_cuda
            self.optimizer.zero_grad(set_to_none=True)
            cast = contextlib.nullcontext()
            if self.config.amp:
                cast = autocast(dtype=self.config.dtype)
            with cast:
                loss = nn.functional.cross_entropy(self.model(x), y)
            self.scaler.scale(loss).backward()
            self.scaler.unscale_(self.optimizer)
            nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            self.scaler.step(self.optimizer)
            self.scaler.update()
            self.log.append(loss.item())
        tc.synchronize()
        tc.empty_cache()

    def save(self, path):
        torch.save({"model": self.model.state_dict(), "rng": tc.get_rng_state()}, path)

    def load(self, path):
        state = torch.load(path, map_location=lambda storage, loc: storage.cuda(0))
        self.model.load_state_dict(state["model"])


def main(argv=()):
    parser = argparse.ArgumentParser()
    parser.add_argument("--gpu", type=int, default=0)
    args = parser.parse_args(argv)
    torch.manual_seed(0)
    data = TensorDataset(torch.randn(32, 12), torch.randint(0, 3, (32,)))
    trainer = Trainer(Config(gpu=args.gpu))
    for _ in range(2):
        trainer.epoch(DataLoader(data, batch_size=8, pin_memory=True, pin_memory_device="cuda"))
    import tempfile

    with tempfile.NamedTemporaryFile(suffix=".pt") as f:
        trainer.save(f.name)
        trainer.load(f.name)
    used, whole = tc.max_memory_allocated, tc.get_device_properties(0).total_memory
    print(f"{used() / 2**20:.2f} of {whole}", f"{tc.get_device_properties(0).name}")
    return trainer.log


result = main()
