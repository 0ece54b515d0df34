"""How far results in a narrow type are from float32's, beside those of XLA on the CPU."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import jax
import numpy as np
from trainyard import model


def errors(function: Callable[..., Any], arguments: Sequence[Any]) -> Iterator[tuple[float, float]]:
    """Of each result on both cores: the largest error, ours and the CPU's, by the mean size."""
    made = jax.tree.leaves(model.compile(function, *arguments, cores=2)(*arguments))
    with jax.default_device(jax.devices("cpu")[0]):
        exact = jax.tree.leaves(function(*[each.astype(np.float32) for each in arguments]))
        usual = jax.tree.leaves(function(*arguments))
    for ours, wanted, cpu in zip(made, exact, usual, strict=True):
        right = np.asarray(wanted, np.float64)
        size = np.abs(right).mean()
        yield tuple(
            np.abs(np.asarray(each, np.float64) - right).max() / size for each in (ours, cpu)
        )
