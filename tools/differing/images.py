"""Convolutions as StableHLO's text says: holes and edges are zeros, which are multiplied, too."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np


def convolve(p: Any, image: np.ndarray, kernel: np.ndarray) -> np.ndarray:
    """p: the parameters of conv_general_dilated."""
    numbers = p["dimension_numbers"]
    image = np.transpose(image, numbers.lhs_spec)  # batch, features, places
    kernel = np.transpose(kernel, numbers.rhs_spec)  # of results, of the image, places
    image = with_edges(image, p["lhs_dilation"], p["padding"])
    groups, batches = p["feature_group_count"], p["batch_group_count"]
    if groups == 1 and batches > 1:
        parts = zip(np.split(image, batches, 0), np.split(kernel, batches, 0), strict=True)
    else:
        parts = zip(np.split(image, groups, 1), np.split(kernel, groups, 0), strict=True)
    steps, holes = p["window_strides"], p["rhs_dilation"]
    found = np.concatenate([_one_group(x, w, steps, holes) for x, w in parts], 1)
    order = np.argsort(numbers.out_spec)
    return np.transpose(found, order)


def with_edges(image: np.ndarray, dilations: Any, padding: Any) -> np.ndarray:
    """With zeros between elements and around them; edges below zero cut."""
    for axis, (hole, (low, high)) in enumerate(zip(dilations, padding, strict=True), 2):
        moved = np.moveaxis(image, axis, 0)
        size = max(0, (moved.shape[0] - 1) * hole + 1)
        wide = np.zeros((size, *moved.shape[1:]), image.dtype)
        wide[::hole] = moved
        edges = [(max(0, low), max(0, high))] + [(0, 0)] * (image.ndim - 1)
        wide = np.pad(wide, edges)[max(0, -low) : wide.shape[0] + max(0, low) + max(0, high)]
        wide = wide[: max(0, wide.shape[0] - max(0, -high))]
        image = np.moveaxis(wide, 0, axis)
    return image


def _one_group(image: np.ndarray, kernel: np.ndarray, steps: Any, holes: Any) -> np.ndarray:
    taps, sizes = kernel.shape[2:], []
    for place, tap, step, hole in zip(image.shape[2:], taps, steps, holes, strict=True):
        reach = max(0, (tap - 1) * hole + 1)
        sizes.append((place - reach) // step + 1 if place >= reach else 0)
    found = np.zeros((image.shape[0], kernel.shape[0], *sizes), image.dtype)
    if 0 in sizes:
        return found
    for at in itertools.product(*map(range, taps)):
        places = [
            slice(i * hole, i * hole + step * (count - 1) + 1, step)
            for i, hole, step, count in zip(at, holes, steps, sizes, strict=True)
        ]
        part = image[(slice(None), slice(None), *places)]
        weights = kernel[(slice(None), slice(None), *at)]
        found += np.moveaxis(np.tensordot(weights, part, ((1,), (1,))), 0, 1)
    return found
