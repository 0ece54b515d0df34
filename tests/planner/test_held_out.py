"""Is a configuration that no record was written with read right, or refused by name?

held_out.json (tools/model_held_out.py) holds published shapes as their config.json states them and
types that have no record, with what transformers counts. Keys that are missing are those of
families.json, left out one at a time: then the family's default counts.
"""

import json
from collections import Counter
from pathlib import Path

import pytest
from trainyard import _core

FOLDER = Path(__file__).parent
ROWS = json.loads((FOLDER / "held_out.json").read_text())["rows"]
WHOLE = [
    row["config"]
    for row in json.loads((FOLDER / "families.json").read_text())["rows"]
    if not row["change"]
]
# Without it, num_hidden_layers counts the layers of a stack and not of all runs.
MEANS_ANOTHER = {("hrm_text", "num_layers_per_stack")}
TOLERANCE = {"active": 1e-3, "stored_bits": 1e-6}  # last norms are left out; rounding


def read(config, folder):
    path = folder / "config.json"
    path.write_text(json.dumps(config))
    found = json.loads(_core.model_document(str(path)))["model"]
    return {
        "parameters": found["parameters"],
        "active": found["active"],
        "cached": found["kv_bytes_per_token"] / 2,
        "cached_beyond": found["kv_bytes_per_token_beyond_windows"] / 2,
        "stored_bits": found["stored_bits"],
    }


def check(row, folder):
    try:
        found = read(row["config"], folder)
    except _core.InputError as refused:
        assert all(one.place and one.fix for one in refused.violations)
        return "refused"
    truth = {key: row[key] for key in found if key in row} | row.get("judged", {})
    for key, known in truth.items():
        if known is not None:
            assert found[key] == pytest.approx(known, rel=TOLERANCE.get(key, 0), abs=0), key
    return "right"


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["name"])
def test_a_configuration_is_right_or_refused(row, tmp_path):
    check(row, tmp_path)


def test_most_families_that_have_a_record_are_answered(tmp_path):
    published = [row for row in ROWS if len(row["config"]) > 1]
    outcomes = Counter(check(row, tmp_path) for row in published)
    assert outcomes["right"] >= 0.85 * len(published)


def test_a_key_that_is_missing_is_the_default_of_its_family(tmp_path):
    wrong, asked = [], 0
    for config in WHOLE:
        try:
            whole = read(config, tmp_path)
        except _core.InputError:
            continue
        for key in config:
            if key == "model_type" or (config["model_type"], key) in MEANS_ANOTHER:
                continue
            asked += 1
            try:
                found = read({k: v for k, v in config.items() if k != key}, tmp_path)
            except _core.InputError:
                continue
            if found != whole:
                wrong.append((config["model_type"], key))
    assert asked > 1000
    assert wrong == []


@pytest.mark.parametrize(
    ("config", "key"),
    [
        # What a record inherits and reads nowhere is not silently passed over.
        ({"model_type": "mistral", "attention_bias": True}, "attention_bias"),
        ({"model_type": "olmo", "mlp_bias": True}, "mlp_bias"),
        ({"model_type": "llava", "vision_feature_layer": [-2, -5]}, "vision_feature_layer"),
        ({"model_type": "mpt", "expansion_ratio": 2}, "expansion_ratio"),
        (
            {"model_type": "llava", "vision_config": {"quantization_config": {"bits": 4}}},
            "vision_config.quantization_config",
        ),
    ],
)
def test_a_key_that_would_change_the_answer_is_refused(config, key, tmp_path):
    with pytest.raises(_core.InputError) as refused:
        read(config, tmp_path)
    assert [one.place.rsplit(": ", 1)[-1] for one in refused.value.violations] == [key]


def test_the_format_stated_last_counts(tmp_path):
    base = {"model_type": "llama"}
    assert (
        read(base | {"dtype": "bfloat16", "torch_dtype": "float32"}, tmp_path)["stored_bits"] == 16
    )
    assert (
        read(base | {"dtype": "float32", "torch_dtype": "bfloat16"}, tmp_path)["stored_bits"] == 32
    )
    awq = {"quant_method": "awq", "w_bit": 4, "q_group_size": 32}
    fine = read(base | {"quantization_config": awq}, tmp_path)["stored_bits"]
    assert (
        fine
        > read(base | {"quantization_config": awq | {"q_group_size": 128}}, tmp_path)["stored_bits"]
    )
    inner = {"quantization_config": {"quant_method": "fp8"}}
    nested = read({"model_type": "llava", "text_config": inner}, tmp_path)
    assert nested["stored_bits"] < 10
