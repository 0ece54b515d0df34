"""The files of tests/programs/stablehlo: how inputs are drawn, outputs written, and what XLA gives.

tests/session/program_file.cpp reads them, with the same rules.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

import ml_dtypes
import numpy as np

FOLDER = Path(__file__).parent / "stablehlo"
BINS = 16
LITERAL_MAX = 40  # outputs of more elements are hashed or summed up

DTYPES = {
    "f32": np.float32,
    "f64": np.float64,
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "f8E4M3FN": ml_dtypes.float8_e4m3fn,
    "f8E4M3": ml_dtypes.float8_e4m3,
    "f8E5M2": ml_dtypes.float8_e5m2,
    "f8E3M4": ml_dtypes.float8_e3m4,
    "f8E4M3FNUZ": ml_dtypes.float8_e4m3fnuz,
    "f8E5M2FNUZ": ml_dtypes.float8_e5m2fnuz,
    "f8E4M3B11FNUZ": ml_dtypes.float8_e4m3b11fnuz,
    "f8E8M0FNU": ml_dtypes.float8_e8m0fnu,
    "f4E2M1FN": ml_dtypes.float4_e2m1fn,
    "i1": np.bool_,
    "i4": ml_dtypes.int4,
    "ui4": ml_dtypes.uint4,
    **{f"i{n}": getattr(np, f"int{n}") for n in (8, 16, 32, 64)},
    **{f"ui{n}": getattr(np, f"uint{n}") for n in (8, 16, 32, 64)},
    "complex<f32>": np.complex64,
    "complex<f64>": np.complex128,
}


def mix(x: np.ndarray) -> np.ndarray:
    """SplitMix64's finalizer."""
    with np.errstate(over="ignore"):
        x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


def _is_complex(dtype) -> bool:
    return np.dtype(dtype).kind == "c"


def _is_whole(dtype) -> bool:
    dtype = np.dtype(dtype)
    return dtype.kind in "iub" or dtype.name in ("int4", "uint4")


def _narrow(values: np.ndarray, dtype) -> np.ndarray:
    if _is_complex(dtype):
        return (values[0::2] + 1j * values[1::2]).astype(dtype)
    with np.errstate(invalid="ignore"):
        narrowed = values.astype(dtype)
    same = np.asarray(narrowed, np.float64)
    if not np.array_equal(same, values.astype(np.float64), equal_nan=True):
        raise ValueError(f"{np.dtype(dtype).name} does not hold {values[same != values][:3]}")
    return narrowed


def input_of(line: str, dtype, shape: tuple[int, ...]) -> np.ndarray:
    """What a line `in` stands for."""
    words = line.split()
    count = int(np.prod(shape, dtype=np.int64)) * (2 if _is_complex(dtype) else 1)
    if words and words[0] == "draw":
        seed, choices = np.uint64(words[1]), np.uint64(words[4])
        at = ((seed + np.uint64(1)) << np.uint64(32)) + np.arange(count, dtype=np.uint64)
        drawn = (mix(at) % choices).astype(np.float64)
        values = float(words[2]) + float(words[3]) * drawn
    elif _is_whole(dtype):
        return np.array([int(word) for word in words]).astype(dtype).reshape(shape)
    else:
        values = np.array([float(word) for word in words])
    return _narrow(values, dtype).reshape(shape)


def _numbers(array: np.ndarray) -> np.ndarray:
    if _is_complex(array.dtype):
        array = np.stack([array.real, array.imag], -1)
    return np.asarray(array).astype(np.float64).ravel()


def hash_of(array: np.ndarray) -> int:
    if _is_whole(array.dtype):
        kind = np.int64 if np.dtype(array.dtype).kind != "u" else np.uint64
        words = np.asarray(array).astype(kind).ravel().view(np.uint64)
    else:
        numbers = _numbers(array)
        words = np.where(np.isnan(numbers), np.uint64(0x7FF8000000000000), numbers.view(np.uint64))
    with np.errstate(over="ignore"):
        at = np.uint64(0x9E3779B97F4A7C15) * np.arange(1, len(words) + 1, dtype=np.uint64)
        return int(mix(words + at).sum(dtype=np.uint64))


def sums_of(array: np.ndarray) -> np.ndarray:
    numbers = _numbers(array)
    numbers = np.nan_to_num(numbers, nan=1009, posinf=2003, neginf=-3001)
    random = mix(np.arange(len(numbers), dtype=np.uint64))
    weights = 1 + ((random >> np.uint64(40)) & np.uint64(0xFF)).astype(np.float64) / 256
    places = (random >> np.uint64(60)).astype(np.int64)
    return np.bincount(places, weights * numbers, BINS)


def _word(value: float, dtype) -> str:
    dtype = np.dtype(dtype)
    digits = {"float64": 17, "complex128": 17, "float32": 9, "complex64": 9}.get(dtype.name, 6)
    return f"{value:.{digits}g}"


def line_of(array: np.ndarray, tolerance: float) -> str:
    """The line `out` of an output."""
    if array.size <= LITERAL_MAX:
        if _is_whole(array.dtype):
            return " ".join(str(int(value)) for value in array.ravel())
        return " ".join(_word(value, array.dtype) for value in _numbers(array))
    if tolerance == 0 or _is_whole(array.dtype):
        return f"hash {hash_of(array):016x}"
    return "sums " + " ".join(_word(value, np.float32) for value in sums_of(array))


def _as_written(numbers: np.ndarray, dtype) -> np.ndarray:
    """What a reader of the line has of them: decimals of some digits."""
    return np.array([float(_word(value, dtype)) for value in numbers])


def mean_size(array: np.ndarray) -> float:
    numbers = np.nan_to_num(_numbers(array), nan=1009, posinf=2003, neginf=-3001)
    return float(np.abs(numbers).mean()) if numbers.size else 0


def agrees(array: np.ndarray, line: str, tolerance: float) -> bool:
    """Whether an output, computed again, is what the line says."""
    words = line.split()
    if words and words[0] == "hash":
        return line == line_of(array, tolerance)
    if words and words[0] == "sums":
        found, wanted = (
            _as_written(sums_of(array), np.float32),
            np.array([float(word) for word in words[1:]]),
        )
        return bool(np.allclose(found, wanted, rtol=tolerance, atol=tolerance * abs(found).mean()))
    numbers = _numbers(array)
    found = numbers if _is_whole(array.dtype) else _as_written(numbers, array.dtype)
    wanted = np.array([float(word) for word in words])
    if found.shape != wanted.shape:
        return False
    atol = tolerance * mean_size(array)
    return bool(np.allclose(found, wanted, rtol=max(tolerance, 1e-8), atol=atol, equal_nan=True))


@dataclass
class ProgramFile:
    module: str
    inputs: list[str]
    tolerance: float = 0
    oracle: str = "xla"
    outputs: list[str] = field(default_factory=list)
    keys: dict[str, str] = field(default_factory=dict)  # only, routines, flags, cores, cost

    def text(self) -> str:
        lines = []
        if self.oracle != "xla":
            lines.append(f"oracle: {self.oracle}")
        if self.tolerance:
            lines.append(f"tolerance: {self.tolerance:g}")
        lines += [f"{key}: {value}" for key, value in self.keys.items() if key != "cost"]
        lines += [f"in: {line}" for line in self.inputs]
        lines += [f"out: {line}" for line in self.outputs]
        if "cost" in self.keys:
            lines.append(f"cost: {self.keys['cost']}")
        return "".join(f"// {line}\n" for line in lines) + self.module

    def arguments(self) -> list[np.ndarray]:
        types = argument_types(self.module)
        if len(types) != len(self.inputs):
            raise ValueError(f"{len(self.inputs)} lines `in` for {len(types)} arguments")
        return [input_of(line, *type_) for line, type_ in zip(self.inputs, types, strict=True)]


def read(path: Path) -> ProgramFile:
    text = path.read_text()
    lines = text.splitlines(keepends=True)
    count = next(i for i, line in enumerate(lines) if not line.startswith("// "))
    file = ProgramFile("".join(lines[count:]), [])
    for line in lines[:count]:
        key, _, value = line.removeprefix("// ").rstrip("\n").partition(": ")
        if key == "in":
            file.inputs.append(value)
        elif key == "out":
            file.outputs.append(value)
        elif key == "tolerance":
            file.tolerance = float(value)
        elif key == "oracle":
            file.oracle = value
        else:
            file.keys[key] = value
    return file


def argument_types(module: str) -> list[tuple[type, tuple[int, ...]]]:
    """Of main: NumPy's type and the shape of each argument."""
    head = re.search(r"@main\((.*?)\)\s*->", module, re.DOTALL)
    found = re.findall(r"%\w+: tensor<((?:\d+x)*)([\w<>]+?)>(?=[\s,{)]|$)", head.group(1))
    return [(DTYPES[e], tuple(int(n) for n in shape.split("x") if n)) for shape, e in found]


def run_xla(file: ProgramFile) -> list[np.ndarray]:
    """What XLA's CPU compiler makes of the module, on the inputs of the file."""
    import jax
    from jax._src import xla_bridge
    from jax._src.lib import xla_client

    client = xla_bridge.get_backend("cpu")
    device = client.local_devices()[0]
    options = xla_client.CompileOptions()
    executable = client.compile_and_load(file.module, xla_client.DeviceList((device,)), options)
    with jax.enable_x64(True):  # or else 64 bits become 32
        buffers = [jax.device_put(array, device) for array in file.arguments()]
    results = executable.execute_sharded(buffers)
    return [np.asarray(parts[0]) for parts in results.disassemble_into_single_device_arrays()]


def run_numpy(file: ProgramFile) -> list[np.ndarray]:
    """What a loop over the taps makes of a convolution without strides, dilations and groups, of an
    image [b, f, 0, 1]: with negative padding, XLA's CPU code reads outside the image and gives
    another result in each run."""
    found = re.search(r"pad = \[\[(-?\d+), (-?\d+)\], \[(-?\d+), (-?\d+)\]\]", file.module)
    padding = np.array([int(number) for number in found.groups()]).reshape(2, 2)
    image, kernel = (np.asarray(array, np.float64) for array in file.arguments())
    image = np.pad(image, [(0, 0), (0, 0), *np.maximum(padding, 0)])
    top, bottom, left, right = np.maximum(-padding, 0).ravel()
    image = image[:, :, top : image.shape[2] - bottom, left : image.shape[3] - right]
    height, width = (image.shape[2 + i] - kernel.shape[2 + i] + 1 for i in (0, 1))
    sums = np.zeros((image.shape[0], kernel.shape[0], height, width))
    for y, x in np.ndindex(kernel.shape[2:]):
        taps = image[:, :, y : y + height, x : x + width]
        sums += np.einsum("bfyx,of->boyx", taps, kernel[:, :, y, x])
    return [sums.astype(np.float32)]


ORACLES = {"xla": run_xla, "numpy": run_numpy}


def run(file: ProgramFile) -> list[np.ndarray]:
    """What the oracle of the file makes of it."""
    return ORACLES[file.oracle](file)
