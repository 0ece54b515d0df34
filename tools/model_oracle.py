"""Writes tests/planner/families.json: configurations and their parameters, counted by transformers.

    PYTHONPATH=build/release/python python tools/model_oracle.py TYPE...

Needs transformers and torch (no GPU: models are made on the meta device), which the tests do not.
For each type: the default configuration of its class, then the same with other layers, with each
flag turned, and with the other answer to whether the output matrix is the embedding, as far as
transformers can build them. Says where our count differs. Rows of other types stay as they are.
"""

import json
import sys
import tempfile
import tomllib
import warnings
from pathlib import Path
from typing import Any

import torch
import transformers
from trainyard import _core

ROOT = Path(__file__).resolve().parents[1]
TABLE = ROOT / "tests/planner/families.json"
RECORDS = ROOT / "models/families"
NEUTRAL = set(tomllib.loads((RECORDS / "_neutral.toml").read_text())["keys"])
ROPE = {"rope_type": "default", "rope_theta": 10000.0}
QWEN4 = {
    "output_gate_type": "silu",
    "indexer_n_heads": 8,
    "indexer_kv_heads": 1,
    "indexer_head_dim": 256,
    "indexer_budget": 2048,
    "indexer_compress_ratio": 4,
}
IMAGE_WORDS = {"<image>": 8711, "<|extra_200|>": 8712, "IMGIMGA": 4}
# What a class needs and its default has not.
STATED: dict[str, dict[str, Any]] = {
    "cohere_compass_text": {"rope_parameters": {"full_attention": ROPE, "sliding_attention": ROPE}},
    "esm": {"vocab_size": 33, "pad_token_id": 1, "mask_token_id": 32},
    "gemma4_assistant": {
        "text_config": {"hidden_size_per_layer_input": 0, "vocab_size_per_layer_input": 0}
    },
    "qwen4_exp_text": QWEN4,
    "qwen4_exp": {"text_config": QWEN4},
    "hunyuan_vl": {"text_config": {"head_dim": 128}},
    "deepseek_ocr2": {
        "text_config": {"num_experts_per_tok": 6, "mlp_layer_types": ["dense"] + ["sparse"] * 31}
    },
    "granite4_vision": {"deepstack_layer_map": [[3, 0], [6, 4]], "downsample_rate": "4/7"},
    "chameleon": {"vocabulary_map": IMAGE_WORDS},
    "emu3": {"vocabulary_map": IMAGE_WORDS},
    "diffusion_gemma": {
        "text_config": {"num_experts": 8, "top_k_experts": 2, "moe_intermediate_size": 704}
    },
}
DERIVED = ("layer_types", "mlp_layer_types", "attention_layers", "moe_layers", "no_rope_layers")


def classes(config: Any) -> list[Any]:
    """The classes that may build a model, the one with a head first where a checkpoint has one."""
    auto = transformers
    if not config.is_encoder_decoder and _is_encoder(config.model_type):
        return [auto.AutoModel]
    whole = [auto.AutoModelForSpeechSeq2Seq, auto.AutoModelForSeq2SeqLM]
    text = [auto.AutoModelForCausalLM]
    image = [auto.AutoModelForImageTextToText]
    has_parts = hasattr(config, "text_config")
    order = [*whole, *image, *text] if config.is_encoder_decoder or has_parts else [*text, *image]
    return [*(one for one in order if type(config) in one._model_mapping), auto.AutoModel]


def _is_encoder(type_: str) -> bool:
    record = RECORDS / f"{type_.replace('-', '_')}.toml"
    seen = ""
    while record.is_file():
        fields = tomllib.loads(record.read_text())
        seen = fields.get("shape", {}).get("family", seen)
        record = RECORDS / f"{fields.get('like', '')}.toml"
    return "encoder" in seen


def count(config: Any) -> int:
    """Parameters of the model that transformers builds."""
    with torch.device("meta"):
        model = classes(config)[0].from_config(config)
    return sum(one.numel() for one in model.parameters())


def described(config: Any) -> dict[str, Any]:
    """The configuration without what changes nothing."""
    return _without(json.loads(config.to_json_string(use_diff=False)))


def _without(fields: dict[str, Any]) -> dict[str, Any]:
    return {
        key: _without(value) if isinstance(value, dict) and key.endswith("config") else value
        for key, value in fields.items()
        if key in ("model_type", "tie_word_embeddings") or key not in NEUTRAL
    }


def ours(fields: dict[str, Any]) -> float | str:
    """Our count of a configuration, or why there is none."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "config.json"
        path.write_text(json.dumps(fields))
        try:
            return float(json.loads(_core.model_document(str(path)))["model"]["parameters"])
        except _core.InputError as refused:
            return str(refused.violations[0].label) + ": " + refused.violations[0].place[-60:]


def default(type_: str, **change: Any) -> Any:
    """The default configuration of a type, with what it needs besides, changed."""
    return transformers.AutoConfig.for_model(type_, **(STATED.get(type_, {}) | change))


def variants(type_: str) -> list[dict[str, Any]]:
    """Changes of a default configuration."""
    config = default(type_)
    fields = config.to_dict()
    found: list[dict[str, Any]] = [
        {},
        {"tie_word_embeddings": not fields.get("tie_word_embeddings")},
    ]
    for name in ("num_hidden_layers", "n_layer", "num_layers", "encoder_layers", "n_layers"):
        if isinstance(fields.get(name), int):
            found.append({name: 8} | {key: None for key in DERIVED if key in fields})
            break
    skipped = {"tie_word_embeddings", *NEUTRAL}
    found += [{k: not v} for k, v in fields.items() if isinstance(v, bool) and k not in skipped]
    return found


def rows_of(type_: str) -> list[dict[str, Any]]:
    """The rows of a type, as far as transformers builds them."""
    rows = []
    for change in variants(type_):
        try:
            config = default(type_, **change)
            total = count(config)
        except Exception as error:  # whatever a class refuses
            print(f"{type_} {change}: not built: {error!r:.100}", file=sys.stderr)
            continue
        row = {"type": type_, "change": change, "config": described(config), "parameters": total}
        found = ours(row["config"])
        if found != total:
            print(f"{type_} {change}: {total} counted, ours {found}", file=sys.stderr)
        rows.append(row)
    for row in rows[1:]:
        whole = rows[0]["config"]
        missing = {key: None for key in whole if key not in row["config"]}
        changed = {k: v for k, v in row["config"].items() if k not in whole or whole[k] != v}
        row["config"] = missing | changed
    return rows


def main() -> int:
    """Writes the table."""
    warnings.filterwarnings("ignore")
    transformers.logging.set_verbosity_error()
    rows = [row for row in json.loads(TABLE.read_text())["rows"] if row["type"] not in sys.argv[1:]]
    rows += [row for type_ in sys.argv[1:] for row in rows_of(type_)]
    head = {"transformers": transformers.__version__, "rows": len(rows)}
    lines = ",\n".join(json.dumps(row, separators=(",", ":")) for row in rows)
    TABLE.write_text(f'{{"by": {json.dumps(head)},\n"rows": [\n{lines}\n]}}\n')
    print(f"{TABLE}: {len(rows)} rows", file=sys.stderr)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
