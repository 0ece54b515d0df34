"""Runs one instruction on arrays: tiles in SBUF or PSUM, dense or strided, through a kernel."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import nki
import nki.isa as nisa
import nki.language as nl
import numpy as np
from hypothesis import strategies as st

Layout = str  # "dense", "strided" (every second column) or "psum"
LAYOUTS = ("dense", "strided", "psum")


def _new(shape: tuple[int, ...], dtype: Any, layout: Layout) -> Any:
    if layout == "strided" and len(shape) == 2:
        return nl.ndarray((shape[0], 2 * shape[1]), dtype)[:, 0 : 2 * shape[1] : 2]
    return nl.ndarray(shape, dtype, buffer=nl.psum if layout == "psum" else nl.sbuf)


def run(
    emit: Callable[..., Any],
    inputs: Mapping[str, np.ndarray],
    outputs: Mapping[str, tuple[tuple[int, ...], Any]],
    layouts: Mapping[str, Layout] | None = None,
    updates: tuple[str, ...] = (),
) -> list[np.ndarray]:
    """What `emit(**tiles)` leaves in the outputs, then in the inputs named by `updates`."""
    layouts = layouts or {}
    names = list(inputs)

    @nki.jit
    def kernel(*arrays):
        tiles = {}
        for name, array in zip(names, arrays, strict=True):
            layout = layouts.get(name, "dense")
            loaded = _new(array.shape, array.dtype, "dense" if layout == "psum" else layout)
            nisa.dma_copy(dst=loaded, src=array)
            if layout == "psum":
                tiles[name] = _new(array.shape, array.dtype, "psum")
                nisa.tensor_copy(dst=tiles[name], src=loaded)
            else:
                tiles[name] = loaded
        for name, (shape, dtype) in outputs.items():
            tiles[name] = _new(shape, str(np.dtype(dtype)), layouts.get(name, "dense"))
        emit(**tiles)
        results = []
        for name in [*outputs, *updates]:
            tile = tiles[name]
            if layouts.get(name) == "psum":
                copy = nl.ndarray(tile.shape, tile.dtype)
                nisa.tensor_copy(dst=copy, src=tile)
                tile = copy
            result = nl.ndarray(tile.shape, tile.dtype, buffer=nl.shared_hbm)
            nisa.dma_copy(dst=result, src=tile)
            results.append(result)
        return tuple(results)

    found = kernel(*inputs.values())
    return list(found) if isinstance(found, tuple | list) else [found]


def check(found: np.ndarray, wanted: np.ndarray) -> None:
    """Equal dtype, shape and bits; any NaN equals any NaN."""
    wanted = np.asarray(wanted)
    assert found.dtype == wanted.dtype
    wanted = wanted.reshape(found.shape)
    number = ~(np.isnan(found.astype(np.float64)) & np.isnan(wanted.astype(np.float64)))
    bits = f"u{found.dtype.itemsize}"
    np.testing.assert_array_equal(found[number].view(bits), wanted[number].view(bits))


def values(rng: np.random.Generator, shape: tuple[int, ...], dtype: Any) -> np.ndarray:
    """Ordinary numbers with a few special ones; whole ranges of narrow integers."""
    dtype = np.dtype(dtype)
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        low, high = max(info.min, -(2**20)), min(info.max, 2**20)
        x = rng.integers(low, high, shape, endpoint=True, dtype=np.int64).astype(dtype)
        return np.where(rng.random(shape) < 0.05, dtype.type(info.max), x)
    x = (rng.standard_normal(shape) * 4).astype(np.float32)
    special = np.array([0.0, -0.0, np.inf, -np.inf, 1e-40, -1.5, 3e38], np.float32)
    chosen = rng.random(shape) < 0.1
    with np.errstate(over="ignore"):
        return np.where(chosen, rng.choice(special, shape), x).astype(dtype)


def finite(rng: np.random.Generator, shape: tuple[int, ...], dtype: Any) -> np.ndarray:
    dtype = np.dtype(dtype)
    if dtype.kind in "iu":
        return rng.integers(0, 100, shape).astype(dtype)
    return (rng.standard_normal(shape) * 2).astype(dtype)


shapes = st.tuples(st.sampled_from([1, 3, 32, 64, 128]), st.integers(1, 70))
seeds = st.integers(0, 2**32 - 1).map(np.random.default_rng)
layouts = st.sampled_from(LAYOUTS)
