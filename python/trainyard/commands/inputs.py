"""The inputs of FILE:KERNEL as they stand on the command line."""

from __future__ import annotations

import inspect
import math
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import trainyard
from trainyard.files import read_array, shown_name

if TYPE_CHECKING:
    import numpy as np

FORMS = (
    "NAME=DTYPE[SHAPE] (random data, as q=bfloat16[128,512]), NAME=FILE.npy, "
    "NAME=DTYPE:FILE.npy or NAME=VALUE"
)
_SHORT = {
    "bf16": "bfloat16",
    "fp16": "float16",
    "f16": "float16",
    "fp32": "float32",
    "f32": "float32",
    "tf32": "tfloat32",
}
_WORDS = {"True": True, "False": False, "None": None}


def parse(texts: list[str], kernel: Callable[..., Any], seed: int) -> dict[str, Any]:
    """The keyword arguments of `kernel`. Raises UsageError when they do not fit it."""
    import numpy as np  # here, so that commands without kernels start without it

    generator = np.random.default_rng(seed)
    inputs: dict[str, Any] = {}
    for text in texts:
        name, sign, value = text.partition("=")
        if not sign or not name.isidentifier():
            raise trainyard.UsageError(f"an input is {FORMS}, not {text!r}")
        if name in inputs:
            raise trainyard.UsageError(f"the input {name} is given twice")
        inputs[name] = _value(text, value, generator)
    _check(inputs, kernel)
    return inputs


def _check(inputs: dict[str, Any], kernel: Callable[..., Any]) -> None:
    signature = inspect.signature(kernel)
    try:
        signature.bind(**inputs)
    except TypeError as error:
        name = getattr(kernel, "__name__", "the kernel")
        raise trainyard.UsageError(f"{name}{signature}: {error}; give inputs as {FORMS}") from None


def _value(text: str, value: str, generator: np.random.Generator) -> Any:
    if value.endswith(".npy"):
        dtype, colon, path = value.rpartition(":")
        return _file(path, dtype if colon else "")
    if value.endswith("]") and "[" in value[1:]:
        dtype, _, shape = value[:-1].partition("[")
        return _random(text, dtype, shape, generator)
    if not value or "[" in value:  # also a shape without a dtype
        raise trainyard.UsageError(f"an input is {FORMS}, not {text!r}")
    return value_of(value)


def value_of(value: str) -> Any:
    """A number, True, False, None, or the text itself."""
    if value in _WORDS:
        return _WORDS[value]
    for kind in (int, float):
        try:
            return kind(value)
        except ValueError:
            continue
    return value


def _storage(dtype: str) -> np.dtype:
    from nki import _dtypes

    try:
        return _dtypes.numpy_dtype(_dtypes.name_of(_SHORT.get(dtype, dtype)))
    except TypeError as error:
        raise trainyard.UsageError(str(error)) from None


def _random(text: str, dtype: str, shape: str, generator: np.random.Generator) -> np.ndarray:
    """Standard normal, or 0 to 99 for integers."""
    try:
        sizes = tuple(int(size) for size in shape.split(","))
    except ValueError:
        sizes = ()
    if not sizes or min(sizes) < 1:
        raise trainyard.UsageError(f"a shape is positive sizes as in [128,512], not {text!r}")
    storage = _storage(dtype)
    if 8 * math.prod(sizes) > _memory_bytes():  # NumPy draws numbers of up to 8 bytes
        raise trainyard.UsageError(f"{text} is too large for the memory of this computer")
    if storage.kind in "iub":
        return generator.integers(0, 100 if storage.kind != "b" else 2, sizes).astype(storage)
    return generator.standard_normal(sizes, dtype="float32").astype(storage)


def _memory_bytes() -> int:
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def _load(path: str) -> np.ndarray:
    if not Path(path).is_file():
        raise trainyard.UsageError(f"there is no file {shown_name(path)}")
    return read_array(path)


def _file(path: str, dtype: str) -> np.ndarray:
    array = _load(path)
    if array.dtype.kind not in "biufV" or array.dtype.names:
        raise trainyard.UsageError(
            f"{path} holds {array.dtype}; a tensor holds real numbers or booleans"
        )
    if dtype:
        storage = _storage(dtype)
        same_bits = array.dtype.kind == "V" and array.dtype.itemsize == storage.itemsize
        return array.view(storage) if same_bits else array.astype(storage)
    if array.dtype.kind == "V":  # how NumPy's format keeps bfloat16 and the like
        raise trainyard.UsageError(f"{path} does not say its dtype; write NAME=bfloat16:{path}")
    return array
