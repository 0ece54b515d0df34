"""Do caches that stay as they are stored give the attention reference what float32 ones give?"""

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
sys.path.append(str(Path(__file__).resolve().parents[2] / "tools" / "suite" / "glue"))

import neuron_dtypes
from suite import nki_library_caches as caches

torch = pytest.importorskip("torch")
BLOCKS, BLOCK, WIDTH, BATCH = 12, 4, 8, 3


def cache_of(dtype):
    values = np.random.default_rng(1).normal(size=(BLOCKS, BLOCK, WIDTH)).astype(np.float32)
    return values.astype(getattr(neuron_dtypes, dtype))


def whole(array):
    return torch.from_numpy(array.astype(np.float32))


def gather(cache, table, batch, context, width, block):
    """As nki-library's: the blocks of each sequence, zeros behind them."""
    flat = torch.zeros((batch, context, width))
    for b in range(batch):
        flat[b][: table.shape[1] * block] = cache[table[b]].reshape(-1, width)
    return flat


@pytest.mark.parametrize("dtype", ["bfloat16", "float8_e4m3", "float8_e5m2"])
def test_blocks_are_gathered_for_some_sequences(dtype):
    array = cache_of(dtype)
    table = torch.tensor([[0, 5, 7], [3, 3, -1], [11, 2, 1]], dtype=torch.int32)
    run = caches.gathering(gather)
    about = (table, BATCH, 4 * BLOCK, WIDTH, BLOCK)
    expected = gather(whole(array), *about)
    found = run(caches.Stored(array).float(), *about)
    assert found.numel() == expected.numel()
    found = found.unsqueeze(1)[:BATCH, ...][..., :10, :].permute(0, 1, 3, 2)
    expected = expected.unsqueeze(1)[:BATCH, ...][..., :10, :].permute(0, 1, 3, 2)
    for some in (slice(None), slice(0, 2), slice(2, 4)):
        assert torch.equal(found[some], expected[some])
    assert torch.equal(run(whole(array), *about), gather(whole(array), *about))


@pytest.mark.parametrize("transposed", [False, True])
def test_a_cache_without_blocks_is_cast_for_some_sequences(transposed):
    array = cache_of("bfloat16").reshape(6, 1, 8, 8)
    stored, expected = caches.Stored(array).to(torch.float32)[:5, ...], whole(array)[:5, ...]
    if transposed:
        stored, expected = (
            stored[..., :6, :].permute(0, 1, 3, 2),
            expected[..., :6, :].permute(0, 1, 3, 2),
        )
    assert torch.equal(stored[1:4], expected[1:4])


@pytest.mark.parametrize("dtype", ["bfloat16", "float8_e4m3"])
def test_rows_are_written_as_the_result_would_be_cast(dtype):
    array = cache_of(dtype)
    new = torch.from_numpy(np.random.default_rng(2).normal(size=(2, WIDTH)).astype(np.float32) * 3)
    expected = whole(array)
    expected.reshape(-1, WIDTH)[5:7, :] = new
    stored = caches.Stored(array).clone()
    flat = stored.reshape(BLOCKS * BLOCK, WIDTH)
    flat[5:7, :] = new
    found = flat.reshape(BLOCKS, BLOCK, WIDTH).astype(array.dtype)
    assert found.tobytes() == expected.numpy().astype(array.dtype).tobytes()
    assert cache_of(dtype).tobytes() == array.tobytes()


def test_only_large_caches_stay_as_they_are(monkeypatch):
    given = {}
    run = caches.storing(lambda kernel_input, lnc: given.update(kernel_input))
    inputs = {"K_cache": cache_of("bfloat16"), "V_cache": cache_of("bfloat16"), "X": 1}
    run(inputs, 2)
    assert given["K_cache"] is inputs["K_cache"]
    monkeypatch.setattr(caches, "LARGE", 10)
    run(inputs, 2)
    assert given["K_cache"].array is inputs["K_cache"]
    assert given["X"] == 1
