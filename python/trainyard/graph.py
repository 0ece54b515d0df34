"""Tensor programs: StableHLO artifacts read, printed and evaluated by the core, no MLIR needed."""

from __future__ import annotations

import re
from pathlib import Path

import ml_dtypes
import numpy as np

from trainyard._core import GraphModule, graph_read
from trainyard.files import read_whole
from trainyard.usage import UsageError

__all__ = ["GraphModule", "dtype_of", "evaluate", "read", "read_file"]

# NumPy's type of each element type by its name in StableHLO, where the two differ.
_NUMPY = {
    "i1": np.dtype(np.bool_),
    "f16": np.dtype(np.float16),
    "f32": np.dtype(np.float32),
    "f64": np.dtype(np.float64),
    "bf16": np.dtype(ml_dtypes.bfloat16),
    "complex<f32>": np.dtype(np.complex64),
    "complex<f64>": np.dtype(np.complex128),
}
_TENSOR = re.compile(r"tensor<((?:\d+x)*)(.+)>")


def read(artifact: bytes) -> GraphModule:
    """The program of a StableHLO portable artifact, as jax.export and PJRT hand it over.

    Raises InputError "graph.artifact" with the byte offset when the bytes are no such program.
    """
    return graph_read(artifact)


def read_file(path: str | Path) -> GraphModule:
    """The program in a file."""
    return read(read_whole(path))


def evaluate(module: GraphModule, *inputs: np.ndarray) -> list[np.ndarray]:
    """The results of `main`, computed on the host by the golden evaluator.

    Inputs are arrays of the types that main takes. Raises InputError "graph.<operation>" for what
    cannot be evaluated.
    """
    (main,) = [function for function in module.functions() if function["name"] == "main"]
    if len(inputs) != len(main["inputs"]):
        raise UsageError(f"main takes {len(main['inputs'])} inputs, not {len(inputs)}")
    arrays = [_as_type(array, text) for array, text in zip(inputs, main["inputs"], strict=True)]
    outputs = module.evaluate([array.tobytes() for array in arrays])
    return [
        _from_bytes(output, text) for output, text in zip(outputs, main["outputs"], strict=True)
    ]


def dtype_of(name: str) -> np.dtype:
    """NumPy's type of the elements that StableHLO calls so: "bf16", "ui8", "f8E4M3FN"."""
    if name in _NUMPY:
        return _NUMPY[name]
    if re.fullmatch(r"u?i\d+", name):
        name = ("uint" if name.startswith("u") else "int") + name.lstrip("ui")
        return np.dtype(getattr(ml_dtypes, name, name))
    parts = re.fullmatch(r"f(\d)(E\w+)", name)
    known = parts and getattr(ml_dtypes, f"float{parts[1]}_{parts[2].lower()}", None)
    if not known:
        raise UsageError(f"{name} has no NumPy type")
    return np.dtype(known)


def _dtype_and_shape(text: str) -> tuple[np.dtype, tuple[int, ...]]:
    match = _TENSOR.fullmatch(text)
    if match is None:
        raise UsageError(f"{text} has no NumPy type")
    return dtype_of(match[2]), tuple(int(extent) for extent in match[1].split("x")[:-1])


def _as_type(array: np.ndarray, text: str) -> np.ndarray:
    dtype, shape = _dtype_and_shape(text)
    array = np.asarray(array)
    if array.dtype != dtype or array.shape != shape:
        raise UsageError(f"{text} is wanted, {array.dtype}{list(array.shape)} was passed")
    return np.ascontiguousarray(array)


def _from_bytes(content: bytes, text: str) -> np.ndarray:
    dtype, shape = _dtype_and_shape(text)
    return np.frombuffer(content, dtype).reshape(shape)
