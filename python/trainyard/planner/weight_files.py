"""Models by the files of their weights: the index of a safetensors checkpoint, one file of it, or a
GGUF file. Only headers are read.

Safetensors names tensors and says nothing of layers: the config.json beside it does, and both must
agree on the number of parameters. A GGUF file has its configuration within. Weights are counted as
they are stored.
"""

from __future__ import annotations

import atexit
import json
import math
import shutil
import struct
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from trainyard import _core
from trainyard.files import read_json, shown_name, write_whole
from trainyard.usage import UsageError

Json = dict[str, Any]
INDEX = ".safetensors.index.json"
QUANTISED = "hf_quant_config.json"
HEADER_MOST = 100_000_000  # bytes, as the format has it
COUNT_MOST = 1_000_000  # tensors or keys of a file
AGREE = 0.02  # of the parameters, by which a configuration may be off: buffers, padding
_BITS = {"F64": 64, "F32": 32, "F16": 16, "BF16": 16, "I64": 64, "I32": 32, "I16": 16, "I8": 8}
_BITS |= {"U64": 64, "U32": 32, "U16": 16, "U8": 8, "BOOL": 8, "F8_E4M3": 8, "F8_E5M2": 8}
_BITS |= {"F8_E8M0": 8, "F4": 4}


def resolve(model: str) -> str:
    """The name or path that the planner takes for `model`: for weights, that of a configuration
    that was made of their headers. Raises UsageError."""
    lower = model.lower()
    if lower.endswith(INDEX) or lower.endswith(".safetensors"):
        return _written(_of_safetensors(Path(model)), Path(model).parent.name or "model")
    if lower.endswith(".gguf"):
        return _written(_of_gguf(Path(model)), Path(model).stem)
    path = Path(model)
    folder = path if path.is_dir() else path.parent if path.name == "config.json" else None
    if folder is not None and (folder / QUANTISED).is_file():
        return _of_quantised(folder) or model
    return model


def _of_quantised(folder: Path) -> str | None:
    """A configuration whose checkpoint another file says to be quantised (ModelOpt's): its bits are
    known where all but the output are FP8. None: config.json itself says how."""
    fields, beside = (read_json(folder / name) for name in ("config.json", QUANTISED))
    if not isinstance(fields, dict) or fields.get("quantization_config"):
        return None
    said = beside.get("quantization") if isinstance(beside, dict) else None
    if not isinstance(said, dict) or not (word := said.get("quant_algo")):
        raise UsageError(f"{shown_name(folder / QUANTISED)} has no quantization.quant_algo")
    left = said.get("exclude_modules") or []
    if word != "FP8" or not set(left) <= {"lm_head"}:
        raise UsageError(
            f"{shown_name(folder / QUANTISED)} says {word} of some layers: name the "
            "model.safetensors.index.json, whose bytes are counted, or config.json in a folder of "
            "its own and --weights"
        )
    made = fields | {"quantization_config": {"quant_method": "fp8"}}
    return _written(made, folder.name or "model")


@dataclass(frozen=True)
class _Stored:
    """What a file holds; `parameters` is None where packed types hide how many there are."""

    bytes: float
    parameters: float | None


def _of_safetensors(path: Path) -> Json:
    file = shown_name(path)
    config = path.parent / "config.json"
    if not config.is_file():
        raise UsageError(f"{file} names tensors, not layers: put the model's config.json beside it")
    read = _of_index if path.name.lower().endswith(INDEX) else _of_header
    stored = read(path, file)
    fields = read_json(config)
    if not isinstance(fields, dict):
        raise UsageError(f"{shown_name(config)} is no configuration: it is not an object")
    plain = {key: one for key, one in fields.items() if key != "quantization_config"}
    counted = _parameters(plain, path.parent.name or "model")
    known = stored.parameters
    if known is not None and abs(known / counted - 1) > AGREE:
        raise UsageError(
            f"{file} holds {known:.4g} parameters, and {shown_name(config)} makes {counted:.4g}"
        )
    bits = 8 * stored.bytes / counted
    if not 1 <= bits <= 40:
        raise UsageError(
            f"{file} holds {stored.bytes:.4g} bytes, and {shown_name(config)} makes {counted:.4g} "
            "parameters: they are of two models"
        )
    return plain | {"quantization_config": {"quant_method": "counted", "bits": bits}}


def _of_index(path: Path, file: str) -> _Stored:
    document = read_json(path)
    metadata = document.get("metadata") if isinstance(document, dict) else None
    size = metadata.get("total_size") if isinstance(metadata, dict) else None
    names = document.get("weight_map") if isinstance(document, dict) else None
    if not isinstance(size, int | float) or not size > 0 or not isinstance(names, dict):
        raise UsageError(f"{file} is no index: it has no metadata.total_size and weight_map")
    shards = [path.parent / str(name) for name in sorted({str(one) for one in names.values()})]
    if not all(shard.is_file() for shard in shards):
        return _Stored(float(size), None)
    found = [_of_header(shard, shown_name(shard)) for shard in shards]
    known = [one.parameters for one in found]
    counted = None if None in known else math.fsum(one or 0 for one in known)
    return _Stored(sum(one.bytes for one in found), counted)


def _of_header(path: Path, file: str) -> _Stored:
    with _opened(path, file) as stream:
        (size,) = struct.unpack("<Q", _exactly(stream, 8, file))
        if size > HEADER_MOST:
            raise UsageError(f"{file} is no safetensors file: a header of {size:,} bytes")
        try:
            header = json.loads(_exactly(stream, size, file))
        except (ValueError, RecursionError) as error:
            raise UsageError(f"{file} is no safetensors file: {error}") from None
    if not isinstance(header, dict):
        raise UsageError(f"{file} is no safetensors file: its header is no object")
    stored, parameters, packed = 0.0, 0.0, False
    for name, tensor in header.items():
        if name == "__metadata__":
            continue
        try:
            bits, elements = _BITS[tensor["dtype"]], math.prod(int(n) for n in tensor["shape"])
        except (KeyError, TypeError, ValueError) as error:
            raise UsageError(f"{file}: {name} has no type and shape: {error}") from None
        stored += bits * elements / 8
        parameters += elements
        packed = packed or bits < 16 or tensor["dtype"].startswith(("I", "U"))
    if not stored:
        raise UsageError(f"{file} holds no tensors")
    return _Stored(stored, None if packed else parameters)


# GGUF: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
_SCALARS = {0: "<B", 1: "<b", 2: "<H", 3: "<h", 4: "<I", 5: "<i", 6: "<f", 7: "<?"}
_SCALARS |= {10: "<Q", 11: "<q", 12: "<d"}
_STRING, _ARRAY = 8, 9
# Bytes of a block of elements by ggml's number of the type: block sizes of ggml-common.h.
_BLOCKS = {0: (1, 4), 1: (1, 2), 2: (32, 18), 3: (32, 20), 6: (32, 22), 7: (32, 24), 8: (32, 34)}
_BLOCKS |= {9: (32, 36), 10: (256, 84), 11: (256, 110), 12: (256, 144), 13: (256, 176)}
_BLOCKS |= {14: (256, 210), 15: (256, 292), 16: (256, 66), 17: (256, 74), 18: (256, 98)}
_BLOCKS |= {19: (256, 50), 20: (32, 18), 21: (256, 110), 22: (256, 82), 23: (256, 136)}
_BLOCKS |= {24: (1, 1), 25: (1, 2), 26: (1, 4), 27: (1, 8), 28: (1, 8), 29: (256, 56)}
_BLOCKS |= {30: (1, 2), 39: (32, 17)}
# GGUF's architectures that are a family of ours, with what their configuration adds.
_FAMILIES: dict[str, Json] = {
    "llama": {"model_type": "llama"},
    "qwen2": {"model_type": "qwen2"},
    "qwen3": {"model_type": "qwen3"},
    "qwen3moe": {"model_type": "qwen3_moe"},
}


def _of_gguf(path: Path) -> Json:
    file = shown_name(path)
    with _opened(path, file) as stream:
        keys, tensors = _GgufReader(stream, file).read()
    architecture = keys.get("general.architecture")
    if architecture not in _FAMILIES:
        known = ", ".join(_FAMILIES)
        raise UsageError(f"{file} is a {architecture!r}; of GGUF files these are read: {known}")
    fields = _config_of_gguf(keys, tensors, str(architecture), file)
    parameters = math.fsum(elements for elements, _ in tensors.values())
    counted = _parameters(fields, path.stem)
    if abs(parameters / counted - 1) > AGREE:
        raise UsageError(
            f"{file} holds {parameters:.4g} parameters, and its keys make {counted:.4g}"
        )
    stored = math.fsum(size for _, size in tensors.values())
    return fields | {
        "quantization_config": {"quant_method": "counted", "bits": 8 * stored / counted}
    }


def _config_of_gguf(keys: Json, tensors: dict[str, Any], architecture: str, file: str) -> Json:
    def at(name: str, otherwise: Any = None) -> Any:
        found = keys.get(f"{architecture}.{name}", otherwise)
        if found is None:
            raise UsageError(f"{file} has no {architecture}.{name}")
        return found

    heads = at("attention.head_count")
    tokens = at("vocab_size", keys.get("tokenizer.ggml.tokens"))
    fields = dict(_FAMILIES[architecture]) | {
        "hidden_size": at("embedding_length"),
        "num_hidden_layers": at("block_count"),
        "num_attention_heads": heads,
        "num_key_value_heads": at("attention.head_count_kv", heads),
        "vocab_size": tokens,
        "max_position_embeddings": at("context_length"),
        "tie_word_embeddings": "output.weight" not in tensors,
    }
    if f"{architecture}.attention.key_length" in keys:
        fields["head_dim"] = at("attention.key_length")
    if architecture == "qwen3moe":
        fields |= {
            "moe_intermediate_size": at("expert_feed_forward_length"),
            "intermediate_size": at("feed_forward_length", at("expert_feed_forward_length")),
        }
    else:
        fields["intermediate_size"] = at("feed_forward_length")
    if (experts := keys.get(f"{architecture}.expert_count", 0)) > 0:
        used = at("expert_used_count")
        if architecture == "llama":
            fields |= {"model_type": "mixtral", "num_local_experts": experts}
        else:
            fields["num_experts"] = experts
        fields["num_experts_per_tok"] = used
    return fields


class _GgufReader:
    """The keys of a file, and of each tensor its elements and bytes."""

    def __init__(self, stream: BinaryIO, file: str) -> None:
        self._stream, self._file = stream, file

    def read(self) -> tuple[Json, dict[str, tuple[float, float]]]:
        if _exactly(self._stream, 4, self._file) != b"GGUF":
            raise UsageError(f"{self._file} is no GGUF file")
        version = self._scalar(4)
        if version not in (2, 3):
            raise UsageError(f"{self._file} is GGUF of version {version}; 2 and 3 are read")
        tensors, keys = self._count(), self._count()
        found: Json = {}
        for _ in range(keys):
            name = self._string()
            found[name] = self._value(self._scalar(4))
        return found, dict(self._tensor() for _ in range(tensors))

    def _tensor(self) -> tuple[str, tuple[float, float]]:
        name = self._string()
        elements = math.prod(self._scalar(10) for _ in range(min(self._scalar(4), 8)))
        kind = self._scalar(4)
        self._scalar(10)  # where it begins
        if kind not in _BLOCKS:
            raise UsageError(f"{self._file}: {name} is of ggml type {kind}, which is not known")
        block, size = _BLOCKS[kind]
        return name, (float(elements), elements / block * size)

    def _value(self, kind: int) -> Any:
        if kind == _STRING:
            return self._string()
        if kind != _ARRAY:
            return self._scalar(kind)
        inner, count = self._scalar(4), self._count(100 * COUNT_MOST)
        if inner == _STRING:
            for _ in range(count):
                self._skip(self._scalar(10))
        elif inner in _SCALARS:
            self._skip(count * struct.calcsize(_SCALARS[inner]))
        else:
            raise UsageError(f"{self._file}: an array of type {inner} is not known")
        return count  # nothing else is asked of an array

    def _scalar(self, kind: int) -> Any:
        if kind not in _SCALARS:
            raise UsageError(f"{self._file}: a value of type {kind} is not known")
        form = _SCALARS[kind]
        return struct.unpack(form, _exactly(self._stream, struct.calcsize(form), self._file))[0]

    def _count(self, most: int = COUNT_MOST) -> int:
        count = int(self._scalar(10))
        if count > most:
            raise UsageError(f"{self._file} says that it holds {count:,} entries")
        return count

    def _string(self) -> str:
        size = self._scalar(10)
        if size > HEADER_MOST:
            raise UsageError(f"{self._file} has a text of {size:,} bytes")
        return _exactly(self._stream, size, self._file).decode("utf-8", "replace")

    def _skip(self, size: int) -> None:
        if size > 100 * HEADER_MOST:
            raise UsageError(f"{self._file} has an entry of {size:,} bytes")
        self._stream.seek(size, 1)


def _opened(path: Path, file: str) -> BinaryIO:
    try:
        return path.open("rb")
    except OSError as error:
        raise UsageError(f"cannot read {file}: {error.strerror}") from None


def _exactly(stream: BinaryIO, size: int, file: str) -> bytes:
    found = stream.read(size)
    if len(found) < size:
        raise UsageError(f"{file} ends within its header")
    return found


def _parameters(fields: Json, name: str) -> float:
    """Of a configuration, by the planner. Raises InputError."""
    described = json.loads(_core.model_document(_written(fields, name)))
    return float(described["model"]["parameters"])


def _make_folder() -> Callable[[], Path]:
    made: list[Path] = []

    def folder() -> Path:
        """One for configurations that were made, gone with the process."""
        if not made:
            made.append(Path(tempfile.mkdtemp(prefix="trainyard-models-")))
            atexit.register(shutil.rmtree, made[0], ignore_errors=True)
        return made[0]

    return folder


_folder = _make_folder()


def _written(fields: Json, name: str) -> str:
    """The path of a configuration with these fields, in a folder by the model's name."""
    folder = Path(tempfile.mkdtemp(dir=_folder())) / name
    folder.mkdir()
    write_whole(folder / "config.json", json.dumps(fields).encode())
    return str(folder / "config.json")
