"""Do towers, stages of pictures and encoders with a record of their own count as they are built?

FLOPS are twice the multiply-accumulates that torch's FlopCounterMode counts for the default
configuration of each class of transformers 5.24 (attention "eager"), for one picture of the size
that it states or of 224 (EfficientNet 600, MobileViT 256, TextNet 640), or for ten seconds of
sound.
"""

import json

import pytest
from trainyard import _core
from trainyard.planner import calls

OPTIONS = {"tp": 1, "pp": 1, "dp": 1, "batch": 1, "intervals": False, "weights": "bf16"}
FLOPS = {
    "bit": 8174272512,
    "convnext": 8909526528,
    "convnextv2": 8909526528,
    "cvt": 9131410432,
    "donut-swin": 8979597312,
    "efficientnet": 71026502656,
    "focalnet": 8805135360,
    "glpn": 904422400,
    "hgnet_v2": 5455812096,
    "hiera": 18748864512,
    "levit": 809107456,
    "mobilenet_v1": 1135432704,
    "mobilenet_v2": 598988544,
    "mobilevit": 4000382976,
    "mobilevitv2": 3623157760,
    "poolformer": 3623510016,
    "pvt": 3864799232,
    "pvt_v2": 1131619328,
    "segformer": 904422400,
    "swin": 8979597312,
    "textnet": 38417203200,
}
# Without what makes patches of a picture, positions within windows, or a frame at the end.
NEARLY = {
    "aimv2_vision_model": 165667667968,
    "data2vec-audio": 147149871104,
    "dinov3_vit": 9196996608,
    "hubert": 148375820288,
    "pixio": 344111185920,
    "regnet": 7944400896,
    "sew": 54732950272,
    "swinv2": 9007632384,
    "wav2vec2": 148375820288,
    "wavlm": 148449548288,
}


def written(config, folder):
    path = folder / "config.json"
    path.write_text(json.dumps(config))
    return str(path)


def read(config, folder):
    return json.loads(_core.model_document(written(config, folder)))["model"]


def prefill(config, folder, **options):
    found = calls.document_of(written(config, folder), "h100", "serving", OPTIONS | options)
    return found["phases"]["prefill"]["flops"]


@pytest.mark.parametrize("type_", FLOPS)
def test_stages_take_the_operations_that_torch_counts(type_, tmp_path):
    assert prefill({"model_type": type_}, tmp_path) == FLOPS[type_]


@pytest.mark.parametrize("type_", NEARLY)
def test_encoders_take_the_operations_that_torch_counts(type_, tmp_path):
    assert prefill({"model_type": type_}, tmp_path) == pytest.approx(NEARLY[type_], rel=0.01)


def test_the_length_of_sound_is_chosen_and_its_convolutions_follow(tmp_path):
    config = {"model_type": "wav2vec2", "num_hidden_layers": 1}
    once, twice = (prefill(config, tmp_path, input=tokens) for tokens in (500, 1000))
    assert 2 * once < twice < 2.2 * once


def test_pictures_of_another_size_take_more(tmp_path):
    small, large = (
        prefill({"model_type": "swin", "image_size": size}, tmp_path) for size in (224, 448)
    )
    assert large == pytest.approx(4 * small, rel=0.01)


@pytest.mark.parametrize(
    ("type_", "shape"),
    [("paligemma", (2048, 18)), ("voxtral", (3072, 30)), ("got_ocr2", (1024, 24))],
)
def test_a_text_that_is_absent_is_that_of_its_model(type_, shape, tmp_path):
    alone = read({"model_type": type_}, tmp_path)
    assert (alone["hidden"], alone["layers"]) == shape
    assert (
        alone["parameters"]
        != read({"model_type": type_, "text_config": {}}, tmp_path)["parameters"]
    )


def test_an_encoder_with_its_own_record_reads_the_prompt(tmp_path):
    def of(layers):
        return {"model_type": "canary", "encoder_config": {"num_hidden_layers": layers}}

    few, many = read(of(2), tmp_path), read(of(4), tmp_path)
    assert few["kv_bytes_per_token"] == many["kv_bytes_per_token"]
    passed = many["parameters"] - few["parameters"]
    assert many["active"] - few["active"] == passed
    tokens = 1024
    more = prefill(of(4), tmp_path) - prefill(of(2), tmp_path)
    assert more > 2 * tokens * passed


def test_experts_of_an_encoder_are_counted_and_few_are_passed(tmp_path):
    def of(experts):
        return read({"model_type": "switch_transformers", "num_experts": experts}, tmp_path)

    one_more = 2 * 3 * (2 * 768 * 2048 + 768)  # three layers of each stack, with a router's row
    assert of(9)["parameters"] - of(8)["parameters"] == one_more
    assert of(9)["active"] - of(8)["active"] == 2 * 3 * 768


@pytest.mark.parametrize(
    ("config", "key"),
    [
        ({"model_type": "wav2vec2", "add_adapter": True}, "add_adapter"),
        ({"model_type": "blip", "tie_word_embeddings": False}, "tie_word_embeddings"),
        (
            {"model_type": "gemma3n", "vision_config": {"architecture": "resnet50"}},
            "architecture",
        ),
        ({"model_type": "pvt_v2", "linear_attention": True}, "linear_attention"),
        ({"model_type": "internvl", "vision_feature_layer": -4}, "vision_feature_layer"),
    ],
)
def test_what_is_not_modelled_is_refused_by_its_key(config, key, tmp_path):
    with pytest.raises(_core.InputError) as refused:
        read(config, tmp_path)
    assert [one.place.rsplit(": ", 1)[-1] for one in refused.value.violations] == [key]
