"""Does `plan serve` read loads and levels as they are meant, and answer in vLLM's names?"""

import json
import re

import numpy as np
import pytest
import trainyard
from trainyard import _core
from trainyard.serving import measures, planned, replicas, reports, traces
from trainyard.serving.measures import Slo
from trainyard.usage import UsageError

SMALL = {"tp": 1, "weights": "fp8"}
LOAD = planned.Load(isl=256, osl=32, requests=300)

AZURE = """TIMESTAMP,ContextTokens,GeneratedTokens
2023-11-16 18:15:46.6805900,374,44
2023-11-16 18:15:50.9951690,396,109
2023-11-16 18:15:51.2224670,12,5
"""
MOONCAKE = "\n".join(
    json.dumps({"timestamp": at, "input_length": 1100, "output_length": 9, "hash_ids": ids})
    for at, ids in ((0, [1, 2, 3]), (3000, [1, 2, 4]), (6000, [5, 2, 3]))
)


@pytest.fixture
def write(tmp_path):
    def made(text):
        path = tmp_path / "trace"
        path.write_text(text)
        return str(path)

    return made


def test_an_azure_trace_keeps_its_gaps_and_lengths(write):
    trace = traces.read_trace(write(AZURE))
    assert [row[1:3] for row in trace.rows] == [(374, 44), (396, 109), (12, 5)]
    assert trace.rows[0][0] == 0
    assert trace.seconds == pytest.approx(4.541877, abs=1e-6)
    assert trace.at_rate(20).rate == pytest.approx(20)


def test_a_mooncake_traces_names_are_shared_beginnings(write):
    load = planned.Load(trace=traces.read_trace(write(MOONCAKE)))
    plan = planned.run("llama3-8b", "trn3-gen2", load, **SMALL)
    columns = measures.Records(plan.served.run.records()).columns
    assert columns["cached"].tolist() == [0, 1024, 0]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "is empty: a trace has the columns"),
        ("TIMESTAMP,ContextTokens\n1,2\n", "GeneratedTokens is missing"),
        (AZURE + "yesterday,1,1\n", "'yesterday' is no time"),
        (AZURE + "nan,1,1\n", "'nan' is no time"),
        (AZURE + "2023-11-16 18:16:00,0,1\n", "ContextTokens is 1 to"),
        (AZURE.splitlines()[0], "holds no request"),
        ('{"timestamp": 1}', "input_length is 1 to"),
        ('{"timestamp": -1, "input_length": 1, "output_length": 1}', "milliseconds"),
        ('{"timestamp": 1', "no request of a Mooncake trace"),
        ('{"timestamp": 1, "input_length": 1, "output_length": 1, "hash_ids": [-1]}', "hash_ids"),
    ],
)
def test_a_bad_trace_is_refused_at_its_line(write, text, says):
    with pytest.raises(UsageError, match=says):
        traces.read_trace(write(text))


def test_levels_are_read_in_both_ways():
    wanted = Slo(ttft=0.5, tpot=0.03)
    assert Slo.parse("ttft=500ms,tpot=30ms") == wanted
    assert Slo.parse("ttft:500 tpot:30") == wanted
    assert Slo.parse("ttft=0.5s,tpot=30000us") == wanted
    for text in ("", "ttft", "ttft=0", "ttft=1..2ms", "itl=3ms", "ttft=1ms,ttft=2ms"):
        with pytest.raises(UsageError):
            Slo.parse(text)


def test_a_run_has_the_fields_of_vllms_benchmark():
    plan = planned.run("llama3-8b", "trn3-gen2", LOAD, rate=20.0, detailed=True, **SMALL)
    bench = plan.served.as_dict()
    assert bench["completed"] == 300
    assert bench["total_output_tokens"] == 300 * 32
    assert bench["mean_e2el_ms"] == pytest.approx(
        bench["mean_ttft_ms"] + 31 * bench["mean_tpot_ms"], rel=1e-9
    )
    assert bench["mean_itl_ms"] == pytest.approx(bench["mean_tpot_ms"], rel=1e-6)
    assert bench["request_throughput"] * bench["duration"] == pytest.approx(300)
    assert len(bench["ttfts"]) == len(bench["start_times"]) == bench["num_prompts"] == 300
    assert bench["model_id"] == "llama3-8b"  # by which collectors tell results apart
    for name in ("ttft", "tpot", "itl", "e2el"):
        for key in ("mean", "median", "std", "p99"):
            assert bench[f"{key}_{name}_ms"] >= 0
    json.dumps(bench)


def test_the_same_seed_gives_the_same_run_and_another_one_another():
    def ends(seed):
        load = planned.Load(isl=256, osl=32, requests=100, seed=seed)
        plan = planned.run("llama3-8b", "trn3-gen2", load, rate=20.0, **SMALL)
        return measures.Records(plan.served.run.records()).end

    assert np.array_equal(ends(1), ends(1))
    assert not np.array_equal(ends(1), ends(2))


def test_the_highest_rate_keeps_the_level_and_a_higher_one_does_not():
    plan = planned.plan("llama3-8b", "trn3-gen2", LOAD, "ttft=300ms,tpot=20ms", rate=500, **SMALL)
    best = plan.served
    assert best.good_share >= 0.99
    beyond = planned.serve(best.replica, LOAD, best.rate * 1.05, slo=plan.slo)
    assert beyond.good_share < 0.99
    assert plan.replicas == -(-500 // best.rate)


def test_a_level_that_nothing_keeps_has_no_plan():
    plan = planned.plan("llama3-8b", "trn3-gen2", LOAD, "ttft=1us", **SMALL)
    assert plan.served is None
    assert plan.chips == 0


def test_the_front_rises_for_users_as_it_falls_for_chips():
    plan = planned.plan("llama3-8b", "trn3-gen2", LOAD, draws_curve=True, **SMALL)
    chips = [one.values["output_tput_per_gpu"] for one in plan.front]
    users = [one.values["mean_intvty"] for one in plan.front]
    assert len(plan.front) > 3
    parts = reports.sheet_of(plan, "llama3-8b", "trn3-gen2").as_dict()["parts"]
    (curve,) = (part for part in parts if part["kind"] == "lines")
    expected = [list(point) for point in zip(users, chips, strict=True)]
    assert curve["series"][0]["points"] == expected
    assert chips == sorted(chips, reverse=True)
    assert users == sorted(users)


def test_dollars_and_joules_follow_from_chips_and_seconds():
    served = planned.run("llama3-8b", "trn3-gen2", LOAD, rate=20.0, **SMALL).served
    hourly = served.replica.found["usd_per_hour"]
    seconds, tokens = served.bench["duration"], served.bench["total_output_tokens"]
    wanted = hourly * seconds / 3600 / tokens * 1e6
    assert served.values["usd_per_million_output_tokens"] == pytest.approx(wanted)
    paid = measures.Records(served.run.records()).columns["joules"].sum()
    assert paid == pytest.approx(served.run.joules, rel=1e-9)
    assert served.values["joules_per_output_token"] * tokens >= paid


def test_drafts_that_are_accepted_raise_the_tokens_of_a_user():
    def speed(**options):
        plan = planned.run("llama3-8b", "trn3-gen2", LOAD, users=1, **SMALL, **options)
        return plan.served.values["mean_intvty"]

    assert speed(draft_tokens=3, acceptance=0.8) > 1.5 * speed()
    assert speed(draft_tokens=3, acceptance=0.0) < speed()


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"tp": 1, "weights": "bf16", "model": "llama3-405b"}, "serve.fit"),
        ({"tp": -1}, "tp is 1 to"),
        ({"tp": 0}, "tp is 1 to"),
        ({"step_tokens_max": 0}, "step_tokens_max is 1 to"),
        ({"chunk_tokens_max": 2**40}, "chunk_tokens_max is 1 to"),
        ({"waiting_max": 0}, "waiting_max is 1 to"),
        ({"host_us": -5.0}, "host_us"),
        ({"host_us": float("nan")}, "host_us"),
        ({"acceptance": 2.0, "draft_tokens": 1}, "acceptance"),
        ({"model": "gpt-99"}, "model.not_found"),
        ({"on": "h9000"}, "h9000"),
        ({"requests_max": 0}, "requests_max"),
    ],
)
def test_what_cannot_be_is_refused(options, says):
    options = {"model": "llama3-8b", "on": "trn3-gen2", "tp": 1} | options
    model, machine = options.pop("model"), options.pop("on")
    with pytest.raises((trainyard.InputError, UsageError, TypeError), match=says):
        planned.run(model, machine, LOAD, rate=1.0, **options)


def test_simulated_layers_are_kept_and_their_error_is_told(tmp_path, monkeypatch):
    from trainyard.serving import layer_times, reports

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    load = planned.Load(isl=120, osl=8, requests=20)
    options = SMALL | {"requests_max": 4, "chunk_tokens_max": 128, "simulated": True}

    def text():
        plan = planned.run("llama3-8b", "trn3-gen2", load, rate=2.0, **options)
        return list(reports.lines(plan, "llama3-8b", "trn3-gen2"))

    first = text()
    assert sum("the table is" in line for line in first) == 2

    def refuse(*_):
        raise AssertionError("a point that is known is simulated again")

    monkeypatch.setattr(layer_times, "simulate", refuse)
    assert text() == first


@pytest.mark.parametrize("fields", [{"seed": -1}, {"requests": 2**40}, {"shared": -1}])
def test_a_load_that_cannot_be_is_refused(fields):
    with pytest.raises(UsageError, match=next(iter(fields))):
        planned.Load(**fields)


def test_a_model_too_large_for_one_chip_is_served_by_several():
    plan = planned.run("llama3-405b", "trn3-gen2", planned.Load(requests=20), rate=1.0)
    assert plan.served.replica.tp > 1 and plan.served.bench["completed"] == 20
    with pytest.raises(trainyard.InputError, match=r"serve\.fit"):
        planned.run("llama3-405b", "trn3-gen2", planned.Load(requests=20), rate=1.0, tp=1)


def test_a_model_of_experts_is_spread_over_groups():
    plan = planned.run("deepseek-v3", "trn3-gen2", planned.Load(requests=20), rate=1.0)
    assert plan.served.replica.dp > 1 and plan.served.bench["completed"] == 20


MOE = "qwen3-30b-a3b"


def test_a_few_requests_wait_for_the_busiest_core_of_whole_experts():
    """Of many requests every core has as much; a step of few takes the time of the busiest."""
    seconds = {}
    for ep in ("no", "yes"):
        asked = replicas.Asked("deepseek-v3", "trn3-gen2", tp=16, ep=ep, requests_max=1024)
        replica = replicas.build(asked, 256, 32, 300)
        assert replica.ep == ep
        for many in (1, 1024):
            rows = [(i, 200, 1, True) for i in range(many)]
            seconds[ep, many] = _core.step_cost([], rows, 0, replica.costs)[0]
    assert seconds["yes", 1] > 1.2 * seconds["no", 1]
    assert seconds["yes", 1024] < 1.15 * seconds["no", 1024]


def test_both_ways_to_share_experts_are_tried_with_every_tp():
    plan = planned.plan(MOE, "trn3-gen2", LOAD, rate=5)
    found = {(one.tp, one.dp, one.ep) for one, _ in plan.tried}
    assert {(1, 1, "no"), (1, 1, "yes"), (4, 1, "no"), (4, 1, "yes")} <= found
    assert any(dp > 1 for _, dp, _ in found)
    best = max(
        (served for _, served in plan.tried if served),
        key=lambda one: one.rate / one.replica.chips,
    )
    assert plan.served is best
    assert "tp 4, dp 1, experts whole on cores" in "\n".join(reports.lines(plan, MOE, "trn3-gen2"))


def test_auto_takes_what_makes_the_largest_step_faster():
    made = {
        ep: replicas.build(replicas.Asked(MOE, "trn3-gen2", tp=1, ep=ep), 256, 32, 300)
        for ep in ("no", "yes", "auto")
    }
    rows = [(i, 272, 1, True) for i in range(256)]
    seconds = {
        ep: _core.step_cost([(256, 0, 300, True)], rows, 0, one.costs)[0]
        for ep, one in made.items()
    }
    assert seconds["auto"] == min(seconds.values())
    assert made[made["auto"].ep].costs is not None


def test_experts_that_cores_do_not_divide_lie_in_parts():
    asked = replicas.Asked("mixtral-8x7b", "trn3-gen2", tp=4)
    assert replicas.build(asked, 256, 32, 300).ep == "no"
    with pytest.raises(trainyard.InputError, match=r"serve\.experts: 8 experts on 4 chips of 4"):
        replicas.build(replicas.Asked("mixtral-8x7b", "trn3-gen2", tp=4, ep="yes"), 256, 32, 300)
    with pytest.raises(UsageError, match="--ep yes is for a model that has experts"):
        replicas.build(replicas.Asked("llama3-8b", "trn3-gen2", tp=1, ep="yes"), 256, 32, 300)
    with pytest.raises(UsageError, match="ep is no, yes, auto, not both"):
        replicas.Asked("llama3-8b", "trn3-gen2", ep="both")


def test_simulated_layers_have_the_experts_as_they_lie(tmp_path, monkeypatch):
    """A strip of each expert on a core is another program than whole ones of some."""
    pytest.importorskip("jax")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    few = {"requests_max": 2, "chunk_tokens_max": 64, "simulated": True}
    seconds = {}
    for ep in ("no", "yes", "auto"):
        asked = replicas.Asked(MOE, "trn3-gen2", tp=1, ep=ep, **few)
        replica = replicas.build(asked, 64, 16, 80)
        rows = [(0, 70, 1, True), (1, 70, 1, True)]
        seconds[ep] = _core.step_cost([(2, 0, 64, True)], rows, 0, replica.costs)[0]
    assert seconds["no"] > 1.2 * seconds["yes"]
    assert seconds["auto"] == seconds["yes"]


def explained(tp, host_us=0.0):
    """(depth, name, ms) of the lines that add up."""
    load = planned.Load(isl=700, osl=20, requests=50)
    options = {"rate": 5, "watched": 7, "tp": tp, "host_us": host_us}
    plan = planned.run("llama3-8b", "trn3-gen2", load, **options)
    text = "\n".join(reports.explain_request(plan.served, 7))
    found = re.findall(r"^( +)([a-z][a-z', ]+[a-z]) +([\d.]+) ms +[\d.]+ %", text, re.M)
    return [(len(indent), name, float(ms)) for indent, name, ms in found]


def test_a_request_is_told_what_its_steps_were_made_of():
    """Phases add up to the latency, and parts to their phase."""
    for tp in (1, 4):
        rows = explained(tp)
        whole = {name: ms for depth, name, ms in rows if depth == 2}
        latency = whole.pop("latency")
        assert list(whole)[1:3] == ["prompt", "decoding"]
        assert sum(whole.values()) == pytest.approx(latency, abs=0.01)
        parts = sum(ms for depth, _, ms in rows if depth == 4)
        assert parts == pytest.approx(whole["prompt"] + whole["decoding"], abs=0.01)
        assert min(ms for *_, ms in rows) >= 0


def test_what_a_request_is_told_follows_the_plan():
    def total(rows, part):
        return sum(ms for _, name, ms in rows if name == part)

    one, four, slow = explained(1), explained(4), explained(4, host_us=500.0)
    assert total(four, "collectives") > total(one, "collectives")
    assert total(four, "computing") < 0.5 * total(one, "computing")
    steps = 2 + 19  # pieces of the prompt, and tokens behind the first
    added = total(slow, "launches and scheduling") - total(four, "launches and scheduling")
    assert added == pytest.approx(steps * 0.5)
    assert total(slow, "computing") == pytest.approx(total(four, "computing"))
