"""Do the figures that a time is said to lean on belong to what the kernel did?"""

import nki
import nki.isa as nisa
import nki.language as nl
import numpy as np
import pytest


@nki.jit
def copied(x, mode):
    out = nl.ndarray((128, 512), x.dtype, buffer=nl.shared_hbm)
    tile = nl.ndarray((128, 512), x.dtype, buffer=nl.sbuf)
    nisa.dma_copy(dst=tile, src=x, dge_mode=mode)
    nisa.dma_copy(dst=out, src=tile, dge_mode=mode)
    return out


@nki.jit
def multiplied(x):
    out = nl.ndarray((128, 512), nl.float32, buffer=nl.shared_hbm)
    tile, total = nl.load(x), nl.ndarray((128, 512), nl.float32, buffer=nl.psum)
    nisa.nc_matmul(dst=total, stationary=tile[:, 0:128], moving=tile)
    result = nl.ndarray((128, 512), nl.float32, buffer=nl.sbuf)
    nisa.tensor_copy(dst=result, src=total)
    nisa.dma_copy(dst=out, src=result)
    return out


X = np.ones((128, 512), np.float16)


def keys(result) -> set[str]:
    return {figure["key"] for figure in result.report["assumptions"]}


@pytest.mark.parametrize(
    ("mode", "used", "others"),
    [
        (nisa.dge_mode.hwdge, "hardware", ("static", "software")),
        (nisa.dge_mode.swdge, "software", ("static", "hardware")),
        (nisa.dge_mode.none, "static", ("hardware", "software")),
    ],
)
def test_only_the_descriptors_that_were_made_count(mode, used, others):
    found = keys(copied.run(X, mode, timed=True)[1])
    assert any(key.startswith(f"dma.{used}") for key in found)
    for other in others:
        assert not [key for key in found if key.startswith(f"dma.{other}")]
        assert not [key for key in found if key.endswith(f".dma_issue_{other}")]


def test_shares_of_classes_count_where_there_are_any():
    plain = keys(copied.run(X, nisa.dge_mode.hwdge, timed=True)[1])
    assert not [key for key in plain if "class_share" in key or "transpose" in key]


def test_only_the_formats_that_were_multiplied_count():
    found = keys(multiplied.run(X, timed=True)[1])
    assert "array.matmul_overhead" in found
    assert "array.mx_overhead" not in found and "array.fp32_passes" not in found
