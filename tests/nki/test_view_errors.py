"""Is every rule of views named when it is broken, at the author's line, with what was found?"""

import re
from pathlib import Path

import nki.isa as nisa
import nki.language as nl
import pytest
from trainyard import InputError


def tile(*shape, dtype=nl.float32):
    return nl.ndarray(shape or (128, 64), dtype)


def hbm(*shape, dtype=nl.float32):
    return nl.ndarray(shape or (64, 128, 8), dtype, buffer=nl.shared_hbm)


def index(rows=1):
    return nl.ndarray((rows, 1), nl.int32)


BROKEN = [
    ("view.bounds", lambda: tile()[:, 64]),
    ("view.bounds", lambda: tile()[:, -65]),
    ("view.bounds", lambda: tile()[:, 8:7]),
    ("view.bounds", lambda: tile()[:, 60:65]),
    ("view.bounds", lambda: tile()[:, nl.ds(60, 5)]),
    ("view.bounds", lambda: tile()[:, nl.ds(65, 0)]),
    ("view.bounds", lambda: tile()[:, ::-1]),
    ("view.bounds", lambda: tile().slice(1, 8, 4)),
    ("view.bounds", lambda: tile().slice(1, 0, 8, 0)),
    ("view.bounds", lambda: hbm().select(0, 64)),
    ("view.index", lambda: tile()[0, 0, 0]),
    ("view.index", lambda: tile()[:, None]),
    ("view.index", lambda: tile()[:, 1.5]),
    ("view.index", lambda: tile()[..., ...]),
    ("view.dim", lambda: tile().slice(2, 0, 1)),
    ("view.dim", lambda: tile().expand_dim(4)),
    ("view.permute", lambda: tile(128, 4, 8).permute((0, 1))),
    ("view.permute", lambda: tile(128, 4, 8).permute((0, 1, 1))),
    ("view.partition_dim", lambda: tile(128, 4, 8).permute((1, 0, 2))),
    ("view.partition_dim", lambda: tile(1, 8).broadcast(0, 128)),
    ("view.partition_dim", lambda: tile().expand_dim(0)),
    ("view.partition_dim", lambda: tile(1, 4, 8).squeeze_dim(0)),
    ("view.partition_dim", lambda: tile().reshape_dim(0, (2, 64))),
    ("view.partition_dim", lambda: tile(128, 4, 8).flatten_dims(0, 1)),
    ("view.partition_dim", lambda: tile().reshape((64, 128))),
    ("view.partition_dim", lambda: tile().select(0, index())),
    ("view.partition_dim", lambda: tile()[nisa.register_alloc()]),
    ("view.least_rank", lambda: tile(128, 1).squeeze_dim(1)),
    ("view.least_rank", lambda: hbm(1).squeeze_dim(0)),
    ("view.broadcast", lambda: tile(128, 2, 8).broadcast(1, 8)),
    ("view.squeeze", lambda: tile(128, 2, 8).squeeze_dim(1)),
    ("view.reshape", lambda: tile().reshape((128, 63))),
    ("view.reshape", lambda: tile().reshape((128, -1, -1))),
    ("view.reshape", lambda: tile()[:, 0:32].reshape((128, 16, 2))[:, :, 0:1].reshape((128, 4, 5))),
    ("view.reshape", lambda: tile(128, 4, 8).permute((0, 2, 1)).reshape((128, 32))),
    ("view.reshape", lambda: tile().reshape_dim(1, (5, -1))),
    ("view.flatten", lambda: tile(128, 4, 8)[:, :, 0:4].flatten_dims(1, 2)),
    ("view.flatten", lambda: tile(128, 4, 8).flatten_dims(2, 1)),
    ("view.reinterpret", lambda: tile(128, 4, 8).permute((0, 2, 1)).view(nl.uint8)),
    ("view.reinterpret", lambda: tile(128, 6, dtype=nl.uint8).view(nl.float32)),
    ("view.reinterpret", lambda: hbm().select(0, index()).view(nl.uint8)),
    ("view.ap", lambda: tile().ap([])),
    ("view.ap", lambda: tile().ap([[64, 128], [1, 0]])),
    ("view.ap", lambda: tile().ap([[64, 128], [1]])),
    ("view.ap", lambda: tile().ap([[64, 128], [1, 8]], offset=-1)),
    ("view.ap_partition", lambda: tile(16, 32).ap([[64, 8], [1, 32]])),
    ("view.indirect_once", lambda: hbm().select(0, index()).select(0, index())),
    ("view.indirect_once", lambda: hbm().select(0, index()).ap([[8, 128], [1, 8]])),
    ("view.indirect_once", lambda: hbm().vector_select(0, index(4)).select(1, index())),
    (
        "view.indirect_once",
        lambda: hbm().ap([[8, 4], [1, 8]], scalar_offset=index(), vector_offset=index(4)),
    ),
    ("view.indirect_once", lambda: hbm()[index(), index()]),
    ("view.indirect_dim", lambda: hbm().vector_select(0, index(4))[0:2]),
    ("view.indirect_dim", lambda: hbm().vector_select(0, index(4)).permute((1, 0, 2))),
    ("view.indirect_dim", lambda: hbm().vector_select(0, index(4)).expand_dim(0)),
    ("view.indirect_dim", lambda: hbm().vector_select(0, index(1)).squeeze_dim(0)),
    ("view.indirect_dim", lambda: hbm().vector_select(0, index(4)).flatten_dims(0, 1)),
    ("view.indirect_dim", lambda: hbm()[nl.ds(index(), 8)][0:4]),
    (
        "view.indirect_dim",
        lambda: hbm().ap([[8, 4], [1, 8]], vector_offset=index(4), indirect_dim=1),
    ),
    ("view.index_tensor", lambda: hbm().select(0, index(2))),
    ("view.index_tensor", lambda: hbm().select(0, "first")),
    ("view.index_tensor", lambda: hbm().vector_select(0, tile(4, 2, dtype=nl.int32))),
    ("view.index_tensor", lambda: hbm().ap([[8, 4], [1, 8]], vector_offset=index(3))),
    ("view.index_tensor", lambda: hbm().ap([[8, 4], [1, 8]], scalar_offset=3)),
    ("view.vector_select", lambda: hbm().vector_select(1, index(4))),
    ("view.vector_select", lambda: tile().vector_select(0, index(128))),
    ("view.indirect", lambda: hbm().indirect(index(64))),
    ("view.indirect", lambda: tile().indirect(index(64))),
]


@pytest.mark.parametrize(
    ("label", "make"), BROKEN, ids=[f"{label}-{i}" for i, (label, _) in enumerate(BROKEN)]
)
def test_a_broken_rule_is_named_at_the_authors_line(trace, label, make):
    with pytest.raises(InputError) as caught:
        make()
    violation = caught.value.violations[0]
    assert violation.label == label
    assert violation.found
    assert re.search(rf"{Path(__file__).name}:\d+ in <lambda>", violation.place)


@pytest.mark.parametrize(
    ("make", "written"),
    [
        (lambda: tile()[:, -65], "index -65 in dimension 1"),
        (lambda: tile()[:, 60:-10], "[60:-10] in dimension 1"),
        (lambda: tile()[-200:], "[-200:] in dimension 0"),
        (lambda: tile()[:, 70::2], "[70::2] in dimension 1"),
        (lambda: tile()[:, nl.ds(-70, 5)], "[-70:-65] in dimension 1"),
        (lambda: tile().slice(1, -8, 4), "[-8:4] in dimension 1"),
        (lambda: tile()[:, 0 : 64 / 2], "slice(0, 32.0, None)"),
        (lambda: tile()[:, nl.ds(64 / 2, 4)], "32.0"),
        (lambda: tile()[:, 2**70], str(2**70)),
    ],
)
def test_indices_are_shown_as_they_were_written(trace, make, written):
    with pytest.raises(InputError) as caught:
        make()
    assert caught.value.violations[0].found.startswith(written)


def test_negative_numbers_count_from_the_end(trace):
    assert tile()[:, -8:-4].shape == (128, 4)
    assert tile()[:, -1].offset == tile()[:, 63].offset == 63
    assert tile()[:, nl.ds(-8, 4)].offset == 56
    assert tile()[:, 1 :: 2**62].shape == (128, 1)


BROKEN_WHEN_USED = [
    (
        "view.extent",
        lambda: nisa.dma_copy(dst=tile(128, 8), src=hbm(2**32, 8).ap([[1, 2**31]])),
    ),
    ("view.partition_step", lambda: nisa.tensor_copy(dst=tile(64, 8), src=tile(128, 8)[::2])),
    (
        "view.rank",
        lambda: nisa.tensor_copy(
            dst=tile(4, 64), src=tile(4, 4, 4, 4, 4, 4, 4)[:, ::2, ::2, ::2, ::2, ::2, ::2]
        ),
    ),
]


@pytest.mark.parametrize(("label", "use"), BROKEN_WHEN_USED)
def test_a_view_no_instruction_can_walk_is_refused_when_used(trace, label, use):
    with pytest.raises(InputError) as caught:
        use()
    violation = caught.value.violations[0]
    assert violation.label == label
    assert Path(__file__).name in violation.place


EMPTY = [
    ("tile.count", lambda: nisa.tensor_copy(dst=tile()[:, 0:0], src=tile()[:, 8:8])),
    ("tile.count", lambda: nisa.tensor_copy(dst=tile(), src=tile()[:, nl.ds(64, 0)])),
    ("tile.partitions", lambda: nisa.memset(dst=tile()[128:128], value=0.0)),
    ("tile.count", lambda: nisa.dma_copy(dst=tile(), src=hbm(128, 64)[0:0])),
    (
        "tile.count",
        lambda: nisa.nc_matmul(
            dst=nl.ndarray((64, 64), nl.float32, buffer=nl.psum)[:, 0:0],
            stationary=tile(),
            moving=tile()[:, 0:0],
        ),
    ),
    (
        "tile.count",
        lambda: nisa.tensor_reduce(
            dst=tile(128, 1),
            op=nl.add,
            data=tile(128, 4, 8)[:, 1:1, 0:4].flatten_dims(1, 2),
            axis=1,
        ),
    ),
]


@pytest.mark.parametrize(("label", "use"), EMPTY)
def test_an_empty_slice_is_refused_where_an_instruction_uses_it(trace, label, use):
    with pytest.raises(InputError) as caught:
        use()
    violation = caught.value.violations[0]
    assert (violation.label, Path(__file__).name in violation.place) == (label, True)


def test_an_empty_slice_that_nothing_uses_is_a_view_like_any_other(trace):
    assert tile()[:, 8:8].shape == (128, 0)
    assert hbm(1)[nl.ds(0, 0)].shape == (0,)
    assert hbm()[64:64].shape == (0, 128, 8)
    assert tile(128, 4, 8)[:, 2:2].reshape((128, 0)).shape == (128, 0)
    assert hbm()[:, 3:3, 0:4].flatten_dims(0, 2).shape == (0,)


def test_every_label_of_views_is_broken_here():
    sources = Path(__file__).parents[2] / "src"
    files = [*sources.glob("isa/views/*.cpp"), sources / "binding/bind_tensor.cpp"]
    labels = {label for file in files for label in re.findall(r'"(view\.\w+)"', file.read_text())}
    tested = {label for label, _ in BROKEN} | {label for label, _ in BROKEN_WHEN_USED}
    assert labels == tested
