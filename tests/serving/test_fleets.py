"""Are fleets of the planned engine read as they are meant, and paid for while they are there?"""

import json

import numpy as np
import pytest
import trainyard
from trainyard import _core
from trainyard.serving import fleets, measures, planned, reports
from trainyard.serving.fleets import Fleet, Outage, Scaling
from trainyard.usage import UsageError

LOAD = planned.Load(isl=512, osl=64, requests=600)
ONE = {"tp": 1, "weights": "fp8"}


def run(fleet, rate=60.0, load=LOAD, **options):
    return fleets.run("llama3-8b", "trn3-gen2", load, fleet, rate=rate, **ONE, **options)


def test_a_fleet_of_one_serves_and_costs_as_a_replica_does():
    alone = planned.run("llama3-8b", "trn3-gen2", LOAD, rate=20.0, **ONE).served
    fleet = run(Fleet(), rate=20.0).served
    assert fleet.bench == pytest.approx(alone.bench, rel=1e-9)
    for name, value in alone.values.items():
        assert fleet.values[name] == pytest.approx(value, rel=1e-6), name


def test_a_level_that_one_keeps_alone_is_kept_by_many_at_so_many_times_the_rate():
    alone = planned.run("llama3-8b", "trn3-gen2", LOAD, rate=15.0, **ONE).served
    fleet = run(Fleet(replicas=4), rate=60.0, load=planned.Load(512, 64, requests=2400)).served
    assert fleet.bench["p99_tpot_ms"] < 1.1 * alone.bench["p99_tpot_ms"]
    assert fleet.values["output_tput_per_gpu"] == pytest.approx(
        alone.values["output_tput_per_gpu"], rel=0.1
    )


def test_what_is_sent_takes_the_time_of_its_bytes():
    served = run(Fleet(replicas=1, readers=1), rate=5.0).served
    told = served.replica.found
    bytes_ = 512 * told["cache_bytes_per_token"]
    wanted = told["send_latency"] + bytes_ / told["send_bytes_per_second"]
    found = served.as_dict()["fleet"]
    assert found["mean_sent_ms"] >= 1e3 * wanted * 0.999
    assert found["mean_sent_ms"] < 1e3 * wanted * 1.5  # some wait for the one before
    assert found["readers"] == 1 and served.bench["completed"] == 600


def test_prompts_that_others_read_hold_no_answer_up():
    load = planned.Load(isl=4096, osl=128, requests=400)
    shared = run(Fleet(replicas=3), rate=12.0, load=load).served
    split = run(Fleet(replicas=1, readers=2), rate=12.0, load=load).served
    assert split.bench["p99_itl_ms"] < 0.7 * shared.bench["p99_itl_ms"]


def test_a_lost_replica_fails_nobody_and_all_lost_fail_the_rest():
    one = run(Fleet(replicas=2, outages=(Outage(0, 3.0),))).served
    assert one.bench["failed"] == 0 and one.run.moved > 0
    both = run(Fleet(replicas=2, outages=(Outage(0, 3.0), Outage(1, 4.0)))).served
    assert 0 < both.bench["failed"] < 600
    assert both.bench["completed"] + both.bench["failed"] == 600
    lines = list(reports.lines(run(Fleet(replicas=2, outages=(Outage(0, 3.0),))), "m", "on"))
    assert any("requests moved, 0 failed" in line for line in lines)


def test_a_fleet_that_scales_costs_less_than_the_same_peak():
    rows, at = [], 0.0
    for rate, seconds in ((4, 60), (60, 60), (4, 120)):
        for _ in range(rate * seconds):
            rows.append((round(at * _core.TICKS_PER_SECOND), 512, 64, ()))
            at += 1 / rate
    from trainyard.serving.traces import Trace

    load = planned.Load(trace=Trace("t", tuple(rows)))
    policy = Scaling(target=12, least=1, most=4, every=5, patience=20)
    scaled = run(Fleet(scaling=policy, cold_start=10.0), rate=None, load=load).served
    fixed = run(Fleet(replicas=4), rate=None, load=load).served
    assert scaled.bench["completed"] == fixed.bench["completed"] == len(rows)
    assert scaled.chip_seconds < 0.7 * fixed.chip_seconds
    assert scaled.values["usd_per_million_output_tokens"] < (
        0.7 * fixed.values["usd_per_million_output_tokens"]
    )
    assert scaled.bench["p99_ttft_ms"] > fixed.bench["p99_ttft_ms"]  # the price of the cold start
    sizes = scaled.as_dict()["fleet"]["sizes"]
    assert sizes[0]["serving"] == sizes[-1]["serving"] == 1
    assert max(one["serving"] for one in sizes) > 2
    at_once = run(Fleet(scaling=policy, cold_start=0.0), rate=None, load=load).served
    assert at_once.bench["p99_ttft_ms"] < scaled.bench["p99_ttft_ms"]


def test_a_cold_start_is_the_weights_over_pcie_unless_it_is_stated():
    replica = run(Fleet()).served.replica
    found = Fleet(scaling=Scaling(8)).start_seconds(replica)
    weights = replica.found["weight_bytes"]
    assert 6e9 < weights < 10e9  # of 8 billion parameters in FP8
    figures = {
        one["key"]: float(one["value"])
        for one in trainyard.load_machine("trn3").provenance()
        if one["key"].startswith("host.pcie")
    }
    assert found == pytest.approx(weights / (figures["host.pcie"] * 1e9), rel=0.01)
    assert Fleet(cold_start=90).start_seconds(replica) == 90


def test_guesses_of_layers_cost_what_those_layers_take():
    def seconds(**options):
        served = planned.run("llama3-8b", "trn3-gen2", LOAD, rate=2.0, **ONE, **options).served
        return served.replica.costs.decode.at(8, 512)[0]

    plain, free = seconds(), seconds(draft_tokens=3)
    some, more = (seconds(draft_tokens=3, draft_layers=layers) for layers in (4, 8))
    assert plain <= free < some < more
    # Four layers more, three times; what does not depend on layers is in both.
    assert more - some == pytest.approx(3 * plain * 4 / 32, rel=0.35)


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: Fleet(replicas=0), "replicas is 1"),
        (lambda: Fleet(readers=-1), "readers is 0"),
        (lambda: Fleet(routing="best"), "routing"),
        (lambda: Fleet(cold_start=-1.0), "cold_start is 0 to"),
        (lambda: Outage.parse("replica:1"), "no fault"),
        (lambda: Outage.parse("replica:1@5=down"), "no fault"),
        (lambda: Outage.parse("chip:1@5s=down"), "no fault"),
        (lambda: Scaling.parse(""), "no part"),
        (lambda: Scaling.parse("target=x"), "no part"),
        (lambda: Scaling.parse("target=0"), "target"),
        (lambda: Scaling.parse("least=1"), "target"),
        (lambda: Scaling.parse("target=1.2.3"), "no number"),
        (lambda: Scaling.parse("target=8,least=1.5"), "no number"),
        (lambda: Scaling.parse("target=8,every=5"), "no part"),
        (lambda: run(Fleet(outages=(Outage(1, 3.0),))), r"serve\.fleet"),
        (lambda: run(Fleet(replicas=3, scaling=Scaling(8, 1, 2))), r"serve\.fleet"),
        (lambda: run(Fleet(), draft_tokens=2, draft_layers=32), r"serve\.draft"),
    ],
)
def test_what_cannot_be_is_refused(make, says):
    with pytest.raises((UsageError, trainyard.InputError), match=says):
        make()


def test_parts_of_a_policy_and_of_a_fault_are_read():
    assert Scaling.parse("target=24,least=2,most=9,every=500ms,patience=2min") == Scaling(
        24, 2, 9, 0.5, 120
    )
    assert Outage.parse("replica:3@1.5s=down+2min") == Outage(3, 1.5, 121.5)
    assert Outage.parse("replica:0@0s=down").until is None


def test_the_command_runs_a_fleet(capsys):
    from trainyard.__main__ import main

    words = "plan serve llama3-8b --on trn3-gen2 --tp 1 --weights fp8 --at 30 --requests 200"
    fleet = "--replicas 2 --readers 1 --fault replica:0@2s=down+1s --routing prefix"
    assert main([*words.split(), *fleet.split(), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["served"]["fleet"]
    assert found["replicas"] == 2 and found["readers"] == 1 and found["routing"] == "prefix"
    assert main([*words.split(), "--replicas", "2", "--users", "9", "--questions-per-hour", "1"])


def test_records_of_a_fleet_add_up():
    served = run(Fleet(replicas=2, readers=1)).served
    columns = measures.Records(served.run.records()).columns
    assert columns["joules"].sum() == pytest.approx(served.run.joules, rel=1e-9)
    assert np.all(columns["output"] == 64)
