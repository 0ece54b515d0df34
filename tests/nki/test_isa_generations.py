"""Which generation has which instruction, mode and dtype? Source: the notes and constraints of
nki.isa, NKI 0.6, and its release notes.
"""

import nki
import nki.isa as nisa
import nki.language as nl
import pytest
from documented import ALL, NEW, V4, accept, cases, psum, refuse, sbuf, tracing

RC, EN = nisa.reduce_cmd, nisa.engine
FP8 = ("float8_e4m3", "float8_e5m2")


@pytest.fixture(autouse=True)
def any_machine():
    yield
    nki.use_machine(None)


def product(left="bfloat16", right=None, *, k=128, m=64, n=128, to="float32", **options):
    stationary, moving = (sbuf(k, f, dtype=d) for f, d in ((m, left), (n, right or left)))
    nisa.nc_matmul(psum(m, n, dtype=to), stationary, moving, **options)


def tiled(position, size, k=32, m=32):
    product(k=k, m=m, n=8, tile_position=position, tile_size=size)


def double_row(left="float8_e4m3", right=None, mode=nisa.matmul_perf_mode.double_row, **options):
    nisa.nc_matmul(
        psum(64, 128),
        sbuf(128, 2, 64, dtype=left),
        sbuf(128, 2, 128, dtype=right or left),
        perf_mode=mode,
        **options,
    )


def scaled_product(rows=128, m=64, n=128, left="float8_e4m3fn_x4", scale="uint8", to="float32"):
    of_scales = rows if rows > 32 else rows // 8
    nisa.nc_matmul_mx(
        psum(m, n, dtype=to),
        sbuf(rows, m, dtype=left),
        sbuf(rows, n, dtype="float8_e5m2_x4"),
        sbuf(of_scales, m, dtype=scale),
        sbuf(of_scales, n, dtype=scale),
    )


def quantized(rows=64, free=64, source="bfloat16", to="float8_e4m3fn_x4", scale="uint8"):
    nisa.quantize_mx(
        sbuf(rows, free // 4, dtype=to),
        sbuf(rows, free, dtype=source),
        sbuf(rows if rows > 32 else rows // 8, free // 4, dtype=scale),
    )


def random_state(function, words, of=sbuf, dtype="uint32", **options):
    function(of(128, words, dtype=dtype), **options)


def scalar(op, c=1.0, **options):
    nisa.tensor_scalar(sbuf(4, 8), sbuf(4, 8), op, c, **options)


def reduced(op):
    nisa.tensor_scalar_reduce(sbuf(4, 8), sbuf(4, 8), op, 0, nl.add, sbuf(4, 1))


def biased(op, bias):
    nisa.activation(sbuf(4, 8), op, sbuf(4, 8), bias=bias if bias == 1.0 else sbuf(4, 1))


def activated2(**options):
    options = {"imm0": 2.0, "imm1": 0.5, "op0": nl.multiply, "op1": nl.add} | options
    nisa.activate2(sbuf(4, 8), nl.gelu, sbuf(4, 8), **options)


def selected(**options):
    nisa.range_select(sbuf(4, 8), sbuf(4, 8), nl.less, nl.less, sbuf(4, 1), sbuf(4, 1), **options)


def unequal():
    nisa.range_select(sbuf(4, 8), sbuf(4, 8), nl.not_equal, nl.less, sbuf(4, 1), sbuf(4, 1))


def nonzeros(source="float32", to="int32"):
    nisa.nonzero_with_count(sbuf(128, 25, dtype=to), sbuf(128, 24, dtype=source))


def uniform(to="float32", high=1.0, of=sbuf):
    nisa.rand2(of(4, 8, dtype=to), 0.0, high)


def copied(**options):
    nisa.tensor_copy(sbuf(4, 8), sbuf(4, 8), **options)


# (name, generations that have it, label with which the others refuse it, call)
TABLE = [
    ("tensor_copy on Scalar", NEW, "tensor_copy.c5", lambda: copied(engine=EN.scalar)),
    ("float8_e4m3fn", V4, "nc_matmul.c4", lambda: product("float8_e4m3fn")),
    ("a bfloat16 sum", V4, "nc_matmul.c13", lambda: product(to="bfloat16")),
    ("513 columns", V4, "nc_matmul.c12", lambda: product(n=513)),
    ("32 rows", NEW, "nc_matmul.c24", lambda: tiled((96, 0), (32, 128))),
    ("32 columns", NEW, "nc_matmul.c25", lambda: tiled((0, 96), (128, 32))),
    ("64 rows", ALL, "", lambda: tiled((64, 0), (64, 128))),
    ("64 columns", ALL, "", lambda: tiled((0, 64), (128, 64))),
    ("double rows", NEW, "nc_matmul.c18", double_row),
    (
        "double rows by the mode's value",
        NEW,
        "nc_matmul.c18",
        lambda: double_row(mode="double_row"),
    ),
    ("double rows of e4m3fn", V4, "nc_matmul.c4", lambda: double_row("float8_e4m3fn")),
    ("two FP8 formats", ALL, "", lambda: product(*FP8)),
    ("nc_matmul_mx", V4, "nc_matmul_mx.c1", scaled_product),
    ("quantize_mx", V4, "quantize_mx.c1", quantized),
    ("a number as bias", NEW, "activation.c9", lambda: biased(nl.exp, 1.0)),
    ("a bias for reciprocal", NEW, "activation.c9", lambda: biased(nl.reciprocal, None)),
    ("activate2", V4, "activate2.c1", activated2),
    ("exponential", V4, "exponential.c1", lambda: nisa.exponential(sbuf(4, 8), sbuf(4, 8))),
    ("range_select", NEW, "range_select.c1", selected),
    ("nonzero_with_count", NEW, "nonzero_with_count.c1", nonzeros),
    ("rand2", V4, "rand2.c1", uniform),
    ("rand2 into PSUM", V4, "rand2.c1", lambda: uniform(of=psum)),
    (
        "rng on GpSimd",
        NEW,
        "rng.c3",
        lambda: nisa.rng(sbuf(4, 8, dtype="int32"), engine=EN.gpsimd),
    ),
    *[
        (name, generations, f"{function.__name__}.c4", call)
        for function in (nisa.rand_set_state, nisa.rand_get_state)
        for name, generations, call in (
            ("states of GpSimd", NEW, lambda f=function: random_state(f, 6)),
            ("states of Vector", V4, lambda f=function: random_state(f, 24, engine=EN.vector)),
        )
    ],
    *[
        (op.__name__, V4, "tensor_scalar.c10", lambda op=op: scalar(op, 0))
        for op in (nl.square, nl.relu, nl.abs_max, nl.abs_min)
    ],
    *[
        (op.__name__, V4, "tensor_scalar_reduce.c4", lambda op=op: reduced(op))
        for op in (nl.square, nl.relu, nl.abs_max, nl.abs_min)
    ],
    (
        "abs_max of tensors",
        V4,
        "tensor_tensor.c5",
        lambda: nisa.tensor_tensor(sbuf(4, 8), sbuf(4, 8), sbuf(4, 8), nl.abs_max),
    ),
    ("Scalar adds", NEW, "tensor_scalar.c13", lambda: scalar(nl.add, engine=EN.scalar)),
    ("Scalar subtracts", V4, "tensor_scalar.c13", lambda: scalar(nl.subtract, engine=EN.scalar)),
]

# (label, generations, call): the neighbours of what an instruction of a generation takes.
REFUSED = [
    ("nc_matmul.c6", V4, lambda: product("float8_e4m3fn", "float8_e4m3")),
    ("nc_matmul.c6", V4, lambda: product("float8_e4m3", "float8_e4m3fn")),
    ("nc_matmul.c6", V4, lambda: double_row("float8_e4m3fn", "float8_e4m3")),
    ("nc_matmul.c5", ALL, lambda: product("bfloat16", "float32")),
    ("nc_matmul.c3", ALL, lambda: product("int8")),
    ("nc_matmul.c12", V4, lambda: product(n=4097)),
    ("nc_matmul.c12", V4, lambda: product(n=8193, to="bfloat16")),
    ("nc_matmul.c19", NEW, lambda: double_row("bfloat16")),
    ("nc_matmul.c21", NEW, lambda: double_row(tile_position=(0, 0), tile_size=(128, 64))),
    ("nc_matmul.c23", ALL, lambda: product(tile_position=(0, 0))),
    ("nc_matmul.c26", ALL, lambda: tiled((32, 0), (64, 128))),
    ("nc_matmul.c26", ALL, lambda: tiled((128, 0), (64, 128))),
    ("nc_matmul.c27", ALL, lambda: tiled((0, 32), (128, 64))),
    ("nc_matmul.c8", ALL, lambda: tiled((0, 0), (64, 128), k=65)),
    ("nc_matmul.c9", ALL, lambda: tiled((0, 0), (128, 64), m=65)),
    ("nc_matmul_mx.c4", V4, lambda: scaled_product(left="bfloat16")),
    ("nc_matmul_mx.c5", V4, lambda: scaled_product(scale="int8")),
    ("nc_matmul_mx.c6", V4, lambda: scaled_product(to="float16")),
    ("nc_matmul_mx.c8", V4, lambda: scaled_product(48)),
    ("nc_matmul_mx.c9", V4, lambda: scaled_product(m=63)),
    ("nc_matmul_mx.c12", V4, lambda: scaled_product(n=4097)),
    ("quantize_mx.c3", V4, lambda: quantized(source="float32")),
    ("quantize_mx.c4", V4, lambda: quantized(to="float4_e2m1fn_x4")),
    ("quantize_mx.c6", V4, lambda: quantized(48)),
    ("activate2.c6", V4, lambda: activated2(op0=nl.add)),
    ("activate2.c7", V4, lambda: activated2(op1=nl.bypass, reverse1=True)),
    ("activate2.c8", V4, lambda: activated2(reduce_op=nl.multiply)),
    ("activate2.c10", V4, lambda: activated2(reduce_op=nl.add, reduce_cmd=RC.load_reduce)),
    ("range_select.c6", NEW, unequal),
    ("range_select.c7", NEW, lambda: selected(reduce_op=nl.add)),
    ("range_select.c8", NEW, lambda: selected(on_false_value=0.0)),
    ("range_select.c12", NEW, lambda: selected(range_start=2**24)),
    ("nonzero_with_count.c3", NEW, lambda: nonzeros("bfloat16")),
    ("nonzero_with_count.c3", NEW, lambda: nonzeros(to="uint32")),
    ("rand2.c3", V4, lambda: uniform("float8_e4m3fn")),
    ("rand2.c5", V4, lambda: uniform(high=0.0)),
    ("rand_set_state.c3", NEW, lambda: random_state(nisa.rand_set_state, 24)),
    ("rand_get_state.c3", V4, lambda: random_state(nisa.rand_get_state, 6, engine=EN.vector)),
    ("engine.psum", NEW, lambda: random_state(nisa.rand_get_state, 6, psum)),
    ("tensor_scalar.c12", ALL, lambda: scalar(nl.add, engine=EN.gpsimd)),
    ("tensor_scalar.c12", ALL, lambda: scalar(nl.rsqrt, 0, engine=EN.vector)),
]


@pytest.mark.parametrize(
    ("generation", "label", "call"), cases([(name, ALL, row, call) for name, *row, call in TABLE])
)
def test_a_generation_has_what_its_pages_name(generation, label, call):
    generations, refusal = label
    if generation in generations:
        accept(generation, call)
    else:
        refuse(generation, call, refusal)


@pytest.mark.parametrize(
    ("generation", "label", "call"),
    cases([(label, generations, label, call) for label, generations, call in REFUSED]),
)
def test_what_it_does_not_name_is_refused(generation, label, call):
    refuse(generation, call, label)


@pytest.mark.parametrize("generation", ALL)
def test_a_kernel_can_ask_for_its_generation(generation):
    with tracing(generation):
        assert nisa.get_nc_version() == nisa.nc_version(generation)
        assert nisa.get_nc_sub_version() == 0


@pytest.mark.parametrize(
    ("partitions", "starts"),
    [
        (1, (0, 32, 64, 96)),
        (32, (0, 32, 64, 96)),
        (33, (0, 64)),
        (64, (0, 64)),
        (65, (0,)),
        (128, (0,)),
    ],
)
def test_a_tile_starts_where_the_hardware_lets_it(partitions, starts):
    """NeuronCore-v2 architecture guide, "start partition"."""
    for start in range(0, 129 - partitions, 16):

        def call(start=start):
            whole = sbuf(128, 8)
            nisa.tensor_copy(whole[start : start + partitions], sbuf(128, 8)[0:partitions])

        if start in starts:
            accept(3, call)
        else:
            refuse(3, call, "tile.partition_start")
