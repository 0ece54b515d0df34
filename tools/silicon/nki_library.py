"""nki-library's recorded pass levels: its own kernels with the shapes that its tests name."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np

from silicon.case import LAUNCH_US, Case, NotReproducibleError
from silicon.rows import Row, parameters

# The launch on two cores that the levels hold: rmsnorm_quant of 160 rows of 16,384 has a level of
# 104.9 us (NKILIB-008), and a profile picture of that kernel (AWS's design-rmsnorm-quant page)
# shows 86.5 us from its first trigger to the end of the wait for its last store. The picture itself
# has 26.9 us before and 1.2 us behind that: launches differ with the release of the runtime.
TWO_CORE_LAUNCH_US = 18.4

# A family of tests that leaves the number of cores to the framework. Its causal attention of one
# batch of 16,384 with d = 128 in float16 has a level of 2,030 us; two batches of it, in bfloat16,
# have 2,110 us in a family that says two cores: one batch a core.
ONE_CORE = "(no_cp_unit)"

DTYPES = {
    "bfloat16": ml_dtypes.bfloat16,
    "float16": np.float16,
    "float32": np.float32,
    "float8_e4m3": ml_dtypes.float8_e4m3,
}


def finder(checkout: Path) -> Callable[[Row], Case]:
    """What makes a case of a row, from a checkout."""
    sys.path.insert(0, str(checkout / "src/nkilib_src"))
    return case_of


def case_of(row: Row) -> Case:
    """The kernel of a row. Imports nkilib, which must be on the path."""
    name = row.workload.split(":")[0].split(" ")[0]
    if found := re.fullmatch(FUSED_MLP, row.workload):
        return _fused_mlp(*map(int, found.groups()))
    if name not in BUILDERS:
        raise NotReproducibleError(f"no builder for {name}")
    values = parameters(row.workload)
    # The one family whose rows say some sizes in words.
    values |= dict(re.findall(r"\b(seq|hidden) (\d+)", row.workload))
    values |= dict(re.findall(r"\b(S|H)=(\d+)", row.workload))
    values |= dict(re.findall(r"\b(lb)(\d\.?\d*)", row.workload))
    cores = re.search("LNC[12]", row.config).group()
    if ONE_CORE in row.workload:
        values["vnc_degree"], cores = "1", "LNC1"
    case = BUILDERS[name](_Parameters(values))
    case.launch_us = TWO_CORE_LAUNCH_US if case.grid > 1 else LAUNCH_US
    case.ladder = f"{name.removesuffix('_kernel')}, {cores}"
    return case


# The MLP of a serving study, one of whose layers it is (ServingStudio).
FUSED_MLP = r"NKI library fused SwiGLU MLP bf16 rows (\d+) H(\d+) I(\d+)"


def _fused_mlp(tokens: int, hidden: int, inner: int) -> Case:
    said = {"batch": 1, "seqlen": tokens, "hidden": hidden, "intermediate": inner, "lnc": 2}
    tiling = {"quant": "NONE", "norm": "NO_NORM", "act": "SiLU", "colgate": True, "coldown": True}
    case = _mlp(_Parameters({name: str(value) for name, value in (said | tiling).items()}))
    case.launch_us = LAUNCH_US
    case.ladder = "fused MLP, LNC2"
    return case


class _Parameters:
    """Typed look-ups; what a row leaves out has the default of the library's tests."""

    def __init__(self, values: dict[str, str]) -> None:
        self._values = values

    def number(self, name: str, default: int | None = None) -> int | None:
        return int(self._values[name]) if name in self._values else default

    def flag(self, name: str) -> bool:
        return self._values.get(name) == "True"

    def text(self, name: str, default: str = "") -> str:
        return self._values.get(name, default)

    def given(self, name: str) -> bool:
        return name in self._values


def _attention(p: _Parameters) -> Case:
    from nkilib.core.attention.attention_cte import attention_cte

    parallel = p.given("cp_degree")
    batch, depth = p.number("bs"), p.number("d")
    batch_kv = p.number("bs_kv", batch)
    queries = p.number("q_seqlen_partial" if parallel else "seqlen_q")
    keys = p.number("kv_seqlen" if parallel else "seqlen_kv")
    prior = p.number("kv_seqlen_prior" if parallel else "prior_len")
    used = p.number("kv_prior_used_len" if parallel else "prior_used_len", 0)
    dtype = DTYPES[p.text("dtype")]
    # A flag that a row leaves out is false: d before the sequence.
    tp_q, tp_k = p.flag("tp_q"), p.flag("tp_k")

    def side(count: int, length: int, rows_first: bool) -> np.ndarray:
        return np.zeros((count, length, depth) if rows_first else (count, depth, length), dtype)

    arguments: dict[str, Any] = {
        "q": side(batch, queries, tp_q),
        "k": side(batch_kv, keys, tp_k),
        "v": side(batch_kv, keys, True),
        "scale": float(p.text("softmax_scale", "1.0")),
        "causal_mask": p.flag("causal_mask") or parallel,
        "tp_q": tp_q,
        "tp_k": tp_k,
        "tp_out": p.flag("tp_out"),
    }
    if prior:
        arguments["k_prior"] = side(batch_kv, prior, tp_k)
        arguments["v_prior"] = side(batch_kv, prior, True)
        arguments["prior_used_len"] = np.full((1,), used, np.int32)
    if p.flag("sink"):
        arguments["sink"] = np.full((batch, 1), 20, np.float32)
    if p.given("sliding_window"):
        arguments["sliding_window"] = p.number("sliding_window")
    if parallel:
        offset = p.number("cp_rank_id", 0) * queries
        arguments["cp_offset"] = np.full((1, 1), offset, np.int32)
        arguments["global_cp_deg"] = p.number("cp_degree")
    return Case(attention_cte, arguments, grid=p.number("vnc_degree", 2))


def _mlp(p: _Parameters) -> Case:
    from nkilib.core.mlp.mlp import mlp
    from nkilib.core.utils.common_types import ActFnType, NormType, QuantizationType

    batch, tokens = p.number("batch"), p.number("seqlen")
    hidden, inner = p.number("hidden"), p.number("intermediate")
    quantization = p.text("quant")
    dtype = DTYPES[p.text("dtype", "bfloat16")]
    # The tests of long inputs quantise to float8_e4m3 without saying so.
    weight = DTYPES[p.text("qdtype", "float8_e4m3")] if quantization != "NONE" else dtype
    norm = p.text("norm")
    gated = not p.flag("skip_gate")
    arguments: dict[str, Any] = {
        "hidden_tensor": np.zeros((batch, tokens, hidden), dtype),
        "gate_proj_weights_tensor": np.zeros((hidden, inner), weight),
        "up_proj_weights_tensor": np.zeros((hidden, inner), weight),
        "down_proj_weights_tensor": np.zeros((inner, hidden), weight),
        "normalization_type": NormType[norm],
        "quantization_type": QuantizationType[quantization],
        "activation_fn": ActFnType[p.text("act")],
        "skip_gate_proj": not gated,
    }
    if norm in ("RMS_NORM", "LAYER_NORM"):
        arguments["normalization_weights_tensor"] = np.zeros((1, hidden), dtype)
    for names, argument, length in (
        (("b1", "gb"), "gate_proj_bias_tensor", inner),
        (("b2", "ub"), "up_proj_bias_tensor", inner),
        (("b3", "db"), "down_proj_bias_tensor", hidden),
        (("b4",), "normalization_bias_tensor", hidden),
    ):
        if any(p.flag(name) for name in names):
            arguments[argument] = np.zeros((1, length), dtype)
    if p.flag("fused_add"):
        arguments["fused_add_tensor"] = np.zeros((batch, tokens, hidden), dtype)
        arguments["store_fused_add_result"] = p.flag("store_add")
    if quantization == "ROW":
        for name, length in (("gate_w", inner), ("up_w", inner), ("down_w", hidden)):
            arguments[f"{name}_scale"] = np.ones((128, length), np.float32)
    if quantization == "STATIC":
        for name in ("gate_w", "up_w", "down_w", "gate_up_in", "down_in"):
            arguments[f"{name}_scale"] = np.ones((128, 1), np.float32)
    if batch * tokens <= 128:
        arguments["use_tkg_gate_up_proj_column_tiling"] = p.flag("colgate")
        arguments["use_tkg_down_proj_column_tiling"] = p.flag("coldown")
        arguments["use_tkg_down_proj_optimized_layout"] = p.flag("tr")
    return Case(mlp, arguments, grid=p.number("lnc"))


def _qkv(p: _Parameters) -> Case:
    from nkilib.core.qkv.qkv_tkg import qkv_tkg
    from nkilib.core.utils.common_types import NormType, QKVOutputLayout, QuantizationType

    batch, tokens = p.number("batch"), p.number("seqlen")
    hidden, outputs = p.number("hidden_dim"), p.number("fused_qkv_dim")
    quantization = p.text("quantization_type")
    dtype = ml_dtypes.bfloat16
    weight = ml_dtypes.float8_e4m3 if quantization != "NONE" else dtype
    arguments: dict[str, Any] = {
        "hidden": np.zeros((batch, tokens, hidden), dtype),
        "qkv_w": np.zeros((hidden, outputs), weight),
        "d_head": p.number("d_head"),
        "output_layout": QKVOutputLayout[p.text("output_layout")],
        "norm_type": NormType[p.text("norm_type")],
        "quantization_type": QuantizationType[quantization],
    }
    if p.text("norm_type") in ("RMS_NORM", "LAYER_NORM"):
        arguments["norm_w"] = np.zeros((1, hidden), dtype)
    if p.text("norm_type") == "LAYER_NORM":
        arguments["norm_bias"] = np.zeros((1, hidden), dtype)
    if p.flag("fused_add"):
        arguments["fused_add"] = True
        for name in ("mlp_prev", "attn_prev"):
            arguments[name] = np.zeros((batch, tokens, hidden), dtype)
    if p.flag("qkv_bias"):
        arguments["qkv_bias"] = np.zeros((1, outputs), dtype)
    if quantization == "STATIC":
        arguments["qkv_w_scale"] = np.ones((128, 3), np.float32)
        arguments["qkv_in_scale"] = np.ones((128, 1), np.float32)
    return Case(qkv_tkg, arguments, grid=p.number("lnc_degree"))


def _rmsnorm_quant(p: _Parameters) -> Case:
    from nkilib.core.rmsnorm.rmsnorm_quant import RmsNormQuantKernelArgs, rmsnorm_quant_kernel
    from nkilib.core.utils.common_types import NormType, QuantizationType

    tokens, hidden = p.number("seq", p.number("S")), p.number("hidden", p.number("H"))
    arguments = RmsNormQuantKernelArgs(
        quantization_type=QuantizationType.ROW,
        lower_bound=float(p.text("lb", "0")),
        norm_type=NormType.NO_NORM if p.flag("quant_only") else NormType.RMS_NORM,
    )
    tensors = {
        "hidden": np.zeros((1, tokens, hidden), ml_dtypes.bfloat16),
        "ln_w": np.zeros((1, hidden), ml_dtypes.bfloat16),
        "kargs": arguments,
    }
    return Case(rmsnorm_quant_kernel, tensors, grid=2)


BUILDERS = {
    "rmsnorm_quant": _rmsnorm_quant,
    "rmsnorm_quant_kernel": _rmsnorm_quant,
    "attention_cte": _attention,
    "mlp_cte": _mlp,
    "mlp_tkg": _mlp,
    "qkv_tkg": _qkv,
}
