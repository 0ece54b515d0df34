"""POST /v1/embeddings: texts to vectors, computed between the steps of the language model, on the
same core and the same clock."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

import numpy as np

from trainyard import _core
from trainyard.serving import encoder, protocol
from trainyard.serving.protocol import ApiError, EmbeddingRequest

if TYPE_CHECKING:
    from trainyard.serving.server import State
    from trainyard.serving.worker import Worked


async def answer(state: State, body: EmbeddingRequest) -> dict[str, Any]:
    """A vector of each input. Raises ApiError."""
    name = state.options.encoder
    if body.model and body.model != name:
        text = f"The model `{body.model}` does not exist; embeddings are those of `{name}`"
        raise ApiError(404, text, param="model", code="model_not_found")
    engine = state.encoder()
    if body.dimensions not in (None, engine.encoder.width):
        text = f"vectors have {engine.encoder.width} dimensions, and not {body.dimensions}"
        raise ApiError(400, text, param="dimensions")
    texts = _texts(body, engine.encoder)
    assert state.worker is not None
    size, works = encoder.BATCHES[-1], []
    for first in range(0, len(texts), size):
        batch = texts[first : first + size]
        works.append(state.worker.perform(lambda batch=batch: engine.embed(batch)))
    try:
        done: list[Worked] = [await one for one in works]
    except ConnectionAbortedError as error:
        code = "device_lost" if state.worker.lost else "engine_stopped"
        raise ApiError(503, str(error), "server_error", code=code) from None
    finally:
        for one in works:
            one.cancel()
    vectors = np.concatenate([one.result for one in done])
    read = sum(map(len, texts))
    return {
        "object": "list",
        "model": name,
        "data": [
            {"object": "embedding", "index": i, "embedding": _written(vector, body.encoding_format)}
            for i, vector in enumerate(vectors)
        ],
        "usage": {"prompt_tokens": read, "total_tokens": read},
        "trainyard": _simulated(done),
    }


def _texts(body: EmbeddingRequest, model: encoder.Encoder) -> list[list[int]]:
    given: Any = body.input
    if isinstance(given, str) or (given and isinstance(given[0], int)):
        given = [given]
    if not 1 <= len(given) <= protocol.MANY:
        raise ApiError(400, f"a body has 1 to {protocol.MANY} inputs", param="input")
    texts = []
    for one in given:
        if not one:
            raise ApiError(400, "an input has a token at least", param="input")
        ids = model.encode(one) if isinstance(one, str) else list(one)
        if any(not 0 <= token < model.vocabulary for token in ids):
            raise ApiError(400, f"tokens are 0 to {model.vocabulary - 1}", param="input")
        if len(ids) > model.length_max:
            text = (
                f"This model's maximum context length is {model.length_max} tokens, however you "
                f"requested {len(ids)} tokens"
            )
            raise ApiError(400, text, param="input", code="context_length_exceeded")
        texts.append(ids)
    return texts


def _written(vector: np.ndarray, form: str) -> Any:
    if form == "base64":
        return base64.b64encode(vector.astype("<f4").tobytes()).decode()
    return [float(one) for one in vector]


def _simulated(done: list[Worked]) -> dict[str, Any]:
    """One request of the simulated clock: from when its first part was seen to its last one's
    end."""
    first, last = min(one.came for one in done), max(one.end for one in done)
    times = {
        "arrival_s": first / _core.TICKS_PER_SECOND,
        "e2e_s": (last - first) / _core.TICKS_PER_SECOND,
        "joules": sum(one.joules for one in done),
    }
    return {"clock": "simulated", "requests": [times]}
