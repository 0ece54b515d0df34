"""Is each model_type read as transformers builds it, or refused by name?

families.json (tools/model_oracle.py) holds default configurations, with flags turned and other
numbers of layers, and the parameters of the models that transformers makes of them.
"""

import json
from collections import Counter
from pathlib import Path

import pytest
from trainyard import _core

TABLE = json.loads(Path(__file__).with_name("families.json").read_text())
FIRST = {row["type"]: row["config"] for row in reversed(TABLE["rows"])}
# Of a type the first row is whole, the others say what differs.
ROWS = [row | {"config": FIRST[row["type"]] | row["config"]} for row in TABLE["rows"]]
CLEAR = {"model.unsupported", "model.unknown_key", "model.range"}


def read(config, folder):
    path = folder / "config.json"
    path.write_text(json.dumps(config))
    return json.loads(_core.model_document(str(path)))["model"]


@pytest.mark.parametrize("type_", sorted({row["type"] for row in ROWS}))
def test_parameters_are_those_of_transformers(type_, tmp_path):
    outcomes = Counter()
    for row in (row for row in ROWS if row["type"] == type_):
        try:
            found = read(row["config"], tmp_path)
        except _core.InputError as refused:
            assert {one.label for one in refused.violations} <= CLEAR
            assert all(one.fix for one in refused.violations)
            outcomes["refused"] += 1
            continue
        assert found["parameters"] == row["parameters"], row["change"]
        outcomes["right"] += 1
    # A class whose own default has a key that it needs and leaves empty is refused.
    assert outcomes["right"] or type_ == "deepseek_v2"


def test_few_rows_are_refused(tmp_path):
    refused = 0
    for row in ROWS:
        try:
            read(row["config"], tmp_path)
        except _core.InputError:
            refused += 1
    assert len(ROWS) >= 150
    assert refused <= 0.05 * len(ROWS)


@pytest.mark.parametrize(
    ("type_", "key"), [("llama", "num_experts"), ("gpt2", "sliding_window"), ("bert", "moe_k")]
)
def test_a_key_of_another_family_is_refused_by_its_name(type_, key, tmp_path):
    with pytest.raises(_core.InputError) as refused:
        read({"model_type": type_, key: 4}, tmp_path)
    (one,) = refused.value.violations
    assert (one.label, one.place.endswith(key)) == ("model.unknown_key", True)


def test_a_tower_counts_and_is_not_passed_by_text(tmp_path):
    text = {"hidden_size": 640, "num_hidden_layers": 6, "num_attention_heads": 4, "head_dim": 160}
    alone = read({"model_type": "gemma3_text"} | text, tmp_path)
    both = read({"model_type": "gemma3", "text_config": text}, tmp_path)
    assert both["parameters"] > alone["parameters"] + 90e6
    assert both["active"] == alone["active"]


def test_an_encoder_before_a_decoder_reads_the_prompt(tmp_path):
    path = tmp_path / "config.json"
    path.write_text(json.dumps({"model_type": "t5", "num_layers": 24, "num_decoder_layers": 2}))
    options = {"tp": 1, "pp": 1, "dp": 1, "batch": 1, "intervals": False, "weights": "bf16"}
    from trainyard.planner import calls

    phases = calls.document_of(str(path), "h100", "serving", options)["phases"]
    encoder = 24 * (4 * 512 * 512 + 2 * 512 * 2048)  # products of a token
    decoder = 2 * (8 * 512 * 512 + 2 * 512 * 2048) + 512 * 32128
    assert phases["prefill"]["flops"] > 2 * 1024 * encoder
    assert phases["decode"]["flops"] < 1.2 * 2 * decoder


def test_weights_that_layers_pass_again_count_once(tmp_path):
    small = {"model_type": "hrm_text", "num_hidden_layers": 4, "hidden_size": 512}
    twice, four = (read(small | {"H_cycles": cycles}, tmp_path) for cycles in (2, 4))
    assert (four["layers"], four["parameters"]) == (2 * twice["layers"], twice["parameters"])
    assert four["kv_bytes_per_token"] == 2 * twice["kv_bytes_per_token"]
    output = 151808 * 512
    assert four["active"] - output == 2 * (twice["active"] - output)
    one, all_ = (
        read({"model_type": "albert", "num_hidden_groups": groups}, tmp_path) for groups in (1, 12)
    )
    assert one["active"] == all_["active"]
    assert all_["parameters"] > 10 * one["parameters"]


def weights_of(config, options, folder):
    path = folder / "config.json"
    path.write_text(json.dumps(config))
    from trainyard.planner import calls

    whole = {"tp": 1, "dp": 1, "batch": 1, "intervals": False, "weights": "bf16"} | options
    memory = calls.document_of(str(path), "h100", "serving", whole)["memory"]
    (weights,) = (part["bytes"] for part in memory["parts"] if part["name"] == "weights")
    return weights


def test_each_stage_holds_the_weights_that_its_layers_pass_again(tmp_path):
    config = {"model_type": "hrm_text", "num_hidden_layers": 8, "vocab_size": 256}
    total = read(config, tmp_path)["parameters"]
    assert weights_of(config, {"pp": 1}, tmp_path) == pytest.approx(2 * total)
    # Two runs of both stacks, one a stage: each stage needs all of them.
    assert weights_of(config, {"pp": 2}, tmp_path) == pytest.approx(2 * total, rel=1e-3)
    alone = {"model_type": "llama", "num_hidden_layers": 8, "vocab_size": 256}
    total = read(alone, tmp_path)["parameters"]
    assert weights_of(alone, {"pp": 2}, tmp_path) == pytest.approx(total, rel=1e-3)


def test_what_differs_in_one_layer_is_read_or_refused(tmp_path):
    config = {"model_type": "gemma4_text", "num_hidden_layers": 6}
    wide = {"head_dim": 512}
    known = [config | {"per_layer_config": {key: wide}} for key in ("5", "05")]
    assert len({read(one, tmp_path)["parameters"] for one in [config, *known]}) == 1
    other = config | {"per_layer_config": {"2": {"intermediate_size": 8}}}
    with pytest.raises(_core.InputError) as refused:
        read(other, tmp_path)
    assert "per_layer_config of other keys" in str(refused.value)
