"""Every operator that is written as StableHLO, one record each: its overload, and the function
that writes it. What has no record is computed by PyTorch's own decomposition of it, where there is
one (`decompositions`); anything else is refused by name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

import torch

from trainyard.torch import custom, kernels, lists
from trainyard.torch.decomposed import own
from trainyard.torch.operators import (
    complex_table,
    elementwise,
    grouped,
    images,
    indexing,
    matrices,
    products,
    randoms,
    reductions,
    shapes,
)

Lower = Callable[..., Any]


@dataclass(frozen=True)
class Operator:
    """`name`: "aten.add.Tensor"; `lower`: writes it, see trainyard.torch.operators."""

    name: str
    lower: Lower

    @property
    def overload(self) -> Any:
        """PyTorch's object of the name, or None where this PyTorch has none."""
        space, packet, overload = self.name.split(".")
        found = getattr(getattr(torch.ops, space), packet, None)
        return getattr(found, overload, None)


def _named(names: str, lower: Lower) -> list[Operator]:
    return [Operator(name, lower) for name in names.split()]


def _aten(names: str, lower: Lower) -> list[Operator]:
    return _named(" ".join(f"aten.{name}" for name in names.split()), lower)


_ELEMENTWISE = [
    *_named("aten.add.Tensor aten.add.Scalar prims.add.default", elementwise.binary("add")),
    *_named("aten.sub.Tensor aten.sub.Scalar prims.sub.default", elementwise.binary("subtract")),
    *_aten("rsub.Tensor rsub.Scalar", elementwise.reversed_subtract),
    *_named("aten.mul.Tensor aten.mul.Scalar prims.mul.default", elementwise.binary("multiply")),
    *_named("aten.maximum.default prims.maximum.default", elementwise.binary("maximum")),
    *_named("aten.minimum.default prims.minimum.default", elementwise.binary("minimum")),
    *_named("aten.atan2.default prims.atan2.default", elementwise.binary("atan2")),
    *_aten("div.Tensor div.Scalar div.Tensor_mode div.Scalar_mode", elementwise.divide),
    *_named("prims.div.default", elementwise.binary("divide")),
    *_aten("fmod.Tensor fmod.Scalar", elementwise.fmod),
    *_named("prims.fmod.default", elementwise.fmod),
    *_aten("remainder.Tensor remainder.Scalar remainder.Scalar_Tensor", elementwise.remainder),
    *_named("prims.remainder.default", elementwise.remainder),
    *_aten("pow.Tensor_Tensor pow.Tensor_Scalar pow.Scalar", elementwise.power),
    *_named("prims.pow.default", elementwise.power),
    *_aten("bitwise_and.Tensor bitwise_and.Scalar", elementwise.bitwise("and")),
    *_aten("bitwise_or.Tensor bitwise_or.Scalar", elementwise.bitwise("or")),
    *_aten("bitwise_xor.Tensor bitwise_xor.Scalar", elementwise.bitwise("xor")),
    *_named("prims.bitwise_and.default", elementwise.bitwise("and")),
    *_named("prims.bitwise_or.default", elementwise.bitwise("or")),
    *_named("prims.bitwise_xor.default", elementwise.bitwise("xor")),
    *_aten(
        "bitwise_left_shift.Tensor bitwise_left_shift.Tensor_Scalar __lshift__.Scalar "
        "__lshift__.Tensor",
        elementwise.bitwise("shift_left"),
    ),
    *_named("prims.shift_left.default", elementwise.bitwise("shift_left")),
    *_aten(
        "bitwise_right_shift.Tensor bitwise_right_shift.Tensor_Scalar __rshift__.Scalar "
        "__rshift__.Tensor",
        elementwise.bitwise("shift_right_arithmetic"),
    ),
    *_named("prims.shift_right_arithmetic.default", elementwise.bitwise("shift_right_arithmetic")),
    *_aten("logical_and.default", elementwise.logical("and")),
    *_aten("logical_or.default", elementwise.logical("or")),
    *_aten("logical_xor.default", elementwise.logical("xor")),
    *_aten("logical_not.default", elementwise.logical_not),
    *_named("aten.bitwise_not.default prims.bitwise_not.default", elementwise.bitwise_not),
    *_named("aten.eq.Tensor aten.eq.Scalar prims.eq.default", elementwise.comparison("EQ")),
    *_named("aten.ne.Tensor aten.ne.Scalar prims.ne.default", elementwise.comparison("NE")),
    *_named("aten.lt.Tensor aten.lt.Scalar prims.lt.default", elementwise.comparison("LT")),
    *_named("aten.le.Tensor aten.le.Scalar prims.le.default", elementwise.comparison("LE")),
    *_named("aten.gt.Tensor aten.gt.Scalar prims.gt.default", elementwise.comparison("GT")),
    *_named("aten.ge.Tensor aten.ge.Scalar prims.ge.default", elementwise.comparison("GE")),
    *_named("aten.exp.default prims.exp.default", elementwise.unary("exponential")),
    *_named("aten.expm1.default prims.expm1.default", elementwise.unary("exponential_minus_one")),
    *_named("aten.log.default prims.log.default", elementwise.unary("log")),
    *_named("aten.log1p.default prims.log1p.default", elementwise.unary("log_plus_one")),
    *_named("aten.sin.default prims.sin.default", elementwise.unary("sine")),
    *_named("aten.cos.default prims.cos.default", elementwise.unary("cosine")),
    *_named("aten.tan.default prims.tan.default", elementwise.unary("tan")),
    *_named("aten.tanh.default prims.tanh.default", elementwise.unary("tanh")),
    *_named("aten.sqrt.default prims.sqrt.default", elementwise.unary("sqrt")),
    *_named("aten.rsqrt.default prims.rsqrt.default", elementwise.unary("rsqrt")),
    *_named("prims.cbrt.default", elementwise.unary("cbrt")),
    *_aten("sigmoid.default", elementwise.unary("logistic")),
    *_named("aten.erf.default prims.erf.default", elementwise.unary("chlo.erf")),
    *_named("aten.floor.default prims.floor.default", elementwise.rounding("floor")),
    *_named("aten.ceil.default prims.ceil.default", elementwise.rounding("ceil")),
    *_named("aten.trunc.default prims.trunc.default", elementwise.trunc),
    *_named(
        "aten.round.default aten.round.decimals prims.round.default", elementwise.round_half_even
    ),
    *_named("aten.abs.default prims.abs.default", elementwise.magnitude("abs")),
    *_named("aten.neg.default prims.neg.default", elementwise.magnitude("negate")),
    *_named("aten.sign.default prims.sign.default", elementwise.magnitude("sign")),
    *_named("aten.reciprocal.default prims.reciprocal.default", elementwise.reciprocal),
    *_named("aten.log2.default prims.log2.default", elementwise.logarithm(2)),
    *_named("aten.log10.default prims.log10.default", elementwise.logarithm(10)),
    *_named("aten.exp2.default prims.exp2.default", elementwise.exp2),
    *_named("aten.acos.default prims.acos.default", elementwise.special("chlo.acos")),
    *_named("aten.asin.default prims.asin.default", elementwise.special("chlo.asin")),
    *_named("aten.atan.default prims.atan.default", elementwise.special("chlo.atan")),
    *_named("aten.acosh.default prims.acosh.default", elementwise.special("chlo.acosh")),
    *_named("aten.asinh.default prims.asinh.default", elementwise.special("chlo.asinh")),
    *_named("aten.atanh.default prims.atanh.default", elementwise.special("chlo.atanh")),
    *_named("aten.cosh.default prims.cosh.default", elementwise.special("chlo.cosh")),
    *_named("aten.sinh.default prims.sinh.default", elementwise.special("chlo.sinh")),
    *_named("aten.erfc.default prims.erfc.default", elementwise.special("chlo.erfc")),
    *_named("aten.erfinv.default prims.erf_inv.default", elementwise.special("chlo.erf_inv")),
    *_named("aten.lgamma.default prims.lgamma.default", elementwise.special("chlo.lgamma")),
    *_named("aten.digamma.default prims.digamma.default", elementwise.digamma),
    *_aten("special_i1e.default", elementwise.special("chlo.bessel_i1e")),
    *_aten("copysign.Tensor", elementwise.copysign),
    *_named("aten.fmax.default prims.fmax.default", elementwise.without_nan("maximum")),
    *_named("aten.fmin.default prims.fmin.default", elementwise.without_nan("minimum")),
    *_named("aten.hypot.default prims.hypot.default", elementwise.hypot),
    *_aten("relu.default", elementwise.relu),
    *_aten("gelu.default", elementwise.gelu),
    *_aten("isnan.default", elementwise.isnan),
    *_aten("isinf.default", elementwise.isinf),
    *_aten("clamp.default clamp.Tensor", elementwise.clamp),
    *_named("aten.where.self prims.where.default", elementwise.where),
    *_aten("_to_copy.default", elementwise.to_copy),
    *_named("prims.convert_element_type.default", elementwise.convert),
    *_aten(
        "alias.default clone.default detach.default detach_.default lift_fresh_copy.default "
        "contiguous.default lift_fresh.default",
        elementwise.same,
    ),
    *_named("prims.view_of.default prims.clone.default prims.device_put.default", elementwise.same),
    *_aten("copy.default", elementwise.copy),
    *_aten("full.default full_like.default", elementwise.full),
    *_aten("scalar_tensor.default", elementwise.scalar_tensor),
    *_aten("fill.Scalar fill.Tensor", elementwise.fill),
    *_aten(
        "_efficientzerotensor.default zeros_like.default zeros.default empty.memory_format "
        "empty_strided.default empty_like.default new_zeros.default new_empty.default "
        "new_empty_strided.default zero.default",
        elementwise.filled(0),
    ),
    *_named("prims.empty_strided.default prims.empty_permuted.default", elementwise.filled(0)),
    *_aten("ones_like.default ones.default new_ones.default", elementwise.filled(1)),
    *_aten("new_full.default", elementwise.full),
    *_aten("_assert_async.default _assert_async.msg", elementwise.assert_async),
    *_aten("arange.start_step", elementwise.arange),
    *_named("prims.iota.default", elementwise.prims_iota),
]

_SHAPES = [
    *_aten(
        "view.default _unsafe_view.default reshape.default unsqueeze.default squeeze.default "
        "squeeze.dim squeeze.dims",
        shapes.reshaped,
    ),
    *_named(
        "prims.squeeze.default prims.split_dim.default prims.collapse_view.default "
        "prims.reshape.default",
        shapes.reshaped,
    ),
    *_aten("expand.default", shapes.expand),
    *_named("prims.broadcast_in_dim.default", shapes.broadcast_in_dim),
    *_named("aten.permute.default prims.transpose.default", shapes.permute),
    *_aten("transpose.int", shapes.transpose),
    *_aten("t.default", shapes.t),
    *_aten("slice.Tensor", shapes.slice_),
    *_aten("select.int", shapes.select),
    *_aten("cat.default", shapes.cat),
    *_named("prims.cat.default", shapes.cat),
    *_aten("split_with_sizes.default", shapes.split_with_sizes),
    *_aten("split.Tensor", shapes.split),
    *_aten("unbind.int", shapes.unbind),
    *_named("aten.flip.default prims.rev.default", shapes.flip),
    *_aten("constant_pad_nd.default", shapes.constant_pad),
    *_aten("repeat.default", shapes.repeat),
    *_aten("slice_scatter.default", shapes.slice_scatter),
    *_aten("select_scatter.default", shapes.select_scatter),
    *_aten("diagonal.default", shapes.diagonal),
    *_aten("diagonal_scatter.default", shapes.diagonal_scatter),
    *_named("aten.as_strided.default prims.as_strided.default", shapes.as_strided),
    *_aten("as_strided_scatter.default", shapes.as_strided_scatter),
    *_aten("unfold.default", shapes.unfold),
    *_aten("view.dtype", shapes.view_dtype),
]

_REDUCTIONS = [
    *_aten("sum.dim_IntList sum.default", reductions.sum_),
    *_named("prims.sum.default", reductions.sum_),
    *_aten("prod.default prod.dim_int", reductions.prod),
    *_named("prims.prod.default", reductions.prod),
    *_aten("mean.default mean.dim", reductions.mean),
    *_aten("var.dim var.correction", reductions.var),
    *_named("prims.var.default", reductions.var),
    *_aten("var_mean.correction", reductions.var_mean),
    *_aten("amax.default max.default", reductions.extreme("maximum")),
    *_aten("amin.default min.default", reductions.extreme("minimum")),
    *_named("prims.amax.default", reductions.extreme("maximum")),
    *_named("prims.amin.default", reductions.extreme("minimum")),
    *_aten("any.default any.dim any.dims", reductions.truth("or")),
    *_aten("all.default all.dim all.dims", reductions.truth("and")),
    *_aten("argmax.default", reductions.place_of_extreme("GT")),
    *_aten("argmin.default", reductions.place_of_extreme("LT")),
    *_aten("max.dim", reductions.extreme_with_place("GT")),
    *_aten("min.dim", reductions.extreme_with_place("LT")),
    *_aten("cumsum.default", reductions.scan("add", 0)),
    *_aten("cumprod.default", reductions.scan("multiply", 1)),
    *_aten("sort.default sort.stable", reductions.sort),
    *_aten("topk.default", reductions.topk),
]

_INDEXING = [
    *_aten("embedding.default", indexing.embedding),
    *_aten("index_select.default", indexing.index_select),
    *_aten("index.Tensor _unsafe_index.Tensor", indexing.index),
    *_aten("index_put.default _unsafe_index_put.default", indexing.index_put),
    *_aten("gather.default", indexing.gather),
    *_aten("scatter.value scatter.src scatter.reduce scatter.value_reduce", indexing.scatter),
    *_aten("scatter_add.default", indexing.scatter_add),
    *_aten("scatter_reduce.two", indexing.scatter_reduce),
    *_aten("index_add.default", indexing.index_add),
    *_aten("masked_scatter.default", indexing.masked_scatter),
]

_PRODUCTS = [
    *_aten("mm.default", products.mm),
    *_aten("bmm.default", products.bmm),
    *_aten("addmm.default baddbmm.default", products.addmm),
    *_aten("_grouped_mm.default", grouped.grouped_mm),
    *_aten("linalg_solve_triangular.default", matrices.solve_triangular),
    *_named("prims._make_token.default", elementwise.filled(0)),
    *_named("prims._sink_tokens.default", lambda *_: None),
    *_aten("linalg_cholesky_ex.default", matrices.cholesky),
    *_aten("_linalg_check_errors.default", matrices.check_errors),
    *_aten("convolution.default", products.convolution),
    *_aten("convolution_backward.default", products.convolution_backward),
]

# Whose arguments or results are complex always; of others see complex_table.py.
_COMPLEX = [
    Operator(f"aten.{name}.default", complex_table.OWN[name])
    for name in [
        "complex",
        "polar",
        "view_as_complex",
        "view_as_real",
        "_fft_c2c",
        "_fft_r2c",
        "_fft_c2r",
    ]
]

_IMAGES = [
    *_aten("max_pool2d_with_indices.default max_pool3d_with_indices.default", images.max_pool),
    *_aten(
        "max_pool2d_with_indices_backward.default max_pool3d_with_indices_backward.default",
        images.max_pool_backward,
    ),
    *_aten("avg_pool2d.default avg_pool3d.default", images.avg_pool),
    *_aten("avg_pool2d_backward.default avg_pool3d_backward.default", images.avg_pool_backward),
    *_aten("_adaptive_avg_pool2d.default _adaptive_avg_pool3d.default", images.adaptive_avg_pool),
    *_aten(
        "_adaptive_avg_pool2d_backward.default _adaptive_avg_pool3d_backward.default",
        images.adaptive_avg_pool_backward,
    ),
    *_aten(
        "upsample_nearest1d_backward.default upsample_nearest2d_backward.default "
        "upsample_nearest3d_backward.default",
        images.resize_backward(images.nearest_matrix, False),
    ),
    *_aten(
        "_upsample_nearest_exact1d_backward.default _upsample_nearest_exact2d_backward.default "
        "_upsample_nearest_exact3d_backward.default",
        images.resize_backward(images.nearest_exact_matrix, False),
    ),
    *_aten(
        "upsample_linear1d_backward.default upsample_bilinear2d_backward.default "
        "upsample_trilinear3d_backward.default",
        images.resize_backward(images.linear_matrix, True),
    ),
    *_aten(
        "upsample_bicubic2d_backward.default", images.resize_backward(images.cubic_matrix, True)
    ),
    *_aten("_upsample_bilinear2d_aa.default", images.resize(images.smooth_matrix)),
    *_aten(
        "_upsample_bilinear2d_aa_backward.default",
        images.resize_backward(images.smooth_matrix, True),
    ),
]

_RANDOM = [
    *_aten("rand.default rand_like.default rand.generator", randoms.rand),
    *_aten("randn.default randn_like.default randn.generator", randoms.randn),
    *_aten("uniform.default", randoms.uniform),
    *_aten("normal_functional.default", randoms.normal),
    *_aten("normal.Tensor_float normal.Tensor_Tensor", randoms.normal_tensors),
    *_aten("exponential.default", randoms.exponential),
    *_aten("bernoulli.default bernoulli.p", randoms.bernoulli),
    *_aten("randint.default randint.low randint.generator randint.low_generator", randoms.randint),
    *_aten("randint_like.default randint_like.low_dtype", randoms.randint_like),
    *_aten("random.default random.from random.to", randoms.random_from),
    *_aten("randperm.default", randoms.randperm),
]

# Of packages that are imported when they are, or never.
_OTHERS = [
    *_named("transformers.grouped_mm_fallback.default", grouped.grouped_mm),
    *_named("transformers.grouped_mm_fallback_backward.default", grouped.fallback_backward),
]

OPERATORS: tuple[Operator, ...] = (
    *_ELEMENTWISE,
    *_SHAPES,
    *_REDUCTIONS,
    *_INDEXING,
    *_PRODUCTS,
    *_COMPLEX,
    *_IMAGES,
    *_RANDOM,
    *_named("trainyard.nki_kernel.default", kernels.lower),
)

# Of core ATen, what no program of static shapes on the chip can be: shapes that depend on data,
# numbers that the host reads, and sizes, which are known before.
WITHOUT = {
    "aten._local_scalar_dense.default": "the host reads a value",
    "aten.nonzero.default": "its shape depends on data",
    "aten.resize_.default": "sizes are known before",
    "aten.sym_size.int": "sizes are known before",
    "aten.sym_numel.default": "sizes are known before",
    "aten.sym_stride.int": "sizes are known before",
    "aten.sym_storage_offset.default": "sizes are known before",
}


def operators() -> dict[Any, Operator]:
    """The records by PyTorch's overload."""
    return {**_pytorchs(), **_found(_OTHERS)}


@cache
def _pytorchs() -> dict[Any, Operator]:
    return _found(OPERATORS)


def _found(records: Iterable[Operator]) -> dict[Any, Operator]:
    by_overload = ((record.overload, record) for record in records)
    return {overload: record for overload, record in by_overload if overload is not None}


def decompositions() -> dict[Any, Callable[..., Any]]:
    """What computes operators that have no record, in terms of others."""
    return {**_decompositions(), **custom.bodies(), **kernels.bodies()}


@cache
def _decompositions() -> dict[Any, Callable[..., Any]]:
    from torch._decomp import core_aten_decompositions, decomposition_table

    known = _pytorchs()
    every = {**decomposition_table, **core_aten_decompositions(), **lists.decompositions(), **own()}
    made = {overload: each for overload, each in every.items() if overload not in known}
    for overload in made:
        if complex_table.packet_of(overload) in complex_table.OWN:
            made[overload] = complex_table.unless_complex(made[overload])
    return made
