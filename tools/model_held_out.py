"""Counts again the configurations that no record of models/families was written with.

    PYTHONPATH=build/release/python python tools/model_held_out.py [--draw N] [--again] [--sweep]

tests/planner/held_out.json has them: published shapes, written as their config.json is, and the
defaults of types drawn by the hash of their name from all those of transformers that families.json
has not. Parameters, those a token passes and elements of its cache are counted by transformers, on
the meta device; what it cannot run there stays null, and `judged` is put in its place where `why`
says so. `before` is what the reader made of a row when it was first asked. --draw N adds the first
N types that are not there yet; --sweep changes each number of each family and of its parts once and
says where our count of parameters differs. Needs what tools/model_oracle.py needs.
"""

import argparse
import copy
import hashlib
import json
import sys
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch
import transformers
from model_oracle import DERIVED, NEUTRAL, ROOT, classes, default, described, ours
from model_oracle import count as count_parameters
from trainyard import _core
from transformers.models.auto.configuration_auto import CONFIG_MAPPING, CONFIG_MAPPING_NAMES

TABLE = ROOT / "tests/planner/held_out.json"
KNOWN = ROOT / "tests/planner/families.json"
POSITIONS = ("wpe", "embed_positions", "position_embeddings")
OUTSIDE = ("vision", "projector", "visual", "audio", "connector", "aligner", "merger", "resampler")
OUTSIDE += ("qformer", "query_tokens", "language_projection", "image_to_text", "image_embed")

COUNTED = ("parameters", "active", "cached", "cached_beyond", "stored_bits")
LAYERS = (
    "num_hidden_layers",
    "n_layer",
    "num_layers",
    "encoder_layers",
    "decoder_layers",
    "n_layers",
)

Counts = dict[str, float | None]


def build(fields: dict[str, Any]) -> Any:
    """The model that transformers makes of a configuration, without storage."""
    plain = {key: value for key, value in fields.items() if key != "quantization_config"}
    config = CONFIG_MAPPING[fields["model_type"]].from_dict(plain)
    with torch.device("meta"):
        return classes(config)[0].from_config(config).eval()


def text_config(model: Any) -> Any:
    return model.config.get_text_config(decoder=True)


def active(model: Any) -> float | None:
    """Parameters that a token of text passes: no rows of embeddings, only the chosen experts."""
    config = text_config(model)
    if model.get_output_embeddings() is None or model.config.is_encoder_decoder:
        return None
    names = ("num_experts", "num_local_experts", "n_routed_experts", "moe_num_experts")
    experts = next((e for e in (getattr(config, name, None) for name in names) if e), 0)
    chosen = getattr(config, "num_experts_per_tok", None) or getattr(config, "moe_k", 0)
    whole = {id(one): (name, one) for name, one in model.named_parameters()}
    table = model.get_input_embeddings().weight
    if model.get_output_embeddings().weight is not table:
        del whole[id(table)]
    total = 0.0
    for name, one in whole.values():
        if any(word in name for word in (*POSITIONS, *OUTSIDE)):
            continue
        is_routed = ".experts." in name
        total += one.numel() * (chosen / experts if is_routed else 1)
    return total


def cached(model: Any) -> tuple[float | None, float | None]:
    """Elements that one more token adds to the cache: at first, and beyond every window."""
    config = text_config(model)
    if getattr(config, "kv_lora_rank", None):  # transformers keeps keys and values, not the latent
        each = config.kv_lora_rank + config.qk_rope_head_dim
        return (float(each * config.num_hidden_layers),) * 2
    if model.get_output_embeddings() is None:
        return None, None
    window = max(
        getattr(config, name, None) or 0
        for name in ("sliding_window", "attention_chunk_size", "window_size")
    )
    return _growth(model, 8), _growth(model, window + 8) if window else _growth(model, 8)


def _growth(model: Any, tokens: int) -> float | None:
    try:
        sizes = [_cache_elements(model, tokens + more) for more in (0, 4)]
    except Exception:  # an operator that meta tensors have not
        return None
    return (sizes[1] - sizes[0]) / 4


def _cache_elements(model: Any, tokens: int) -> int:
    if hasattr(model, "set_experts_implementation"):
        model.set_experts_implementation("batched_mm")
    ids = torch.zeros(1, tokens, dtype=torch.long, device="meta")
    inputs = {"input_ids": ids}
    if model.config.is_encoder_decoder:
        short = torch.zeros(1, 8, dtype=torch.long, device="meta")
        inputs = {"input_ids": short, "decoder_input_ids": ids}
    with torch.no_grad(), torch.device("meta"):
        cache = model(**inputs, use_cache=True).past_key_values
    cache = getattr(cache, "self_attention_cache", cache)
    return sum(
        one.numel()
        for layer in cache.layers
        for one in (getattr(layer, "keys", None), getattr(layer, "values", None))
        if one is not None
    )


def count(fields: dict[str, Any]) -> Counts:
    """What transformers says of a configuration."""
    model = build(fields)
    first, beyond = cached(model)
    return {
        "parameters": sum(one.numel() for one in model.parameters()),
        "active": active(model),
        "cached": first,
        "cached_beyond": beyond,
    }


def verdict(fields: dict[str, Any], truth: Counts) -> tuple[str, str]:
    """`right`, `refused` or `wrong`, and why."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "config.json"
        path.write_text(json.dumps(fields))
        try:
            found = json.loads(_core.model_document(str(path)))["model"]
        except _core.InputError as refused:
            return "refused", "; ".join(one.place[-60:] for one in refused.violations)
    counted = {
        "parameters": found["parameters"],
        "active": found["active"],
        "cached": found["kv_bytes_per_token"] / 2,
        "cached_beyond": found["kv_bytes_per_token_beyond_windows"] / 2,
        "stored_bits": found["stored_bits"],
    }
    within = {"active": 1e-3, "stored_bits": 1e-6}  # last norms; rounding
    wrong = [
        f"{key}: {known}, ours {counted[key]}"
        for key, known in truth.items()
        if known is not None and abs(counted[key] - known) > within.get(key, 0) * known
    ]
    return ("wrong", "; ".join(wrong)) if wrong else ("right", "")


def drawn(rows: list[dict[str, Any]], many: int) -> list[dict[str, Any]]:
    """Defaults of types that neither table has, by the hash of their name."""
    known = {row["type"] for row in json.loads(KNOWN.read_text())["rows"]}
    there = {row["name"] for row in rows}
    types = sorted(
        (one for one in CONFIG_MAPPING_NAMES if one not in known and one not in there),
        key=lambda one: hashlib.sha256(one.encode()).hexdigest(),
    )
    found: list[dict[str, Any]] = []
    for type_ in types:
        if len(found) == many:
            break
        try:
            fields = json.loads(CONFIG_MAPPING[type_]().to_json_string(use_diff=False))
            fields["model_type"] = type_
            build(fields)
        except Exception as error:  # whatever a class refuses
            print(f"{type_}: not built: {error!r:.100}", file=sys.stderr)
            continue
        found.append({"name": type_, "config": fields})
    return found


def changed(key: str, value: Any) -> int | None:
    """Another value of a key, if it is a number or a width that may be left out."""
    if value is None:
        return {"head_dim": 96, "num_key_value_heads": 8}.get(key)
    if isinstance(value, bool) or not isinstance(value, int) or value <= 0:
        return None
    return value // 2 if value % 2 == 0 else value + 1


def parts(fields: dict[str, Any]) -> Iterator[tuple[dict[str, Any], str]]:
    """Each key of a configuration and of its parts, with what holds it."""
    for key, value in list(fields.items()):
        if isinstance(value, dict) and (key.endswith("config") or key in ("encoder", "decoder")):
            yield from parts(value)
        elif key not in NEUTRAL:
            yield fields, key


def sweep() -> dict[str, int]:
    """Each number of each family and of its parts changed alone, in four layers."""
    outcomes = {"right": 0, "refused": 0, "wrong": 0, "not built": 0}
    for type_ in sorted({row["type"] for row in json.loads(KNOWN.read_text())["rows"]}):
        kind = type(default(type_))
        fields = default(type_).to_dict()
        for holder, key in parts(fields):
            if key in DERIVED:
                holder[key] = None
            elif key in LAYERS and isinstance(holder[key], int):
                holder[key] = min(4, holder[key])
        for holder, key in parts(fields):
            value = holder[key]
            other = None if key in LAYERS else changed(key, value)
            if other is None:
                continue
            holder[key] = other
            try:
                config = kind.from_dict(copy.deepcopy(fields))
                total = count_parameters(config)
            except Exception:  # whatever a class refuses
                outcomes["not built"] += 1
                continue
            finally:
                holder[key] = value
            found = ours(described(config))
            word = "refused" if isinstance(found, str) else "right" if found == total else "wrong"
            outcomes[word] += 1
            if word == "wrong":
                print(f"{type_}: {key} {value} -> {other}: {total}, ours {found}", file=sys.stderr)
    return outcomes


def main() -> int:
    """Writes the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--draw", type=int, default=0, metavar="N")
    parser.add_argument("--again", action="store_true", help="count what is counted, too")
    parser.add_argument("--sweep", action="store_true", help="change each number of each family")
    asked = parser.parse_args()
    warnings.filterwarnings("ignore")
    transformers.logging.set_verbosity_error()
    if asked.sweep:
        print(sweep(), file=sys.stderr)
        return 0
    rows = json.loads(TABLE.read_text())["rows"]
    rows += drawn(rows, asked.draw)
    outcomes: dict[str, int] = {}
    for row in rows:
        try:
            row |= {} if "parameters" in row and not asked.again else count(row["config"])
        except Exception as error:
            print(f"{row['name']}: not built: {error!r:.160}", file=sys.stderr)
            row |= {"parameters": None, "active": None, "cached": None, "cached_beyond": None}
        truth = {key: row[key] for key in COUNTED if key in row} | row.get("judged", {})
        word, why = verdict(row["config"], truth)
        row.setdefault("before", word)
        outcomes[word] = outcomes.get(word, 0) + 1
        if why:
            print(f"{row['name']}: {word}: {why}", file=sys.stderr)
    head = {"transformers": transformers.__version__, "rows": len(rows)}
    lines = ",\n".join(json.dumps(row, separators=(",", ":")) for row in rows)
    TABLE.write_text(f'{{"by": {json.dumps(head)},\n"rows": [\n{lines}\n]}}\n')
    print(f"{TABLE}: {len(rows)} rows, {outcomes}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
