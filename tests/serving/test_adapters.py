"""Do requests of any adapters, in one batch, get the tokens of the models merged with them?"""

import json
from dataclasses import replace

import numpy as np
import pytest
from trainyard.serving import adapters, exact, models, stepping
from trainyard.serving.drafts import Draft
from trainyard.usage import UsageError

save_file = pytest.importorskip("safetensors.numpy").save_file
LIMITS = exact.Limits(blocks=64, batches=(1, 4), chunks=(16, 64), contexts=(64, 256))
NAMES = {
    "self_attn.q_proj": (64, 64),
    "self_attn.k_proj": (64, 32),
    "self_attn.v_proj": (64, 32),
    "self_attn.o_proj": (64, 64),
    "mlp.gate_proj": (64, 128),
    "mlp.up_proj": (64, 128),
    "mlp.down_proj": (128, 64),
}
SOME = ("self_attn.q_proj", "self_attn.v_proj", "mlp.down_proj")


def write_adapter(folder, seed, rank, targets=tuple(NAMES), layers=2, **settings):
    """As peft writes one."""
    random = np.random.default_rng(seed)
    held = {}
    for layer in range(layers):
        for name in targets:
            rows, columns = NAMES[name]
            key = f"base_model.model.model.layers.{layer}.{name}"
            for letter, shape in (("A", (rank, rows)), ("B", (columns, rank))):
                value = random.standard_normal(shape) / np.sqrt(shape[1])
                held[f"{key}.lora_{letter}.weight"] = value.astype(np.float32)
    folder.mkdir(exist_ok=True)
    save_file(held, folder / "adapter_model.safetensors")
    config = {"peft_type": "LORA", "r": rank, "lora_alpha": 2 * rank, "bias": "none"} | settings
    (folder / "adapter_config.json").write_text(json.dumps(config))
    return folder


@pytest.fixture(scope="module")
def model():
    return models.load("random-2x64")


@pytest.fixture(scope="module")
def adapted(model, tmp_path_factory):
    folder = tmp_path_factory.mktemp("adapters")
    one = write_adapter(folder / "all", 1, 4, lora_alpha=16)
    two = write_adapter(folder / "some", 2, 8, SOME, use_rslora=True)
    return [adapters.load(name, at, model.config) for name, at in (("one", one), ("two", two))]


def test_scales_are_alpha_over_rank_or_its_root(model, adapted, tmp_path):
    write_adapter(tmp_path / "a", 1, 4, lora_alpha=4)
    plain = adapters.load("a", tmp_path / "a", model.config)
    for key, value in plain.up.items():
        assert np.allclose(adapted[0].up[key], 4 * value)
    write_adapter(tmp_path / "b", 2, 8, SOME, lora_alpha=8)
    plain = adapters.load("b", tmp_path / "b", model.config)
    for key, value in adapted[1].up.items():
        assert np.allclose(value, 2 * np.sqrt(8) * plain.up[key])


@pytest.mark.parametrize("draft", [Draft(), Draft(2, 1)], ids=["plain", "drafted"])
def test_tokens_are_those_of_the_merged_models(model, adapted, requests_of, draft):
    engine = exact.Engine(model, limits=replace(LIMITS, draft=draft), adapted=adapted)
    requests = requests_of(1, 9, rate=1e5, prompt=(4, 40), output=(4, 14))
    requests = [replace(one, adapter=i % 3 - 1) for i, one in enumerate(requests)]
    _, found = stepping.serve(engine, requests, stops=False)
    answers = []
    for number in (-1, 0, 1):
        weights = model.weights if number < 0 else adapters.merged(model.weights, adapted[number])
        alone = exact.Engine(replace(model, weights=weights), limits=LIMITS)
        for i, one in enumerate(requests):
            tokens = stepping.serve(alone, [replace(one, adapter=-1)], stops=False)[1][0][0]
            if one.adapter == number:
                pairs = zip(found[i][0], tokens, found[i][2], strict=True)
                margin = next((each.margin for a, b, each in pairs if a != b), 0.0)
                assert margin < 1e-3  # a tie, of which there is none here
                assert found[i][0] == tokens
            else:
                answers.append(found[i][0] == tokens)
    assert not all(answers)  # the adapters do change what is answered


def test_a_beginning_is_not_shared_between_adapters(model, adapted, requests_of):
    engine = exact.Engine(model, limits=LIMITS, adapted=adapted)
    one = requests_of(2, 1, prompt=(64, 65))[0]
    turns = [replace(one, adapter=number, arrival=i) for i, number in enumerate((-1, 0, 0, -1))]
    _, found = stepping.serve(engine, turns, stops=False)
    assert [record["cached"] for _, record, _ in found] == [0, 0, 48, 48]
    assert found[1][0] == found[2][0]
    assert found[0][0] == found[3][0] != found[1][0]


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"peft_type": "IA3"}, "peft_type"),
        ({"use_dora": True}, "use_dora"),
        ({"modules_to_save": ["lm_head"]}, "modules_to_save"),
        ({"rank_pattern": {"q_proj": 2}}, "rank_pattern"),
        ({"bias": "all"}, "bias"),
        ({"r": 0}, "r is 1"),
        ({"r": "4"}, "r is 1"),
        ({"r": 8}, "is needed"),
        ({"lora_alpha": None}, "lora_alpha"),
        ({"lora_alpha": 1e308}, "lora_alpha"),
        ({"lora_alpha": float("nan")}, "lora_alpha"),
    ],
)
def test_what_is_not_computed_is_refused_by_name(model, tmp_path, settings, says):
    folder = write_adapter(tmp_path, 1, 4, **settings)
    with pytest.raises(UsageError, match=says):
        adapters.load("a", folder, model.config)


def test_what_does_not_fit_the_model_is_refused(model, tmp_path):
    folder = write_adapter(tmp_path, 1, 4, layers=3)
    with pytest.raises(UsageError, match=r"layers\.2"):
        adapters.load("a", folder, model.config)


@pytest.mark.parametrize("name", ["adapter_config.json", "adapter_model.safetensors"])
@pytest.mark.parametrize("content", [b"", b"[1]", b"\xff" * 40, None])
def test_a_damaged_file_is_named(model, tmp_path, name, content):
    folder = write_adapter(tmp_path, 1, 4)
    (folder / name).unlink()
    if content is not None:
        (folder / name).write_bytes(content)
    with pytest.raises(UsageError, match=name):
        adapters.load("a", folder, model.config)


@pytest.mark.parametrize("text", ["", "a", "=b", "a=", "a b=c"])
def test_a_text_that_names_no_adapter_is_refused(text):
    with pytest.raises(UsageError, match="no adapter"):
        adapters.parse(text)
