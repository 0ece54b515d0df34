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
        ("{}", "model.unsupported", "model_type"),
        (json.dumps(LLAMA | {"moe_k_extra": 4}), "model.unknown_key", "moe_k_extra"),
        ('{"model_type": "rt_detr", "d_model": 96}', "model.unsupported", ""),
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
        {"batch": 0},
        {"batch": 3.5},
        {"microbatch": 1.5},
        {"global_batch": 1000.5},
        {"tp": 0},
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
    assert one.place in option


@pytest.mark.parametrize(
    ("option", "words"),
    [
        ({"tp": 2.7}, "a whole number"),  # not 2
        ({"tp": True}, "a whole number"),
        ({"batch": True}, "a number"),
        ({"pads_heads": 1}, "cannot be 1"),
        ({"weights": 8}, "text"),
        ({"settings": "power.all_in=1"}, "cannot be"),
    ],
)
def test_a_value_of_another_kind_is_named(option, words):
    with pytest.raises(UsageError, match=words) as error:
        trainyard.compare("llama3-8b", ["h100"], **option)
    assert error.value.option == next(iter(option))


@pytest.mark.parametrize("option", [{"tp": 3, "pads_heads": True}, {"pp": 5}, {"dp": 3}])
def test_chips_that_nobody_named_are_whole_replicas(option):
    """As 1,024 is not of three."""
    training = {} if "dp" not in option else {"global_batch": 999}
    row = trainyard.compare("llama3-70b", ["trn2"], "training", **option, **training)["trn2"]
    size = next(iter(option))
    assert row.plan[size] == option[size]
    trainyard.fit("llama3-70b", "trn2", **option, **training)


def test_what_may_be_absent_and_is_a_truth_is_one():
    from trainyard.planner.plans import plan_options

    assert plan_options({"sequence_parallel": False}).sequence_parallel is False
    with pytest.raises(UsageError, match="sequence_parallel cannot be 1"):
        plan_options({"sequence_parallel": 1})


@pytest.mark.parametrize("name", ["batch", "chips", "input"])
def test_a_truth_is_no_number(name):
    with pytest.raises(UsageError, match=f"{name} cannot be True"):
        trainyard.compare("llama3-8b", ["h100"], **{name: True})


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
    row = trainyard.compare("llama3-405b", ["h100"], tp=1, pp=1)["h100"]
    assert row.plan is None
    assert not row.values
    assert "does not fit" in row.why
    assert "weights most of all" in row.why
    with pytest.raises(UsageError, match="does not fit"):
        trainyard.cost("llama3-405b", "h100", tp=1, pp=1)


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


@pytest.mark.parametrize(
    ("asked", "label", "found"),
    [
        ({"tp": 3}, "plan.layout", "64 heads over 3 chips"),
        ({"pp": 99}, "plan.layout", "99 stages of 80 layers"),
        ({"tp": 8, "chips": 12}, "plan.layout", "12 chips, replicas of 8"),
        ({"tp": 1, "dp": 4, "batch": 2}, "plan.layout", "2 at once, dp 4"),
    ],
)
def test_a_plan_that_no_software_runs_is_refused(asked, label, found):
    with pytest.raises(_core.InputError) as error:
        trainyard.compare("llama3-70b", ["h100"], **asked)
    (one,) = error.value.violations
    assert one.label == label
    assert found in one.found


def test_padded_heads_are_asked_for():
    row = trainyard.compare("llama3-70b", ["inf2"], tp=12, pads_heads=True, batch=1)["inf2"]
    assert row.plan["tp"] == 12


def test_chips_that_no_replica_divides_are_said_with_those_that_some_do():
    row = trainyard.compare("llama3-405b", ["h100"], "training", chips=100_000)["h100"]
    assert row.plan is None
    assert "dp divides the 1024 sequences" in row.why
    assert "ask for 98304 chips" in row.why
    with pytest.raises(_core.InputError, match="ask for 96 chips"):
        trainyard.fit("llama3-8b", "h100", chips=97)


def test_what_is_asked_counts_with_and_without_a_plan():
    def of(**asked):
        return trainyard.compare("llama3-70b", ["h100"], **asked)["h100"]

    assert of(tp=8).workload["conc"] > 1
    assert of(batch=24).workload["conc"] == 24
    assert of(tp=4, batch=24).workload["conc"] == 24
    chips = of(chips=64)
    assert 64 % chips.plan["chips"] == 0
    assert chips.document["deployment"]["chips"] == 64
    assert "64 chips" in str(trainyard.compare("llama3-70b", ["h100"], chips=64))
    assert of(input=4096).values["mean_ttft"].value > 2 * of().values["idle_ttft"].value
    row = trainyard.compare("llama3-70b", ["h100"], "training", chips=64, microbatch=2)["h100"]
    assert row.workload["microbatch"] == 2
    full = trainyard.compare("llama3-70b", ["h100"], "training", chips=64, recompute="full")["h100"]
    assert full.workload["recompute"] == "full"
    assert trainyard.fit("llama3-70b", "h100", tp=4).serving.plan["tp"] == 4


def test_an_encoder_reads_what_is_asked():
    def latency(**asked):
        row = trainyard.compare("bert-large", ["h100"], batch=64, tp=1, **asked)["h100"]
        return row.workload["isl"], row.values["mean_ttft"].value

    short, usual = latency(input=128), latency()
    assert (short[0], usual[0]) == (128, 512)
    assert short[1] < usual[1] / 2
    with pytest.raises(_core.InputError) as error:
        trainyard.compare("vit-base", ["h100"], input=128)
    assert error.value.violations[0].label == "plan.input"
    with pytest.raises(_core.InputError, match="at most 512"):
        trainyard.compare("bert-large", ["h100"], input=1024)
