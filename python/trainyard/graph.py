"""Tensor programs: StableHLO read (artifact or text), printed and evaluated, no MLIR needed."""

from __future__ import annotations

import re
from pathlib import Path

import ml_dtypes
import numpy as np

from trainyard._core import GraphModule, graph_read
from trainyard.files import read_array, read_whole, shown_name
from trainyard.usage import UsageError

__all__ = [
    "GraphModule",
    "dtype_and_shape",
    "dtype_of",
    "element_of",
    "evaluate",
    "random_inputs",
    "read",
    "read_file",
]

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


def read(content: bytes, name: str = "text") -> GraphModule:
    """The program of a StableHLO portable artifact, or of its text as MLIR prints it.

    Artifacts are what jax.export and PJRT hand over, texts what `lowered.as_text()` gives. Raises
    InputError "graph.artifact" with the byte offset, or "graph.text" with line and column (of
    `name`), when the content is no such program.
    """
    return graph_read(content, name)


def read_file(path: str | Path) -> GraphModule:
    """The program in a file, in either form."""
    return read(read_whole(path), shown_name(path))


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


def element_of(dtype: np.dtype) -> str:
    """What StableHLO calls elements of this type: the other way of dtype_of()."""
    found = next((name for name, known in _NUMPY.items() if known == dtype), None)
    if found is not None:
        return found
    if match := re.fullmatch(r"(u?)int(\d+)", dtype.name):
        return f"{match[1]}i{match[2]}"
    if match := re.fullmatch(r"float(\d)_(e\w+)", dtype.name):
        return f"f{match[1]}{match[2].upper()}"
    raise UsageError(f"{dtype.name} is no element type of StableHLO")


def random_inputs(module: GraphModule, seed: int = 0) -> list[np.ndarray]:
    """An array for each argument of `main`: normal numbers, small integers, booleans."""
    (main,) = [function for function in module.functions() if function["name"] == "main"]
    generator = np.random.default_rng(seed)
    arrays = []
    for text in main["inputs"]:
        dtype, shape = dtype_and_shape(text)
        if dtype.kind in "biu":
            arrays.append(generator.integers(0, 2, shape).astype(dtype))
        elif dtype.kind == "c":
            parts = generator.standard_normal((2, *shape))
            arrays.append((parts[0] + 1j * parts[1]).astype(dtype))
        else:
            arrays.append(generator.standard_normal(shape).astype(dtype))
    return arrays


def file_input(path: str, like: np.ndarray) -> np.ndarray:
    """The array of a .npy file, of the type and shape of `like`. Raises UsageError."""
    array = read_array(path)
    if array.dtype.kind == "V" and array.dtype.itemsize == like.dtype.itemsize:
        array = array.view(like.dtype)  # how NumPy's format keeps bfloat16 and the like
    if array.dtype != like.dtype or array.shape != like.shape:
        raise UsageError(
            f"{path} holds {array.dtype}{list(array.shape)}, the argument is "
            f"{like.dtype}{list(like.shape)}"
        )
    return np.ascontiguousarray(array)


def bytes_of(array: np.ndarray) -> np.ndarray:
    """The elements in row-major order as bytes, uint8 [nbytes]: what buffers of the core hold."""
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8)


def dtype_and_shape(text: str) -> tuple[np.dtype, tuple[int, ...]]:
    """NumPy's type and the shape of "tensor<2x3xf32>". Raises UsageError where it has none."""
    match = _TENSOR.fullmatch(text)
    if match is None:
        raise UsageError(f"{text} has no NumPy type")
    return dtype_of(match[2]), tuple(int(extent) for extent in match[1].split("x")[:-1])


def _as_type(array: np.ndarray, text: str) -> np.ndarray:
    dtype, shape = dtype_and_shape(text)
    array = np.asarray(array)
    if array.dtype != dtype or array.shape != shape:
        raise UsageError(f"{text} is wanted, {array.dtype}{list(array.shape)} was passed")
    return np.ascontiguousarray(array)


def _from_bytes(content: bytes, text: str) -> np.ndarray:
    dtype, shape = dtype_and_shape(text)
    return np.frombuffer(content, dtype).reshape(shape)
