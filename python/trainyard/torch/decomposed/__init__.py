"""Operators in terms of others, where PyTorch has no decomposition of its own: by overload."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import torch


@cache
def own() -> dict[Any, Callable[..., Any]]:
    """What computes each of these operators."""
    from trainyard.torch.decomposed import (
        airy,
        bessel,
        distances,
        draws,
        functions,
        grids,
        hashes,
        histograms,
        linear,
        orders,
        orthogonal,
        places,
        polynomials,
        probabilities,
        quantized,
        segments,
        windows,
    )

    found = {}
    for module in (
        airy,
        bessel,
        distances,
        draws,
        functions,
        grids,
        hashes,
        histograms,
        linear,
        orders,
        orthogonal,
        places,
        polynomials,
        probabilities,
        quantized,
        segments,
        windows,
    ):
        for name, function in module.DECOMPOSED.items():
            space, packet, overload = name.split(".")
            each = getattr(getattr(getattr(torch.ops, space), packet, None), overload, None)
            if each is not None:
                found[each] = function
    return found
