"""Do replicas behind a router serve as the planned fleet does, with the tokens of one alone?"""

import threading
from dataclasses import replace

import numpy as np
import openai
import pytest
from http_server import TERMINATED, Process
from trainyard import _core
from trainyard.serving import placeholders, replicas, several, stepping
from trainyard.usage import UsageError

SECOND = _core.TICKS_PER_SECOND


def serve(server, requests):
    """All of them, each let in when the clock reaches its arrival; records in the order given."""
    waiting = sorted(requests, key=lambda one: one.arrival)
    numbers, tokens = {}, {}
    while waiting or not server.scheduler.is_idle:
        first = round(waiting[0].arrival * SECOND) if waiting else None
        if first is not None and (first <= server.now or server.scheduler.is_idle):
            server.now = max(server.now, first)
            one = waiting.pop(0)
            numbers[server.add(one)] = requests.index(one)
            continue
        for number, chosen in server.step(lambda _, __: False, first).items():
            tokens.setdefault(numbers[number], []).extend(one.token for one in chosen)
    records = {place: server.scheduler.record(number) for number, place in numbers.items()}
    return [(tokens[place], records[place]) for place in range(len(requests))]


def test_tokens_are_those_of_one_alone_and_time_is_shared(requests_of, engine):
    requests = requests_of(5, 12, rate=6000.0)
    _, alone = stepping.serve(engine, requests, stops=False)

    def served(routing):
        engines = several.engines_of(engine, 3)
        assert engines[1].programs is engine.programs
        servers = [stepping.Server(one) for one in engines]
        found = several.Replicas(servers, several.Router(routing, 16))
        results = serve(found, requests)
        assert [one[0] for one in results] == [one[0] for one in alone]
        counts = [one.scheduler.counters()["generated_tokens"] for one in servers]
        assert min(counts) > 0
        assert found.busy == sum(one.busy for one in servers)
        return max(record["end"] for _, record in results)

    together = served("least")
    assert together < 0.7 * max(record["end"] for _, record, _ in alone)
    assert served("round-robin") < max(record["end"] for _, record, _ in alone)


@pytest.mark.parametrize(("rate", "many"), [(8.0, 2), (60.0, 3), (400.0, 4)])
def test_times_are_those_of_the_planned_fleet(rate, many):
    random = np.random.default_rng(11)
    requests = [
        stepping.Asked(
            random.integers(0, 1 << 30, random.integers(5, 2000)).tolist(),
            int(random.integers(2, 120)),
            arrival=float(at),
            ignores_eos=True,
        )
        for at in np.cumsum(random.exponential(1 / rate, 200))
    ]
    engine = placeholders.load(replicas.Asked("llama3-8b", "trn3-gen2", tp=1), 4096)
    servers = [placeholders.Server(one) for one in several.engines_of(engine, many)]
    found = serve(several.Replicas(servers, several.Router("least", 16)), requests)
    fleet = _core.FleetSettings()
    fleet.replicas, fleet.routing = many, 2  # least, as serving::Routing has it
    run = _core.fleet_trace(
        [(round(one.arrival * SECOND), len(one.prompt), one.output, ()) for one in requests],
        0,
        engine.limits.settings,
        engine.replica.costs,
        _core.ServingSimulation(),
        fleet,
    )
    wanted = {name: np.frombuffer(held, kind) for name, (kind, held) in run.records().items()}
    for name in ("first_scheduled", "first_token", "end"):
        assert [record[name] for _, record in found] == wanted[name].tolist(), name


def test_who_leaves_during_a_step_is_dropped_at_its_end(requests_of, engine):
    requests = requests_of(6, 4, rate=1e9, output=(8, 9))
    servers = [stepping.Server(one) for one in several.engines_of(engine, 2)]
    found = several.Replicas(servers, several.Router("round-robin", 16))
    numbers = [found.add(replace(one, arrival=0.0)) for one in requests]
    found.step()  # another step is under way
    assert found.first_end is not None
    for number in numbers[:3]:
        found.cancel(number)
    given = []
    while not found.scheduler.is_idle:
        given += found.step(lambda _, __: False)
    assert set(given) == {numbers[3]}
    states = [found.scheduler.record(number)["state"] for number in numbers]
    assert states == ["cancelled"] * 3 + ["finished"]
    assert found.scheduler.used_blocks == 0


def test_a_beginning_goes_where_it_is_known_unless_there_is_a_crowd():
    router = several.Router("prefix", 4)
    first, other = (stepping.Asked([one] * 8, 1) for one in (1, 2))
    assert router.choose(first, [0, 0, 0]) == 0
    assert router.choose(other, [1, 0, 0]) == 1
    assert router.choose(first, [1, 1, 0]) == 0
    assert router.choose(first, [8, 1, 0]) == 2
    assert router.choose(stepping.Asked([1], 1), [3, 2, 1]) == 2
    with pytest.raises(UsageError, match="a routing is"):
        several.Router("best", 4)


def test_replicas_serve_over_http_at_a_pace():
    served = ("--planned", "--tp", "1", "--replicas", "2", "--pace", "2", "--answer-tokens", "60")
    server = Process(*served, model="llama3-8b")
    found = []

    def ask():
        messages = [{"role": "user", "content": "Why?"}]
        answer = server.client.chat.completions.create(model="llama3-8b", messages=messages)
        found.append(answer.trainyard["requests"][0])

    threads = [threading.Thread(target=ask) for _ in range(6)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert {one["request"] % 2 for one in found} == {0, 1}
    assert all(one["queue_s"] < 0.1 for one in found)
    assert server.metric("vllm:generation_tokens_total") == 6 * 60
    with pytest.raises(openai.BadRequestError, match="embeddings"):
        server.client.embeddings.create(model="", input="Why?")
    assert server.stop() == TERMINATED
