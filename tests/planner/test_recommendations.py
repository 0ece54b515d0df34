"""Does a recommendation enclose what a scheduler of requests finds, and refuse what is wrong?"""

import pytest
from trainyard import _core
from trainyard.planner.recommendations import recommend
from trainyard.serving import planned
from trainyard.usage import UsageError

SLO = "ttft=500ms,tpot=30ms"
# model, machine, tp, isl, osl: limits by tokens, by prompts, by memory.
LOADS = [
    ("llama3-70b", "trn3-gen2", 2, 1024, 128),
    ("llama3-70b", "trn3-gen2", 4, 2048, 64),
    ("llama3-70b", "h100", 4, 1024, 256),
    ("llama3-8b", "trn2", 1, 512, 256),
    ("llama3-8b", "h100", 1, 2048, 128),
    ("llama3-8b", "b200", 1, 256, 512),
    ("qwen3-32b", "b200", 1, 4096, 512),
    ("gpt-oss-120b", "gb300-nvl72", 1, 1024, 1024),
    ("mixtral-8x7b", "trn2", 4, 1024, 128),
]


@pytest.mark.parametrize("load", LOADS, ids=lambda load: "-".join(map(str, load)))
def test_plan_serve_lies_between_the_bounds(load):
    model, machine, tp, isl, osl = load
    served = planned.plan(
        model,
        machine,
        planned.Load(isl=isl, osl=osl, requests=2000),
        SLO,
        rate=100.0,
        tp=tp,
        dp=1,
        weights="fp8",
    )
    found = recommend(
        model, machine, rate=100.0, slo=SLO, tp=tp, dp=1, weights="fp8", disaggregated=False,
        input=isl, output=osl,
    )[machine]  # fmt: skip
    (one,) = found.sizings
    assert one.rate_low <= served.served.rate * (1 + planned.RATE_PRECISION)
    assert served.served.rate <= one.rate_high
    assert one.chips_low <= served.chips <= one.chips


# Nothing was chosen with these in sight.
OTHERS = [
    ("deepseek-v3", "gb300-nvl72", 1, 8, 1024, 256, "ttft=1s,tpot=50ms", {}),
    ("mistral-7b", "h200", 1, 1, 700, 90, "ttft=300ms,tpot=20ms", {}),
    ("llama2-13b", "tpu7", 1, 1, 333, 777, "ttft=400ms,tpot=25ms", {}),
    ("llama3-70b", "b200", 4, 1, 6000, 300, "ttft=2s,tpot=40ms", {"cache": "fp8"}),
    ("llama3-8b", "h100", 1, 1, 1024, 256, SLO, {"drafts": 2, "acceptance": 0.7}),
    ("llama3-8b", "inf2", 4, 1, 256, 128, "ttft=1s,tpot=60ms", {}),
]


@pytest.mark.parametrize("load", OTHERS, ids=lambda load: "-".join(map(str, load[:3])))
def test_plan_serve_lies_between_the_bounds_elsewhere(load):
    model, machine, tp, dp, isl, osl, slo, more = load
    plan = {"tp": tp, "dp": dp, "weights": "fp8"}
    names = {"drafts": "draft_tokens"}
    served = planned.plan(
        model,
        machine,
        planned.Load(isl=isl, osl=osl, requests=2000),
        slo,
        **plan,
        **{names.get(name, name): value for name, value in more.items()},
    ).served
    asked = {"input": isl, "output": osl, "rate": 1.0, "disaggregated": False}
    (one,) = recommend(model, machine, slo=slo, **plan, **asked, **more)[machine].sizings
    assert one.rate_low <= served.rate * (1 + planned.RATE_PRECISION)
    assert served.rate <= one.rate_high


def test_every_machine_is_sized_and_the_best_are_named():
    found = recommend("llama3-70b", users=10_000, slo=SLO)
    assert {one.machine for one in found} == set(_core.accelerators())
    chips = {one.machine: one.best.chips for one in found if one.best}
    assert found.fewest.best.chips == min(chips.values())
    dollars = [one.best.usd_per_hour for one in found if one.best and one.best.usd_per_hour]
    assert found.cheapest.best.usd_per_hour == min(dollars)
    assert "why not fewer" in str(found)
    assert found["trn4"].best is None or found["trn4"].best.usd_per_hour is None  # no price


def test_wide_expert_parallelism_is_tried():
    found = recommend("deepseek-v3", "gb300-nvl72", rate=500, slo="ttft=2s,tpot=50ms", output=1024)
    assert any(one.dp > 1 for one in found["gb300-nvl72"].sizings)


def test_drafts_and_a_narrow_cache_save_chips():
    asked = {"rate": 500, "slo": "ttft=2s,tpot=20ms", "input": 4096, "output": 1024}
    base = recommend("llama3-70b", "h100", **asked).fewest.best.chips
    drafted = recommend("llama3-70b", "h100", drafts=2, acceptance=0.8, **asked)
    assert drafted.fewest.best.chips < base
    narrow = recommend("llama3-70b", "h100", cache="fp8", **asked)
    assert narrow.fewest.best.chips <= base


def test_a_power_cap_is_kept():
    found = recommend("llama3-70b", "h100", users=10_000, power_cap=1000)["h100"]
    assert found.best is None
    assert "kW are the cap" in found.why


@pytest.mark.parametrize(
    ("options", "kind"),
    [
        ({}, UsageError),
        ({"users": 10, "rate": 1}, UsageError),
        ({"users": -1}, UsageError),
        ({"users": float("nan")}, UsageError),
        ({"rate": 1, "slo": "e2el=10s"}, UsageError),
        ({"rate": 1, "slo": "fast"}, UsageError),
        ({"rate": 1, "share": 2}, _core.InputError),
        ({"rate": 1, "acceptance": 2}, _core.InputError),
        ({"rate": 1, "input": 0}, _core.InputError),
        ({"rate": 1, "tp": 3}, _core.InputError),
        ({"rate": 1, "price": "gift"}, UsageError),
    ],
)
def test_what_cannot_be_meant_is_refused(options, kind):
    with pytest.raises(kind):
        recommend("llama3-70b", "h100", **options)


def test_a_model_without_tokens_is_refused():
    with pytest.raises(_core.InputError, match=r"plan\.input"):
        recommend("resnet-50", "h100", rate=1)


def test_a_replicas_cache_holds_what_its_memory_leaves():
    """Its bytes of a token were counted once for each layer."""
    load = planned.Load(isl=128, osl=16, requests=10)
    replica = planned.run("llama3-8b", "h100", load, rate=1.0, tp=1).served.replica
    per_token = 2 * 8 * 128 * 32 * 2  # keys and values of 8 heads, 32 layers, in bf16
    assert replica.found["cache_bytes_per_token"] == per_token
    assert 3e5 < replica.found["cache_tokens"] < 80e9 / per_token
