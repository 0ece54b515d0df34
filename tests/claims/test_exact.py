"""Does a simulated layer stand beside the analytic one: never beating its bound, growing with its
work, and refused in words where there is none?
"""

import dataclasses
import json

import pytest
import trainyard
from trainyard import _core
from trainyard.planner import exact

# Small enough to be simulated in a second: one core's share of Llama 3 8B on eight chips.
ASKED = {"weights": "bf16", "tp": 8, "batch": 8, "input": 512, "output": 512}


def row_of(model, machine, **changes):
    return exact.compare(model, [machine], **(ASKED | changes))[machine]


def bytes_of(shape):
    """What a step reads of HBM: the weights of the share and the caches, two bytes each."""
    heads = shape.queries * shape.keys
    weights = shape.hidden * shape.head * (shape.queries + 2) * shape.keys
    weights += shape.hidden * heads * shape.head + 3 * shape.hidden * shape.inner
    cache = 2 * shape.requests * shape.keys * shape.context * shape.head
    return 2 * (weights + cache)


@pytest.mark.parametrize(("machine", "chip"), [("trn2", "trn2"), ("trn3-gen2", "trn3")])
def test_no_layer_is_shorter_than_its_bytes_take(machine, chip):
    found = row_of("llama3-8b", machine).exact
    figures = {one["key"]: one for one in trainyard.load_machine(chip).provenance()}
    assert figures["dma.link"]["unit"] == "GB/s"
    rate = float(figures["dma.link"]["value"]) * float(figures["dma.engines"]["value"]) * 1e9
    assert found.layer > bytes_of(found.shape) / rate
    assert found.layer < 10 * bytes_of(found.shape) / rate
    assert found.step == pytest.approx(32 * (found.layer + found.all_reduces))
    decode = json.loads(
        _core.serving_document("llama3-8b", machine, trainyard.planner.calls.options_of(ASKED))
    )["phases"]["decode"]
    assert found.analytic_step == pytest.approx(decode["seconds"])


def test_more_context_takes_longer():
    short, long = (row_of("llama3-8b", "trn3-gen2", input=n).exact for n in (256, 2048))
    assert long.layer > short.layer
    assert dataclasses.replace(long.shape, context=short.shape.context) == short.shape


def test_the_difference_is_printed_and_is_data():
    result = exact.compare("llama3-8b", ["trn3-gen2", "h100"], **ASKED)
    text = str(result)
    assert "layer, simulated" in text
    assert "decoding step" in text
    assert "no exact layer: only Trainium's layers can be simulated" in text
    data = result.as_dict()["machines"]
    assert data[0]["exact"]["layer"] == result["trn3-gen2"].exact.layer
    assert "why" in data[1]["exact"]
    assert result["trn3-gen2"].machine in str(result.as_dict()["asked"])


@pytest.mark.parametrize(
    ("model", "changes", "why"),
    [
        ("mixtral-8x7b", {}, "experts"),
        ("llama3-8b", {"batch": 200}, "at most 128"),
        ("llama3-8b", {"weights": "fp4"}, "fp4"),
    ],
)
def test_what_is_not_simulated_is_said(model, changes, why):
    assert why in row_of(model, "trn3-gen2", **changes).exact


def test_training_is_not_simulated():
    found = exact.compare("llama3-8b", ["trn3-gen2"], "training", chips=64)
    assert "decoding step" in found["trn3-gen2"].exact


def test_a_configuration_file_gives_the_same_layer(tmp_path):
    path = tmp_path / "config.json"
    path.write_text(json.dumps(exact.config_of("llama3-8b")))
    assert row_of(str(path), "trn3-gen2").exact == row_of("llama3-8b", "trn3-gen2").exact


def test_machines_without_measurements_are_named():
    text = str(trainyard.compare("llama3-8b", ["tpu7", "trn2"]))
    assert "never checked against a published measurement: tpu7" in text
