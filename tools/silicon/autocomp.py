"""The optimisation traces of ucb-bar/autocomp on Trn1: every step's source is in its trace file."""

from __future__ import annotations
import __future__

import ast
import importlib
import math
import re
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import ml_dtypes
import numpy as np

from silicon.case import Case, NotReproducibleError
from silicon.rows import Row
from silicon.samples import mamba


def finder(checkout: Path) -> Callable[[Row], Case]:
    """What makes a case of a row, from a checkout."""
    traces: dict[str, list[str]] = {}

    def case_of(row: Row) -> Case:
        path = row.source.split(":")[1].split()[0]
        step = int(re.search(r"step (\d+)", row.workload).group(1))
        if path not in traces:
            traces[path] = steps((checkout / path).read_text())
        name = Path(path).stem
        kind = next((k for k in TENSORS if k in name), None)
        if kind is None:
            raise NotReproducibleError(f"no tensors are known for {name}")
        return Case(_kernel(traces[path][step]), TENSORS[kind](), ladder=f"autocomp {name}")

    return case_of


def steps(text: str) -> list[str]:
    """The code of each candidate of a trace, the first one first."""
    found = []
    node = ast.parse(text.strip(), mode="eval").body
    while isinstance(node, ast.Call):
        fields = {keyword.arg: keyword.value for keyword in node.keywords}
        found.append(ast.literal_eval(fields["code"]))
        node = fields["parent"]
    return found[::-1]


def _kernel(code: str) -> Any:
    """The last function of the code, as its harness finds it."""
    nki = importlib.import_module("neuronxcc.nki")
    space = {
        "np": np,
        "math": math,
        "nki": nki,
        "nl": importlib.import_module("neuronxcc.nki.language"),
        "nisa": importlib.import_module("neuronxcc.nki.isa"),
        "par_dim": importlib.import_module("neuronxcc.nki.language").par_dim,
        # Annotations only.
        "nt": SimpleNamespace(tensor=np.ndarray, mutable_tensor=np.ndarray),
    }
    flags = __future__.annotations.compiler_flag
    exec(compile(code, "<autocomp>", "exec", flags), space)
    names = re.findall(r"^def (\w+)", code, re.MULTILINE)
    return space["test" if "test" in names else names[-1]]


def _gemm() -> dict[str, Any]:
    bf16 = ml_dtypes.bfloat16
    return {"lhsT": np.zeros((8192, 4096), bf16), "rhs": np.zeros((8192, 8192), bf16)}


def _mamba() -> dict[str, Any]:
    return mamba(channels=256, length=2048)


def _sd_attention(length: int = 4096, depth: int = 64) -> dict[str, Any]:
    return {name: np.zeros((length, depth), np.float32) for name in ("q_ref", "k_ref", "v_ref")}


TENSORS = {"gemm": _gemm, "mamba": _mamba, "sd_attention": _sd_attention}
