"""Does each wrong question get one error that says what is wrong and where?"""

import json

import pytest
import trainyard
from trainyard import _core
from trainyard.usage import UsageError

LLAMA = {
    "model_type": "llama",
    "hidden_size": 4096,
    "num_hidden_layers": 32,
    "num_attention_heads": 32,
    "intermediate_size": 11008,
    "vocab_size": 32000,
}


@pytest.mark.parametrize(
    ("text", "label", "place"),
    [
        ('{"model_type": "llama",\n"hidden_size": }', "model.syntax", ":2"),
        ("[1, 2]", "model.syntax", ""),
        ("{}", "model.unsupported", "num_attention_heads"),
        ('{"model_type": "convnext", "hidden_sizes": [96]}', "model.unsupported", ""),
        (json.dumps(LLAMA | {"hidden_size": -1}), "model.range", "hidden_size"),
        (json.dumps(LLAMA | {"hidden_size": "big"}), "model.range", "hidden_size"),
        (json.dumps(LLAMA | {"num_hidden_layers": 10**12}), "model.range", "num_hidden_layers"),
    ],
)
def test_a_configuration_that_is_wrong(text, label, place, tmp_path):
    path = tmp_path / "config.json"
    path.write_text(text)
    with pytest.raises(_core.InputError) as error:
        trainyard.fit(str(path), "h100")
    (one,) = error.value.violations
    assert one.label == label
    assert str(path) in one.place
    assert place in one.place


def test_a_folder_without_a_configuration(tmp_path):
    with pytest.raises(_core.InputError, match="a folder without a config"):
        trainyard.fit(str(tmp_path), "h100")


@pytest.mark.parametrize(
    "option",
    [
        {"batch": -4},
        {"input": 0},
        {"input": 1e30},
        {"output": float("nan")},
        {"sequence": 0},
        {"global_batch": 0},
        {"chips": -1},
        {"tokens": 0},
    ],
)
def test_a_number_out_of_range_is_named(option):
    with pytest.raises(_core.InputError) as error:
        trainyard.compare("llama3-8b", ["h100"], "training", **option)
    (one,) = error.value.violations
    assert one.label == "plan.range"
    assert one.place.split()[0] in " ".join(option).replace("_", " ") + " a"


@pytest.mark.parametrize(
    "setting", ["reach.link=2", "reach.prefill=0", "memory.capacity=0", "reach.link=-1"]
)
def test_a_figure_is_set_within_its_bounds(setting):
    with pytest.raises(_core.InputError) as error:
        trainyard.compare("llama3-8b", ["h100"], settings=[setting])
    assert error.value.violations[0].label == "machine.override"


def test_a_price_that_nobody_knows_invalidates_the_dollars():
    found = trainyard.cost("llama3-8b", "trn3-gen2", price="spot")
    assert found.unknown == ("rental.trn3.spot",)
    assert not any(name.startswith("usd") for name in found.values)


def test_a_machine_is_named_once():
    with pytest.raises(UsageError, match="h100 is named twice"):
        trainyard.compare("llama3-8b", ["h100", "b200", "h100"])


def test_a_plan_that_does_not_fit_has_no_answers():
    row = trainyard.compare("llama3-405b", ["h100"], tp=1)["h100"]
    assert row.plan is None
    assert not row.values
    assert "does not fit" in row.why
    assert "weights most of all" in row.why
    with pytest.raises(UsageError, match="does not fit"):
        trainyard.cost("llama3-405b", "h100", tp=1)


def test_a_speed_that_nothing_reaches_is_said():
    row = trainyard.compare("llama3-70b", ["h100"], interactivity=5000)["h100"]
    assert "gives a user 5000 tokens a second" in row.why


def test_more_context_than_a_model_was_made_for_is_said():
    assert "made for 131072" in str(trainyard.fit("llama3-70b", "trn3-gen2", input=1e6))
    assert "made for" not in str(trainyard.fit("llama3-70b", "trn3-gen2", input=1e5))
    assert "made for 131072" in str(trainyard.compare("llama3-8b", ["trn3-gen2"], input=2e5))


def test_images_are_no_tokens():
    text = str(trainyard.compare("resnet-50", ["h100"], "training"))
    assert "image/s/chip" in text
    assert "1024 samples" in text
