"""The kernels of KevGomes1403/nki-moe-megakernel, each version at its row's commit."""

from __future__ import annotations

import functools
import importlib
import inspect
import re
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock

import ml_dtypes
import nki
import nki.isa as nisa
import nki.language as nl
import numpy as np
from suite.source import module_of

from silicon.case import LAUNCH_US, Case, NotReproducibleError
from silicon.rows import Row

BF16 = ml_dtypes.bfloat16

# What a row's workload contains, its ladder, and the sizes that its text gives.
LADDERS = {
    "fused RMSNorm+router+top8+expert MLP decode": ("MoE decode, fp8", {"weights": np.int8}),
    "fused MoE decode kernel fp8": ("MoE decode, fp8", {"weights": np.int8}),
    "fused MoE decode kernel bf16": ("MoE decode, bf16", {}),
    "MoE decode T=1 H2048 I256": ("MoE decode, early", {"inner": 256}),
    "fused QKV+RMSNorm+RoPE": ("attention decode", {}),
    "fused decode attention bf16 S_prior": ("attention decode", {}),
    "fused decode attention (early shapes": ("attention decode, early", {"kv_heads": 4}),
    "fused prefill attention S=640": ("attention prefill", {"kv_heads": 4, "prefilled": 640}),
}
TIMES = ("device_time", "total_time")


def finder(repository: Path) -> Callable[[Row], Case]:
    """What makes a case of a row, from the history of the repository (bare or with a work tree)."""
    files = _Files(repository)

    def case_of(row: Row) -> Case:
        found = next((value for text, value in LADDERS.items() if text in row.workload), None)
        if found is None or row.metric not in TIMES:
            raise NotReproducibleError("no builder for this row of nki-moe-megakernel")
        ladder, sizes = found
        version = version_of(row.workload)
        module, text = files.module(row.source, version)
        kernel = _entry(module)
        grid = 2 if "program_id" in text else 1
        if "prefilled" in sizes:  # later versions take the weights the other way around
            sizes = {**sizes, "transposed": "pre-transposed (Plan B)" in text}
        arguments = _arguments(kernel, sizes)
        return Case(kernel, arguments, grid=grid, launch_us=LAUNCH_US, ladder=ladder)

    return case_of


def version_of(workload: str) -> str:
    """The version that a row names: the last one, which may have commas behind it."""
    found = re.findall(r"\b(?:kernel_)?v\d+\w*", workload)
    if not found:
        raise NotReproducibleError("the row names no version")
    return found[-1]


class _Files:
    """Modules of the repository's history, written to a directory of their own."""

    def __init__(self, repository: Path) -> None:
        self._repository = repository
        self._directory = tempfile.TemporaryDirectory(prefix="silicon")
        self._listed: dict[str, list[str]] = {}
        self._git("rev-parse", "--git-dir")

    def module(self, source: str, version: str) -> tuple[Any, str]:
        """The file of a version, and its text, at the first commit of the source that has it.

        Of several files the one in a directory that the source names. Commits that it names for
        kernels come before those of its logs, at which some have been changed: v6 of attention read
        9.72 MB when it was measured, as at its own commit, and 9.77 MB at that of the log.
        """
        folders = re.findall(r"kernels/\w+", source)
        of_kernels = re.findall(r"\.py@([0-9a-f]{7,40})", source)
        for commit in [*of_kernels, *re.findall(r"@([0-9a-f]{7,40})", source)]:
            for path in self._paths(commit):
                stem = Path(path).stem
                if any(path.startswith(folder) for folder in folders) and (
                    stem == version or stem.startswith(version + "_")
                ):
                    return self._load(commit, path)
        raise NotReproducibleError(f"{version}.py is at none of the commits that the row names")

    def _git(self, *command: str) -> str:
        done = subprocess.run(
            ["git", "-C", self._repository, *command], check=False, capture_output=True, text=True
        )
        if done.returncode != 0:
            raise NotReproducibleError(f"git: {done.stderr.strip()}")
        return done.stdout

    def _paths(self, commit: str) -> list[str]:
        if commit not in self._listed:
            names = self._git("ls-tree", "-r", "--name-only", commit, "kernels").splitlines()
            self._listed[commit] = [name for name in names if name.endswith(".py")]
        return self._listed[commit]

    def _load(self, commit: str, path: str) -> tuple[Any, str]:
        file = Path(self._directory.name) / f"{Path(path).stem}_{commit}.py"
        text = shared_results(self._git("show", f"{commit}:{path}"))
        file.write_text(text)
        with mock.patch.object(nki, "jit", _jit):
            return module_of(file), text


def shared_results(text: str) -> str:
    """The source with results in shared HBM, as AWS's migration guide to NKI 0.3 asks."""
    for name in re.findall(r"^\s*return (\w+)$", text, flags=re.MULTILINE):
        made = rf"^(\s*{name} = nl\.ndarray\(.*buffer=nl\.)hbm\)$"
        text = re.sub(made, r"\1shared_hbm)", text, flags=re.MULTILINE)
    return text


_kept_jit = nki.jit


def _jit(function: Any = None, platform_target: str | None = None, **options: Any) -> Any:
    """nki.jit as it was before NKI 0.3, for which the first versions were written.

    The machine is the row's, not `platform_target`.
    """
    if function is None:
        return lambda kernel: _jit(kernel, **options)
    return _kept_jit(function, **options)


ENTRY = r"qwen3_(moe|attn)_(fused_tkg|tkg_fused|cte_fused)|nki_moe_v"


def _with_manager(function: Any) -> Any:
    """The kernel that the harness makes of a function for other kernels.

    It gives the function all of SBUF, and stores what that leaves there.
    """

    @functools.wraps(function)
    def kernel(*tensors: Any) -> Any:
        allocator = importlib.import_module("nkilib.core.utils.allocator")
        everything = nl.tile_size.total_available_sbuf_size
        manager = allocator.SbufManager(0, everything, use_auto_alloc=True)
        manager.open_scope("harness")
        result, *others = function(*tensors, sbm=manager)
        stored = nl.ndarray(result.shape, dtype=result.dtype, buffer=nl.shared_hbm)
        nisa.dma_copy(dst=stored, src=result, dge_mode=nisa.dge_mode.hwdge)
        manager.close_scope()
        manager.close_scope()  # the one that the function leaves open
        return stored, *others

    signature = inspect.signature(function)
    given = [p for p in signature.parameters.values() if p.default is p.empty]
    kernel.__signature__ = signature.replace(parameters=given)
    return kernel


def _entry(module: Any) -> Any:
    """The kernel of a module: the one whose name says that it is the whole."""
    for name, value in vars(module).items():
        if re.match(ENTRY, name) and callable(value):
            takes_manager = "sbm" in inspect.signature(getattr(value, "function", value)).parameters
            return _with_manager(value) if takes_manager else value
    raise NotReproducibleError("the file has no kernel of a known name")


def _arguments(kernel: Any, sizes: dict[str, Any]) -> dict[str, Any]:
    """Tensors for the parameters of a kernel, by their names, which the versions share."""
    known = _tensors(**sizes)
    parameters = inspect.signature(getattr(kernel, "function", kernel)).parameters.values()
    missing = [p.name for p in parameters if p.default is p.empty and p.name not in known]
    if missing:
        raise NotReproducibleError(f"no tensor is known for the parameter {missing[0]}")
    return {p.name: known[p.name] for p in parameters if p.name in known}


def _tensors(
    weights: Any = BF16,
    inner: int = 192,
    kv_heads: int = 1,
    prior: int = 640,
    prefilled: int = 0,
    transposed: bool = False,
) -> dict[str, Any]:
    """Qwen3-30B-A3B on one of four cores, one token, or `prefilled` ones: what versions take."""
    hidden, experts, chosen, heads, depth = 2048, 128, 8, 8, 128
    tokens = prefilled or 1
    packed = inner * 2  # gate and up

    def projection(count: int) -> tuple[int, int]:
        return (hidden, count * depth) if transposed else (count * depth, hidden)

    norm = (depth, 1) if transposed else (depth,)
    float_shapes = {
        "inp": (1, 1, hidden),
        "gamma": (1, hidden),
        "router_w": (hidden, experts),
        "Wq": projection(heads),
        "Wk": projection(kv_heads),
        "Wv": projection(kv_heads),
        "Wo": (heads * depth, hidden),
        "q_norm_weight": norm,
        "k_norm_weight": norm,
        "K_cache": (1, kv_heads, prior, depth),
        "V_cache": (1, kv_heads, prior, depth),
        "cos": (tokens, depth),
        "sin": (tokens, depth),
        "gate_up_weights": (experts, hidden, packed),
        "down_weights": (experts, inner, hidden),
    }
    weight_shapes = {
        "gate_up_w": (experts, hidden, packed),
        "gate_up_packed_w": (experts, hidden // 128 + 1, 128, packed),
        "down_w": (experts, inner, hidden),
    }
    return {
        **{name: np.zeros(shape, BF16) for name, shape in float_shapes.items()},
        **{name: np.zeros(shape, weights) for name, shape in weight_shapes.items()},
        "hidden_states": np.zeros((1, hidden) if inner == 256 else (1, tokens, hidden), BF16),
        "gate_up_scales": np.zeros((experts, packed), np.float32),
        "down_scales": np.zeros((experts, hidden), np.float32),
        "position_ids": np.full((1, 1), prior // 2, np.int32),
        "expert_indices": np.arange(chosen, dtype=np.int32).reshape(1, chosen),
        "routing_weights_k": np.zeros((1, chosen), np.float32),
    }
