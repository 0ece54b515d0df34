"""The device's generator of random numbers: a seed, and how many programs drew from it."""

from __future__ import annotations

import torch

_state = {"seed": 0, "drawn": 0, "is_set": 0}


def manual_seed(seed: int) -> None:
    """Starts again from a seed."""
    _state.update(seed=int(seed) & (2**63 - 1), drawn=0, is_set=1)


def initial_seed() -> int:
    """The seed in force: torch.manual_seed's, unless another one was set."""
    if not _state["is_set"]:
        manual_seed(torch.initial_seed())
    return _state["seed"]


def next_seed() -> tuple[int, int]:
    """What the next program that draws random numbers gets."""
    seed = initial_seed()
    _state["drawn"] += 1
    return seed, _state["drawn"] << 32


def get_state() -> torch.Tensor:
    """Seed and position, as a tensor of bytes."""
    initial_seed()
    return torch.tensor([_state["seed"], _state["drawn"]], dtype=torch.int64).view(torch.uint8)


def set_state(state: torch.Tensor) -> None:
    """What get_state gave."""
    seed, drawn = state.cpu().contiguous().view(torch.int64).tolist()
    _state.update(seed=seed, drawn=drawn, is_set=1)
