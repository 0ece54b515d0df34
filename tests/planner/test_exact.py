"""Do simulated layers stand beside the analytic ones, make the answers and choose the plan: never
beating their bound, growing with their work, and refused in words where there are none?
"""

import json
import subprocess
import sys
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
import trainyard
from trainyard import _core
from trainyard.planner import exact, layers, page
from trainyard.planner import text as texts

pytest.importorskip("jax")

# Small enough to be simulated in a second: one core's share of Llama 3 8B on eight chips.
ASKED = {"weights": "bf16", "tp": 8, "batch": 8, "input": 512, "output": 512}


def row_of(model, machine, phase="serving", **changes):
    asked = {} if phase == "training" else ASKED
    return exact.compare(model, [machine], phase, **(asked | changes))[machine]


@pytest.mark.parametrize(("machine", "chip"), [("trn2", "trn2"), ("trn3-gen2", "trn3")])
def test_no_step_is_shorter_than_its_bytes_take(machine, chip):
    step = row_of("llama3-8b", machine).exact["decode"]
    figures = {one["key"]: one for one in trainyard.load_machine(chip).provenance()}
    assert figures["dma.link"]["unit"] == "GB/s"
    rate = float(figures["dma.link"]["value"]) * float(figures["dma.engines"]["value"]) * 1e9
    # Of 64 cores: half a head of keys is a whole one; the cache is read in tiles of 128 keys.
    attends, follows, norm = step.parts
    assert (attends.times, follows.times, norm.times) == (32, 32, 64)
    weights = 4096 * (3 * 128 + 128), 3 * 4096 * 224
    cache = 8 * 2 * 768 * 128
    for part, read in ((attends, weights[0] + cache), (follows, weights[1])):
        assert part.seconds / 32 > 2 * read / rate
    assert attends.seconds / 32 < 10 * 2 * (weights[0] + cache) / rate
    assert step.seconds == pytest.approx(sum(part.seconds for part in step.parts) + step.collective)
    decode = json.loads(
        _core.serving_document("llama3-8b", machine, trainyard.planner.calls.options_of(ASKED))
    )["phases"]["decode"]
    assert step.analytic_collective == decode["collective"]
    # The output matrix is no layer's: 525 of 8,030 million parameters.
    modelled = decode["linear"] * (1 - 525 / 7505) + decode["attention"] + decode["fixed"]
    assert step.analytic_computing == pytest.approx(modelled, rel=0.01)


def test_more_context_takes_longer():
    short, long = (row_of("llama3-8b", "trn3-gen2", input=n).exact for n in (256, 2048))
    assert long["decode"].computing > short["decode"].computing
    assert long["prefill"].computing > 3 * short["prefill"].computing


def test_a_cache_in_fp8_is_read_in_less_time():
    """Two heads a core; the cache of a single one is cast by way of HBM."""
    wide, narrow = (
        row_of("llama3-8b", "trn3-gen2", weights="fp8", cache=cache, input=4096, batch=64, tp=2)
        .exact["decode"]
        .parts[0]
        .seconds
        for cache in ("bf16", "fp8")
    )
    assert narrow < 0.9 * wide


def test_many_requests_take_their_time_one_by_one():
    few, many = (row_of("llama3-8b", "trn3-gen2", batch=n).exact["decode"] for n in (128, 512))
    assert 2 * few.computing < many.computing < 4 * few.computing


def test_a_prefill_has_all_blocks_of_all_layers():
    prefill = row_of("llama3-8b", "trn3-gen2").exact["prefill"]
    assert [part.times for part in prefill.parts] == [32, 32, 64]
    assert prefill.computing == pytest.approx(sum(part.seconds for part in prefill.parts))
    modelled = sum(part.analytic for part in prefill.parts if part.analytic is not None)
    assert prefill.analytic_computing == pytest.approx(modelled + prefill.analytic_fixed)
    assert not any(part.sampled for part in prefill.parts)
    # 64 cores at their peak: 512 tokens through 7 of 8 billion parameters.
    assert prefill.computing > 512 * 6.9e9 / (64 * 128 * 128 * 2.4e9)


def test_training_is_forward_and_backward():
    how = {"chips": 8, "tp": 8, "pp": 1, "microbatch": 1, "sequence": 512, "global_batch": 64}
    found = row_of("llama3-8b", "trn3-gen2", "training", recompute="none", **how)
    once = found.exact["training"]
    again = row_of("llama3-8b", "trn3-gen2", "training", recompute="full", **how).exact["training"]
    forward = row_of("llama3-8b", "trn3-gen2").exact["prefill"]
    assert once.computing > 2 * forward.computing
    # Recomputing is the same forward pass once more.
    assert again.computing == pytest.approx(once.computing + forward.computing)
    # Gathers and scatters: of ten, four more.
    assert again.collective == pytest.approx(1.4 * once.collective)
    block = row_of("llama3-8b", "trn3-gen2", "training", recompute="mlp", **how).exact["training"]
    assert once.computing < block.computing < again.computing
    assert block.collective == pytest.approx(1.1 * once.collective)
    for found in (once, block, again):  # both count them alike, on the same links
        assert 0.5 < found.collective / found.analytic_collective < 2


def test_experts_have_two_layouts():
    found = row_of("qwen3-30b-a3b", "trn3-gen2", tp=1, dp=8, input=256).exact["prefill"]
    names = [part.name for part in found.parts]
    assert names[1] == "2 experts, inner 768, 128 tokens each"
    (every,) = found.variants
    assert every.name == "16 experts, inner 96, all tokens"
    assert every.seconds > found.parts[1].seconds
    assert "instead: " in str(
        exact.compare("qwen3-30b-a3b", ["trn3-gen2"], **(ASKED | {"tp": 1, "dp": 8, "input": 256}))
    )


def test_a_step_of_experts_reads_those_that_are_chosen():
    how = {"tp": 1, "batch": 4, "input": 256}
    step = row_of("qwen3-30b-a3b", "trn3-gen2", **how).exact["decode"]
    assert [part.name for part in step.parts[:2]] == [
        "attention block, 4 heads, 512 keys",
        "4 experts, inner 768, 1 token each",
    ]


def test_the_difference_is_printed_and_is_data():
    result = exact.compare("llama3-8b", ["trn3-gen2", "h100"], **ASKED)
    text = str(result)
    assert "prefill of 512 tokens" in text
    assert "all layers, computing" in text
    assert "decoding step of 8 requests" in text
    assert "note: not simulated: embedding, output matrix" in text
    assert "no exact layers: only Trainium's layers can be simulated" in text
    data = result.as_dict()["machines"]
    assert data[0]["exact"]["prefill"]["seconds"] == result["trn3-gen2"].exact["prefill"].seconds
    assert json.dumps(data)
    assert "why" in data[1]["exact"]
    assert result["trn3-gen2"].machine in str(result.as_dict()["asked"])


# Quick to simulate: 1.2 billion parameters, short prompts.
SMALL = {"weights": "bf16", "input": 256, "output": 256}


@pytest.fixture(scope="module")
def small():
    return exact.compare("llama3-1b", ["trn3-gen2", "h100"], interactivity=100, plans=2, **SMALL)


def test_answers_are_those_of_the_simulated_phases(small):
    row = small["trn3-gen2"]
    prefill, decode = row.exact["prefill"], row.exact["decode"]
    # The output matrix, hidden collectives and fixed times of a step are the analytic model's.
    assert row.values["mean_ttft"].value > 0.8 * prefill.seconds
    assert row.values["mean_tpot"].value > 0.8 * decode.seconds
    first = row.tried[0]
    assert first["phases"]["decode"]["computing"] > 0
    assert first["simulated"] != first["analytic"]
    chosen = next(one for one in row.tried if one["is_chosen"])
    assert chosen["phases"]["prefill"]["computing"] == prefill.computing
    assert chosen["phases"]["decode"]["computing"] == decode.computing
    for values, which in ((row.values, "simulated"), (row.analytic, "analytic")):
        assert {name: one.value for name, one in values.items()} == chosen[which]
    assert not small["h100"].tried
    assert not small["h100"].analytic


def test_the_choice_is_the_best_by_simulated_time(small):
    row = small["trn3-gen2"]
    assert len({tuple(one["plan"].values()) for one in row.tried}) == 2
    able = [one for one in row.tried if one["is_compared"] and one["is_fast_enough"]]
    (chosen,) = (one for one in row.tried if one["is_chosen"])
    assert chosen in able
    assert all(one["simulated"]["mean_intvty"] >= 100 for one in able)
    most = max(one["simulated"]["output_tput_per_gpu"] for one in able)
    assert chosen["simulated"]["output_tput_per_gpu"] * 1.02 >= most
    assert row.plan == chosen["plan"]
    assert row.workload["conc"] == chosen["workload"]["conc"]


def test_intervals_are_of_what_is_not_simulated(small):
    row = small["trn3-gen2"]
    wide, narrow = (one["output_tput_per_gpu"] for one in (row.analytic, row.values))
    assert narrow.high / narrow.low < wide.high / wide.low
    moving = {by.key for by in narrow.moved_by}
    assert "reach.cache" in {by.key for by in wide.moved_by}
    assert not moving & {"reach.cache", "fixed.layer", "reach.collective"}


def test_another_choice_is_said_with_both_numbers(small):
    row = replace(small["trn3-gen2"])
    tried = [one | {"is_chosen": False, "is_fast_enough": True} for one in row.tried]
    tried[-1] |= {"is_chosen": True}
    other = replace(row, document=row.document | {"tried": tried})
    text = str(replace(small, rows=(other,)))
    line = next(line for line in text.splitlines() if "by simulated time another" in line)
    for one in (tried[0], tried[-1]):
        for which in ("simulated", "analytic"):
            assert texts.number(one[which]["output_tput_per_gpu"]) in line
    assert "simulated seconds have no range" in text
    parts = page.sheet_of(small, "").as_dict()["parts"]
    plans = [row[1] for row in parts[1]["rows"]]
    assert any(plan.endswith(": simulated layers") for plan in plans)
    assert any(plan.endswith(": modelled") for plan in plans)
    assert any("2 plans, " in part["text"] for part in parts if part["kind"] == "code")


def test_a_speed_that_no_simulated_plan_reaches_is_said():
    on = "trn3-gen2"
    row = exact.compare("llama3-70b", [on], plans=1, input=256, interactivity=140)[on]
    assert row.tried[0]["is_chosen"]
    assert not any(one["is_fast_enough"] for one in row.tried)
    lines = list(texts.tried_lines(row, "output_tput_per_gpu", "tok/s"))
    assert "no plan that was tried is fast enough" in lines[0]
    assert "too slow for a user" in lines[-1]


def test_where_nothing_is_simulated_answers_are_analytic():
    row = row_of("llama3-8b", "trn3-gen2", cache="fp4")
    assert row.analytic
    refused = {"prefill": {"why": "no room"}, "decode": {"why": "no room"}}
    document = row.document | {"tried": [one | {"phases": refused} for one in row.tried]}
    (line,) = texts.tried_lines(replace(row, document=document, analytic={}), "mean_ttft", "TTFT")
    assert "no phase" in line


def test_a_phase_that_cannot_be_simulated_stays_analytic():
    row = row_of("llama3-8b", "trn3-gen2", cache="fp4")
    (only,) = row.tried
    assert "a cache in fp4" in only["phases"]["decode"]["why"]
    assert only["phases"]["prefill"]["computing"] > 0
    assert "left analytic: decode, a cache in fp4" in "\n".join(
        texts.tried_lines(row, "output_tput_per_gpu", "tok/s")
    )


def test_training_is_chosen_by_simulated_microbatches():
    how = {"chips": 32, "sequence": 512, "global_batch": 64}
    row = exact.compare("llama3-1b", ["trn3-gen2"], "training", plans=2, **how)["trn3-gen2"]
    assert len(row.tried) == 2
    chosen = next(one for one in row.tried if one["is_chosen"])
    most = max(one["simulated"]["tokens_per_second"] for one in row.tried)
    assert chosen["simulated"]["tokens_per_second"] == most
    assert chosen["phases"]["microbatch"]["computing"] == row.exact["training"].computing


def test_the_command_answers_by_simulated_layers():
    def command(*arguments):
        line = [sys.executable, "-m", "trainyard", "compare", "llama3-1b", "--on", "trn3-gen2"]
        return subprocess.run([*line, *arguments], capture_output=True, text=True, timeout=300)

    workload = ("--weights", "bf16", "--input", "256", "--output", "256")
    how = ("--exact", "--plans", "1", "--interactivity", "100", "--json")
    done = command(*workload, *how)
    (machine,) = json.loads(done.stdout)["machines"]
    (chosen,) = (one for one in machine["tried"] if one["is_chosen"])
    speed = machine["values"]["mean_intvty"]["value"]
    assert (
        speed == chosen["simulated"]["mean_intvty"] != machine["analytic"]["mean_intvty"]["value"]
    )
    assert machine["exact"]["decode"]["computing"] == chosen["phases"]["decode"]["computing"]
    refused = command("--plans", "2")
    assert refused.returncode == 2
    assert "add --exact" in refused.stderr


def test_equal_layers_are_simulated_once_whatever_the_plan():
    first = exact.compare("llama3-8b", ["trn3-gen2"], **ASKED)
    misses = layers.timed.cache_info().misses
    assert exact.compare("llama3-8b", ["trn3-gen1"], **ASKED)["trn3-gen1"].tried
    again = exact.compare("llama3-8b", ["trn3-gen2"], **ASKED)
    assert layers.timed.cache_info().misses == misses
    assert str(again) == str(first)


def test_an_error_of_a_simulation_comes_back_as_it_is():
    def tell(what):
        raise ValueError(what)

    with pytest.raises(ValueError, match="simulating the prefill"):
        exact.compare("llama3-8b", ["trn3-gen2"], tell=tell, **ASKED)


def test_each_phase_is_told_before_it_is_simulated():
    told = []
    exact.compare("llama3-8b", ["trn3-gen2"], tell=told.append, **ASKED)
    assert told == [
        "trn3-gen2, tp 8, pp 1, dp 1: simulating the prefill",
        "trn3-gen2, tp 8, pp 1, dp 1, batch 8: simulating the decode",
    ]


def test_products_in_fp8_take_two_rows_at_once():
    wide, narrow = (
        row_of("llama3-8b", "trn3-gen2", weights=name, tp=1, input=1024)
        .exact["prefill"]
        .parts[1]
        .seconds
        for name in ("bf16", "fp8")
    )
    assert narrow < 0.65 * wide


@pytest.mark.parametrize(
    ("model", "changes", "why"),
    [
        ("llama3-8b", {"weights": "fp4"}, "fp4"),
        ("vit-base", {"input": None, "tp": 4}, "encoder"),
        ("resnet-50", {"input": None}, "convolution"),
    ],
)
def test_what_is_not_simulated_is_said(model, changes, why):
    assert why in row_of(model, "trn3-gen2", **changes).exact


@pytest.mark.parametrize(
    ("model", "changes", "why"),
    [
        ("llama3-8b", {"batch": 4500, "input": 8, "output": 8}, "at most 4096"),
        ("llama3-8b", {"cache": "fp4"}, "a cache in fp4"),
    ],
)
def test_a_step_that_is_not_simulated_leaves_the_prefill(model, changes, why):
    found = row_of(model, "trn3-gen2", **changes).exact
    assert why in found.phases["decode"]
    assert found["prefill"].seconds > 0
    with pytest.raises(KeyError, match="decode was not simulated"):
        found["decode"]


def test_a_configuration_file_gives_the_same_layer(tmp_path):
    path = tmp_path / "config.json"
    models = Path(__file__).parents[2] / "models"
    config = tomllib.loads((models / "llama3-8b.toml").read_text())["config"]
    path.write_text(json.dumps(config))
    assert row_of(str(path), "trn3-gen2").exact == row_of("llama3-8b", "trn3-gen2").exact


def test_machines_without_measurements_are_named():
    text = str(trainyard.compare("llama3-8b", ["tpu7", "trn2"]))
    assert "never checked against a published measurement of a whole model: tpu7" in text
