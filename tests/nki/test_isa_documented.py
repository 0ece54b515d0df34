"""Do instructions of nki.isa take what AWS's pages say, refuse what lies next to it, and give the
values that the pages state?

The neighbours of what each rule allows, on the generations that the page names; the rules one by
one are in tests/isa.
"""

from collections.abc import Callable

import nki
import nki.isa as nisa
import nki.language as nl
import numpy as np
import pytest
from documented import (
    ALL,
    MACHINES,
    NEW,
    V4,
    accept,
    cases,
    hbm,
    loaded,
    psum,
    refuse,
    sbuf,
    stored,
    tracing,
)
from trainyard import Fault, InputError

RNG = np.random.default_rng(40)


@pytest.fixture(autouse=True)
def any_machine():
    yield
    nki.use_machine(None)


def transposed(rows, *rest, to=sbuf, dtype=nl.bfloat16, **options):
    src = hbm(rows, *rest, dtype=dtype)
    nisa.dma_transpose(dst=to(rest[-1], *rest[:-1], rows, dtype=dtype), src=src, **options)


def gathered(rows, partitions, columns, index_dtype=nl.uint32, **options):
    rows_hbm = hbm(1000, 128, dtype=nl.bfloat16)
    index = sbuf(partitions, columns, dtype=index_dtype)
    src = rows_hbm.ap([[128, rows], [1, 128]], vector_offset=index)
    nisa.dma_transpose(dst=sbuf(128, rows, dtype=nl.bfloat16), src=src, **options)


def offset_by_register(**options):
    src = hbm(1000, 128, dtype=nl.bfloat16).ap(
        [[128, 16], [1, 128]], scalar_offset=nisa.register_alloc(3)
    )
    nisa.dma_transpose(dst=sbuf(128, 16, dtype=nl.bfloat16), src=src, **options)


def scattered_sum(**options):
    rows = hbm(50, 16).ap([[16, 32], [1, 16]], vector_offset=sbuf(32, 1, dtype=nl.uint32))
    nisa.dma_compute(rows, [rows, sbuf(32, 16)], nl.add, **options)


def indexed(index):
    nisa.dma_copy(sbuf(32, 16), hbm(50, 16).ap([[16, 32], [1, 16]], vector_offset=index))


def five_dimensions():
    return sbuf(4, 2, 4, 4, 4)[:, :, 0:2, 0:2, 0:2]


def local_gather(columns=1, taken=None, partitions=16, **options):
    nisa.local_gather(
        sbuf(partitions, taken or 16 * columns),
        sbuf(partitions, 512),
        sbuf(partitions, columns, dtype=nl.uint16),
        **options,
    )


def copied(**options):
    nisa.dma_copy(dst=sbuf(128, 8), src=hbm(128, 8), **options)


def activated(function):
    function(sbuf(4, 8), nl.prelu, sbuf(4, 8), nl.add, sbuf(4, 1))


def scattered_product(dtype):
    dst = psum(32, 256, dtype=dtype).indirect(sbuf(32, 2, dtype=nl.uint16), 64)
    nisa.nc_matmul(dst, sbuf(128, 32, dtype=nl.bfloat16), sbuf(128, 64, dtype=nl.bfloat16))


HW = {"dge_mode": nisa.dge_mode.hwdge}
SW = {"dge_mode": nisa.dge_mode.swdge}
SKIP = {"oob_mode": nisa.oob_mode.skip}

ACCEPTED: list[tuple[str, tuple[int, ...], Callable[[], object]]] = [
    ("dma_transpose to HBM", ALL, lambda: transposed(4096, 1, 1, 128, to=hbm)),
    ("dma_transpose of rank 4", ALL, lambda: transposed(256, 1, 1, 128, axes=(3, 1, 2, 0))),
    ("dma_transpose, hwdge, 2-D", NEW, lambda: transposed(16, 77, **HW)),
    *[
        (f"dma_transpose, hwdge, 3-D, {n}", NEW, lambda n=n: transposed(n, 16, 128, **HW))
        for n in (1, 2, 4, 8, 16)
    ],
    ("dma_transpose, one column of indices", NEW, lambda: gathered(16, 16, 1)),
    ("dma_transpose, two columns of indices", NEW, lambda: gathered(256, 128, 2, **SW)),
    ("dma_transpose, indices to spare", NEW, lambda: gathered(112, 128, 1, **SKIP)),
    ("dma_transpose by a register", ALL, lambda: offset_by_register(**SKIP)),
    ("dma_transpose by a register, swdge", ALL, lambda: offset_by_register(**SW)),
    ("dma_transpose by a register, hwdge", NEW, lambda: offset_by_register(**HW)),
    ("dma_copy by Sync", NEW, lambda: copied(engine=nisa.engine.sync, **HW)),
    ("dma_copy by Scalar", NEW, lambda: copied(engine=nisa.engine.scalar, **HW)),
    ("dma_compute that skips", ALL, lambda: scattered_sum(**SKIP)),
    ("iota by a register", ALL, lambda: nisa.iota(sbuf(4, 8), [[1, 8]], nisa.register_alloc(5))),
    ("local_gather of 4096", ALL, lambda: local_gather(256)),
    (
        "local_gather of 4096 of 4112",
        ALL,
        lambda: local_gather(257, 4096, num_valid_indices=4096),
    ),
    ("exponential of 4 dimensions", V4, lambda: nisa.exponential(*[five_dimensions()[:, 0]] * 2)),
    ("nc_matmul that scatters", V4, lambda: scattered_product(nl.bfloat16)),
    ("dropout of everything", ALL, lambda: nisa.dropout(sbuf(4, 8), sbuf(4, 8), 1.0)),
]


REFUSED: list[tuple[str, tuple[int, ...], Callable[[], object]]] = [
    (
        "dma_transpose.c5",
        ALL,
        lambda: nisa.dma_transpose(sbuf(128, 1, 256), hbm(256, 1, 1, 128), axes=(3, 1, 2, 0)),
    ),
    ("dma_transpose.c7", ALL, lambda: transposed(16, 128, **SW)),
    ("dma_transpose.c7", NEW, lambda: gathered(128, 128, 1, **HW)),
    *[("dma_transpose.c9", NEW, lambda n=n: transposed(n, 128, **HW)) for n in (1, 2, 4, 8, 32)],
    ("dma_transpose.c9", NEW, lambda: transposed(3, 16, 128, **HW)),
    ("dma_transpose.c10", NEW, lambda: transposed(2, 4, 128, **HW)),
    ("dma_transpose.c13", (2,), lambda: gathered(128, 128, 1)),
    ("dma_transpose.c16", NEW, lambda: gathered(128, 64, 2)),
    ("dma_transpose.c18", NEW, lambda: gathered(128, 128, 1, nl.int32)),
    ("dma_transpose.c19", ALL, lambda: transposed(16, 128, **SKIP)),
    ("dma_transpose.c20", (2, 3), lambda: transposed(16, 128, priority=0)),
    ("dma_transpose.c21", V4, lambda: transposed(16, 128, priority=-1)),
    ("dma_copy.c8", ALL, lambda: indexed(sbuf(16, 2, dtype=nl.uint32))),
    ("dma_copy.c10", V4, lambda: copied(priority=-1)),
    ("dma_copy.engine", ALL, lambda: copied(engine=nisa.engine.sync)),
    ("dma_copy.engine", ALL, lambda: copied(engine=nisa.engine.gpsimd, **SW)),
    ("dma_copy.engine", NEW, lambda: copied(engine=nisa.engine.vector, **HW)),
    ("dma_copy.engine", NEW, lambda: copied(engine=nisa.engine.dma, **HW)),
    ("dma_compute.c12", ALL, lambda: nisa.dma_compute(hbm(4, 8), [sbuf(4, 8)], nl.add, **SKIP)),
    ("local_gather.c6", ALL, lambda: local_gather(257)),
    ("local_gather.c6", ALL, lambda: local_gather(1, 17, num_valid_indices=17)),
    ("local_gather.c6", ALL, lambda: local_gather(num_valid_indices=0)),
    ("exponential.c11", V4, lambda: nisa.exponential(five_dimensions(), five_dimensions())),
    ("max8.c5", ALL, lambda: nisa.max8(sbuf(4, 2, 8)[:, :, 0:4], sbuf(4, 16))),
    ("nc_matmul.c28", V4, lambda: scattered_product(nl.float32)),
    ("dropout.c7", ALL, lambda: nisa.dropout(sbuf(4, 8), sbuf(4, 8), 1.5)),
    ("dropout.c7", ALL, lambda: nisa.dropout(sbuf(4, 8), sbuf(4, 8), -0.5)),
    ("argument.type", ALL, lambda: nisa.iota(sbuf(4, 8), [[1, 8]], 0, 2**32)),
]


@pytest.mark.parametrize(("generation", "call"), cases(ACCEPTED))
def test_what_the_pages_allow_is_accepted(generation, call):
    accept(generation, call)


@pytest.mark.parametrize(
    ("generation", "label", "call"),
    cases([(label, generations, label, call) for label, generations, call in REFUSED]),
)
def test_what_lies_next_to_it_is_refused(generation, label, call):
    refuse(generation, call, label)


@pytest.mark.parametrize("generation", ALL)
@pytest.mark.parametrize("function", [nisa.activation, nisa.activation_reduce])
def test_a_fact_that_nobody_has_published_is_named(generation, function):
    with (
        tracing(generation),
        pytest.raises(Fault, match="is not published") as caught,
    ):
        if function is nisa.activation:
            nisa.activation(sbuf(4, 8), nl.prelu, sbuf(4, 8))
        else:
            activated(function)
    assert caught.value.category == "missing_specification"


@pytest.mark.parametrize("columns", [1, 2])
@pytest.mark.parametrize("shape", [(1000, 64), (1000, 3, 1, 64)])
def test_a_gather_transpose_takes_its_indices_column_by_column(columns, shape):
    rows = RNG.integers(0, 2**16, shape).astype(np.uint16)
    index = RNG.integers(0, 1000, (128, columns)).astype(np.uint32)
    axes = (1, 0) if len(shape) == 2 else (3, 1, 2, 0)

    @nki.jit
    def kernel(source, indices):
        dst = sbuf(shape[-1], *shape[1:-1], 128 * columns, dtype=source.dtype)
        steps = [int(np.prod(shape[d + 1 :])) for d in range(len(shape))]
        counts = (128 * columns, *shape[1:])
        pattern = [[step, count] for step, count in zip(steps, counts, strict=True)]
        view = source.ap(pattern, vector_offset=loaded(indices))
        nisa.dma_transpose(dst=dst, src=view, axes=axes)
        return stored(dst)

    np.testing.assert_array_equal(kernel(rows, index), rows[index.T.ravel()].transpose(axes))


@pytest.mark.parametrize("transposes", [False, True])
@pytest.mark.parametrize("in_register", [False, True])
@pytest.mark.parametrize("offset", [0, 7, 46, 47, 50, 1000, -1])
def test_a_transfer_whose_offset_is_out_of_bounds_is_skipped(offset, in_register, transposes):
    rows = RNG.standard_normal((50, 16)).astype(np.float32)

    @nki.jit
    def kernel(source, mode):
        dst = sbuf(*((16, 4) if transposes else (4, 16)))
        nisa.memset(dst, 9.0)
        at = nisa.register_alloc(offset) if in_register else sbuf(1, 1, dtype=nl.int32)
        if not in_register:
            nisa.memset(at, offset)
        move = nisa.dma_transpose if transposes else nisa.dma_copy
        move(dst=dst, src=source.ap([[16, 4], [1, 16]], scalar_offset=at), oob_mode=mode)
        return stored(dst)

    inside = 0 <= offset <= 46
    wanted = rows[offset : offset + 4] if inside else np.full((4, 16), 9, np.float32)
    found = kernel(rows, nisa.oob_mode.skip)
    np.testing.assert_array_equal(found, wanted.T if transposes else wanted)
    if not inside:
        with pytest.raises(Fault, match="inside its tensor"):
            kernel(rows, nisa.oob_mode.error)


def test_the_last_part_of_a_scatter_may_be_skipped():
    @nki.jit
    def kernel(rows, place):
        out = hbm(50, 16)
        nisa.dma_copy(dst=out, src=hbm_zeros(out))
        at = loaded(place)
        target = out.ap([[16, 4], [1, 16]], scalar_offset=at)
        nisa.dma_copy(dst=target, src=loaded(rows), oob_mode=nisa.oob_mode.skip)
        return out

    def hbm_zeros(out):
        zeros = sbuf(*out.shape)
        nisa.memset(zeros, 0.0)
        return zeros

    rows = RNG.standard_normal((4, 16)).astype(np.float32)
    for place in (3, 48):
        wanted = np.zeros((50, 16), np.float32)
        if place == 3:
            wanted[3:7] = rows
        np.testing.assert_array_equal(kernel(rows, np.array([[place]], np.int32)), wanted)


@pytest.mark.parametrize("generation", ALL)
def test_offsets_of_patterns_may_be_registers(generation):
    """Release notes of NKI 0.4.0: iota and affine_select handle register offsets."""
    nki.use_machine(MACHINES[generation])
    data = RNG.standard_normal((4, 8)).astype(np.float32)

    @nki.jit
    def kernel(x):
        numbers, masked = sbuf(4, 5, 8, dtype=nl.int32), sbuf(4, 5, 8)
        tile = loaded(x)
        for i in range(5):
            at = nisa.register_alloc(3 * i - 4)
            nisa.iota(numbers[:, i], [[2, 8]], at, -1)
            nisa.affine_select(masked[:, i], [[2, 8]], -1, tile, -1.0, nl.greater, offset=at)
        looped = hbm(4, 40, dtype=nl.int32)

        def body(i):
            one = sbuf(4, 8, dtype=nl.int32)
            nisa.iota(one, [[1, 8]], i)
            nisa.dma_copy(
                dst=looped.ap([[40, 4], [1, 8]], scalar_offset=i, indirect_dim=1), src=one
            )

        nl.fori_loop(0, 33, body, 8)
        return stored(numbers), stored(masked), looped

    numbers, masked, looped = kernel(data)
    start = np.arange(-4, 11, 3)[None, :, None]
    wanted = start + 2 * np.arange(8) - np.arange(4)[:, None, None]
    np.testing.assert_array_equal(numbers, wanted)
    np.testing.assert_array_equal(masked, np.where(wanted > 0, data[:, None], -1))
    np.testing.assert_array_equal(looped, np.tile(np.arange(40), (4, 1)))


@pytest.mark.parametrize("generation", ALL)
def test_sequence_bounds_tell_large_ids_apart(generation):
    nki.use_machine(MACHINES[generation])

    @nki.jit
    def kernel(ids):
        bounds = sbuf(1, 2, ids.shape[1], dtype=nl.int32)
        nisa.sequence_bounds(bounds, loaded(ids))
        return stored(bounds)

    ids = np.array([[2**24, 2**24 + 1, 2**24 + 1, 0, 5]], np.int32)
    np.testing.assert_array_equal(kernel(ids)[0], [[0, 1, 1, 5, 4], [1, 3, 3, -1, 5]])


@pytest.mark.parametrize("generation", ALL)
def test_activation_reduce_may_leave_its_sum_in_the_registers(generation):
    nki.use_machine(MACHINES[generation])

    @nki.jit
    def kernel(x):
        tile, total = loaded(x), sbuf(4, 1)
        nisa.activation_reduce(tile, nl.copy, tile, nl.add, None)
        nisa.activation(tile, nl.copy, tile, None, 1.0, nl.add, total, nisa.reduce_cmd.reduce)
        return stored(total)

    x = RNG.integers(-8, 8, (4, 8)).astype(np.float32)
    np.testing.assert_array_equal(kernel(x)[:, 0], 2 * x.sum(1))


def test_releases_before_0_4_padded_the_destination_of_a_transpose():
    rows = RNG.standard_normal((64, 1, 1, 32)).astype(np.float32)

    def kernel(source):
        dst = sbuf(32, 64)
        nisa.dma_transpose(dst=dst, src=source, axes=(3, 1, 2, 0))
        return stored(dst)

    old = nki.jit(kernel, compatibility="0.3")
    np.testing.assert_array_equal(old(rows), rows[:, 0, 0].T)
    with pytest.raises(InputError, match=r"dma_transpose\.c5"):
        nki.jit(kernel, compatibility="0.4")(rows)
