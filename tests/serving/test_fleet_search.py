"""Does the search over fleets find the fewest chips, and say truly why not fewer?"""

import csv
import io
import json

import pytest
from trainyard.serving import fleet_reports, fleet_search, fleets, planned, traces
from trainyard.usage import UsageError

SLO = "ttft=300ms,tpot=20ms"


def plan(model="llama3-8b", machine="h100", rate=100.0, **options):
    load = planned.Load(isl=700, osl=100, requests=1500, seed=5)
    return fleet_search.plan(model, machine, load, SLO, rate, weights="bf16", **options)


def test_no_neighbour_with_fewer_chips_keeps_the_level():
    found = plan()
    best = found.best
    assert best is not None and found.checked >= 0.99
    replica, fleet = best.served.replica, best.served.fleet
    asked = planned.Load(isl=700, osl=100, requests=2000, seed=5)
    for writers, readers in (
        (fleet.replicas - 1, fleet.readers),
        (fleet.replicas, fleet.readers - 1),
    ):
        if writers < 1 or readers < min(1, fleet.readers):
            continue
        fewer = fleets.Fleet(writers, readers)
        served = fleets.serve(replica, asked, fewer, 100.0, best.served.slo)
        assert served.good_share < 0.99
    kinds = {(one.served.replica.tp, one.served.fleet.readers > 0) for one in found.tried}
    assert len({tp for tp, _ in kinds}) >= 2 and {apart for _, apart in kinds} == {False, True}
    assert str(max(one.chips for one in found.tried if one.chips < best.chips)) in (
        found.why_not_fewer()
    )


def test_more_users_need_more_chips_and_a_better_level_too():
    few, many = (plan(rate=rate, chunks=(512,)) for rate in (40.0, 160.0))
    assert few.chips < many.chips
    load = planned.Load(isl=700, osl=100, requests=1500, seed=5)
    strict = fleet_search.plan(
        "llama3-8b",
        "h100",
        load,
        "ttft=300ms,tpot=9ms",
        160.0,
        weights="bf16",
        chunks=(512,),
    )
    assert strict.chips is None or strict.chips > many.chips


def test_a_trace_is_served_as_it_was_recorded(tmp_path):
    rows = ["TIMESTAMP,ContextTokens,GeneratedTokens"]
    for i in range(600):  # a burst in each second minute
        second = i / 20 if i % 2 else 30 + i / 100
        at = f"2024-05-10 00:{int(second) // 60:02}:{second % 60:09.6f}"
        rows.append(f"{at},{300 + i},{20 + i % 50}")
    path = tmp_path / "trace.csv"
    path.write_text("\n".join([rows[0], *sorted(rows[1:])]) + "\n")
    load = planned.Load(trace=traces.read_trace(path))
    found = fleet_search.plan("llama3-8b", "trn3-gen2", load, SLO, tp=1, weights="fp8")
    assert found.best is not None and found.rate == pytest.approx(load.trace.rate)
    assert found.best.served.bench["completed"] == 600
    assert {one.served.replica.tp for one in found.tried} == {1}


@pytest.mark.parametrize(
    ("slo", "batch"),
    [("ttft=20s,tpot=12ms", range(64, 256)), ("ttft=1s,tpot=200ms", range(257, 2048))],
)
def test_requests_at_once_are_as_many_as_the_level_lets(slo, batch):
    load = planned.Load(isl=300, osl=300, requests=2400)
    options = {"weights": "fp8", "tp": 1, "chunks": (512,)}
    free, fixed = (
        fleet_search.plan("llama3-8b", "trn3-gen2", load, slo, 80.0, batches=batches, **options)
        for batches in (fleet_search.BATCHES, (256,))
    )
    ((found, rate),) = free.alone
    assert found.asked.requests_max in batch
    assert rate > fleet_search.BETTER * fixed.alone[0][1]
    assert free.best.batch == found.asked.requests_max and free.chips <= fixed.chips
    assert fixed.best.batch == 256


def test_what_is_told_is_what_was_tried():
    found = plan(tp=1, chunks=(512,))
    document = json.loads(json.dumps(fleet_reports.as_dict(found)))
    assert document["chips"] == found.chips == document["tried"][0]["chips"]
    table = list(csv.DictReader(io.StringIO(fleet_reports.as_csv(found))))
    assert len(table) == len(found.tried)
    assert {row["chunk"] for row in table} == {"512"}
    text = "\n".join(fleet_reports.lines(found, "llama3-8b", "h100"))
    assert f"fewest: {found.chips} chips" in text and "why not fewer" in text
    assert "llama3-8b" in fleet_reports.sheet_of(found, "llama3-8b", "h100").page()


def test_experts_spread_over_groups_and_refusals():
    found = fleet_search.plan(
        "qwen3-30b-a3b", "h100", planned.Load(requests=600), SLO, 40.0, chunks=(512,)
    )
    assert any(replica.dp > 1 for replica, _ in found.alone)
    with pytest.raises(UsageError, match="a rate"):
        fleet_search.plan("llama3-8b", "h100", planned.Load(requests=100), SLO)
    none = plan(machine="trn1", tp=1, rate=5.0, chunks=(512,))
    assert none.best is None and none.chips is None
