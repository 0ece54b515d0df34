"""Parts of configurations: optional and repeated towers, parts within parts, decoders of any
encoder, and the types that docs/formats/family.md says are refused."""

import json
import re
from pathlib import Path

import pytest
import trainyard
from trainyard import _core

PAGE = Path(__file__).parents[2] / "docs/formats/family.md"
BERT = {"model_type": "bert", "is_decoder": True, "add_cross_attention": True}
TABLE = PAGE.read_text().split("## What is refused")[1].split("|---|")[1].split("\n\n")[0]
REFUSED = re.findall(r"`([\w-]+)`", TABLE)


def read(config, folder):
    path = folder / "config.json"
    path.write_text(json.dumps(config))
    return json.loads(_core.model_document(str(path)))["model"]


def labels(config, folder):
    with pytest.raises(_core.InputError) as refused:
        read(config, folder)
    assert all(one.fix for one in refused.value.violations)
    return {one.label for one in refused.value.violations}


@pytest.mark.parametrize("type_", REFUSED)
def test_the_types_of_the_page_are_refused_by_name(type_, tmp_path):
    by_key = type_ in ("deepseek_v2", "dbrx")
    config = {"model_type": type_} | ({"num_key_value_heads": None} if by_key else {})
    assert len(REFUSED) > 50
    if type_ == "dbrx":
        config["num_key_value_heads"] = 8
    found = labels(config, tmp_path)
    assert found & ({"model.range", "model.unknown_key"} if by_key else {"model.unsupported"})


def test_an_optional_tower_counts_where_it_is_stated(tmp_path):
    alone = read({"model_type": "gemma4", "vision_config": None}, tmp_path)
    both = read({"model_type": "gemma4", "vision_config": {}}, tmp_path)
    assert alone["towers"] == 0
    assert both["parameters"] == alone["parameters"] + both["towers"]
    assert both["active"] == alone["active"]


def test_a_tower_that_stands_several_times_counts_each_time(tmp_path):
    rate = {"model_type": "granite4_vision", "downsample_rate": "4/8"}
    one, two, four = (
        read(rate | {"deepstack_layer_map": [[k, k] for k in range(many)]}, tmp_path)["towers"]
        for many in (1, 2, 4)
    )
    assert four - two == 2 * (two - one) > 0
    wider = read(rate | {"downsample_rate": "4/16", "deepstack_layer_map": [[0, 0]]}, tmp_path)
    assert wider["towers"] - one == 5 * (16**2 - 8**2) * 768  # places of a window, five times


def test_a_part_may_have_a_text_of_its_own(tmp_path):
    text = {"model_type": "gemma", "num_hidden_layers": 3}
    inner = read({"model_type": "paligemma", "text_config": text}, tmp_path)
    outer = {"vlm_config": {"model_type": "paligemma", "text_config": text}}
    whole = read({"model_type": "pi0"} | outer, tmp_path)
    assert (whole["layers"], whole["active"]) == (3, inner["active"])
    assert whole["towers"] > inner["towers"]


@pytest.mark.parametrize("whole", ["vision-encoder-decoder", "speech-encoder-decoder"])
def test_a_decoder_attends_to_any_encoder_and_to_nothing_else(whole, tmp_path):
    same, other = (
        read(
            {
                "model_type": whole,
                "encoder": {"model_type": "vit", "hidden_size": width, "intermediate_size": 64},
                "decoder": BERT,
            },
            tmp_path,
        )
        for width in (768, 384)
    )
    assert same["kv_bytes_per_token"] == other["kv_bytes_per_token"] == 12 * 2 * 768 * 2
    stages = {"model_type": whole, "encoder": {"model_type": "swin"}, "decoder": BERT}
    assert read(stages, tmp_path)["towers"] > 27e6
    decoder = {"model_type": whole, "encoder": {"model_type": "llama"}, "decoder": BERT}
    assert labels(decoder, tmp_path) == {"model.unsupported"}
    text = {"model_type": whole, "encoder": {"model_type": "vit"}, "decoder": {"model_type": "t5"}}
    assert "model.unsupported" in labels(text, tmp_path)
    encoder = {"model_type": whole, "encoder": {"model_type": "vit"}, "decoder": BERT}
    encoder["decoder"] = BERT | {"is_decoder": False}
    assert labels(encoder, tmp_path) == {"model.unsupported"}


def test_a_picture_need_not_be_square(tmp_path):
    square, tall = (
        read({"model_type": "swin", "image_size": size}, tmp_path) for size in (224, [448, 224])
    )
    assert square["parameters"] == tall["parameters"]


def test_ids_of_tokens_change_nothing(tmp_path):
    config = {"model_type": "llama", "some_other_token_id": 7, "a_token_index": 3}
    assert (
        read(config, tmp_path)["parameters"]
        == read({"model_type": "llama"}, tmp_path)["parameters"]
    )
    assert labels({"model_type": "llama", "a_token_width": 3}, tmp_path) == {"model.unknown_key"}


def test_donut_is_counted_as_transformers_counts_it(tmp_path):
    encoder = {
        "model_type": "donut-swin",
        "depths": [2, 2, 14, 2],
        "embed_dim": 128,
        "image_size": [2560, 1920],
        "num_heads": [4, 8, 16, 32],
        "window_size": 10,
    }
    decoder = {
        "model_type": "mbart",
        "add_cross_attention": True,
        "decoder_layers": 4,
        "max_position_embeddings": 1536,
        "vocab_size": 57525,
    }
    whole = {"model_type": "vision-encoder-decoder", "encoder": encoder, "decoder": decoder}
    assert read(whole, tmp_path)["parameters"] == 201_852_024


@pytest.mark.parametrize("command", ["fit", "compare"])
def test_what_towers_hold_and_do_not_take_is_said(command, tmp_path):
    line = "parameters in towers beside the layers: in memory, their time is not counted"
    for type_, said in (("llava", True), ("llama", False)):
        (tmp_path / "config.json").write_text(json.dumps({"model_type": type_}))
        model = str(tmp_path / "config.json")
        answer = (
            trainyard.fit(model, "h100") if command == "fit" else trainyard.compare(model, "h100")
        )
        assert (line in str(answer)) == said
