"""Do replicas behind a router serve as the planned fleet does, with the tokens of one alone?"""

import threading
from dataclasses import replace

import numpy as np
import openai
import pytest
from http_server import MODEL, TERMINATED, Process, complete
from trainyard import _core
from trainyard.serving import (
    drafts,
    exact,
    fleets,
    losses,
    models,
    placeholders,
    replicas,
    several,
    stepping,
)
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


LOSSES = ("replica:0@1s=down+2s", "replica:1@1500ms=down", "replica:0@4s=down+1s")
READERS_LOST = ("replica:2@1s=down+2s", "replica:1@1500ms=down+500ms", "replica:3@2500ms=down")


@pytest.mark.parametrize(
    ("rate", "many", "readers", "faults"),
    [
        *((8.0, 2, 0, ()), (60.0, 3, 0, ()), (400.0, 4, 0, ())),
        *((60.0, 2, 0, LOSSES), (60.0, 3, 0, LOSSES)),
        *((8.0, 1, 1, ()), (60.0, 2, 1, ()), (400.0, 3, 2, ()), (60.0, 2, 2, READERS_LOST)),
        *((60.0, 2, 1, LOSSES), (200.0, 3, 2, LOSSES)),
    ],
)
def test_times_are_those_of_the_planned_fleet(rate, many, readers, faults):
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
    # Who is read again by the reader that read them finds them there; the fleet knows no tokens.
    asked = replicas.Asked("llama3-8b", "trn3-gen2", tp=1, caches_prefixes=readers == 0)
    engine = placeholders.load(asked, 4096)
    servers = [placeholders.Server(one) for one in several.engines_of(engine, many + readers)]
    lost = [losses.Loss.parse(text) for text in faults]
    losses.check(lost, many + readers)
    together = several.Replicas(servers, several.Router("least", 16), lost, readers)
    found = serve(together, requests)
    fleet = fleets.Fleet(many, readers).core(engine.replica, 0)
    fleet.routing = 2  # least, as serving::Routing has it
    for one in lost:
        fleet.add_outage(one.replica, one.at, -1 if one.back is None else one.back)
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
    assert together.moved == run.moved and (together.moved > 0) == bool(faults)
    assert together.sent_ticks == run.sent_ticks and (run.sent_ticks > 0) == (readers > 0)
    assert together.joules == pytest.approx(run.joules)


@pytest.mark.parametrize("kind", ["plain", "drafted", "crowded", "narrow cache"])
def test_tokens_of_prompts_that_others_read_are_those_of_one_alone(requests_of, kind):
    limits = exact.Limits(blocks=64, chunks=(16, 64), contexts=(64, 128, 256))
    if kind == "drafted":
        limits = replace(limits, draft=drafts.Draft(2, 1))
    if kind == "crowded":
        limits = replace(limits, blocks=18, swaps=True, batches=(4,))
    cache = "fp8_e4m3" if kind == "narrow cache" else ""
    engine = exact.Engine(models.load("random-2x64"), limits=limits, cache=cache)
    requests = requests_of(8, 14, rate=6000.0)
    _, alone = stepping.serve(engine, requests, stops=False)
    engine.join()
    servers = [stepping.Server(one) for one in several.engines_of(engine, 4)]
    together = several.Replicas(servers, several.Router("least", 16), readers=2)
    found = serve(together, requests)
    assert [tokens for tokens, _ in found] == [one[0] for one in alone]
    read = [one.scheduler.counters()["generated_tokens"] for one in servers[2:]]
    assert sum(read) == len(requests) and min(read) > 0
    written = sum(one.scheduler.counters()["prompt_tokens"] for one in servers[:2])
    assert written == 0 or kind == "crowded"  # whose prompts are read again
    # A float32 of each of 2 layers, keys and values, over links of less than 1 TB/s.
    seconds = together.sent_ticks / SECOND / len(requests)
    assert 64 * 2 * 2 * 4 * 10 / 1e12 < seconds < 1e-4


def test_a_reader_and_a_writer_need_places_of_their_own():
    engine = exact.Engine(models.load("random-1x1024"), cores=4)
    with pytest.raises(UsageError, match="devices of their own"):
        engine.join()


def test_tokens_of_requests_that_move_are_those_of_one_alone(requests_of, engine):
    requests = requests_of(7, 10, rate=4000.0)
    _, alone = stepping.serve(engine, requests, stops=False)
    end = max(record["end"] for _, record, _ in alone) / SECOND
    faults = f"replica:1@{end / 4 * 1e3:.3f}ms=down", f"replica:0@{end / 3 * 1e3:.3f}ms=down+1ms"
    servers = [stepping.Server(one) for one in several.engines_of(engine, 2)]
    lost = [losses.Loss.parse(text) for text in faults]
    together = several.Replicas(servers, several.Router("round-robin", 16), lost)
    found = serve(together, requests)
    assert together.moved > 0 and len(together.lost) == 2
    assert [tokens for tokens, _ in found] == [one[0] for one in alone]
    for (_, record), one in zip(found, requests, strict=True):
        assert record["arrival"] == round(one.arrival * SECOND)
        assert record["arrival"] <= record["first_scheduled"] <= record["first_token"]
        assert record["first_token"] <= record["end"] and record["state"] == "finished"


def test_where_no_replica_is_left_requests_fail():
    faults = ("--fault", "replica:0@5ms=down", "--fault", "replica:1@3ms=down")
    server = Process("--replicas", "2", *faults)
    with pytest.raises(openai.InternalServerError, match="as the last one") as error:
        server.client.completions.create(model=MODEL, prompt="a" * 60, max_tokens=400)
    assert error.value.status_code == 503 and error.value.code == "device_lost"
    with pytest.raises(openai.InternalServerError, match="lost"):
        server.client.completions.create(model=MODEL, prompt="a", max_tokens=2)
    assert server.metric("trn3_device_losses_total") == 2
    assert server.stop() == TERMINATED


def test_replicas_compute_embeddings_between_steps():
    encoder = "random-encoder-2x64"
    alone, many = (Process("--embeddings", encoder, *more) for more in ((), ("--replicas", "2")))
    texts = [f"text {one}" for one in range(20)]
    vectors = []
    for server in (alone, many):
        asked = threading.Thread(
            target=server.client.completions.create,
            kwargs={"model": MODEL, "prompt": "abc", "max_tokens": 60},
        )
        asked.start()
        answer = server.client.embeddings.create(model=encoder, input=texts)
        asked.join()
        vectors.append([one.embedding for one in answer.data])
        assert answer.trainyard["requests"][0]["e2e_s"] > 0
        assert encoder in [one.id for one in server.client.models.list().data]
        assert server.stop() == TERMINATED
    assert vectors[0] == vectors[1]


@pytest.mark.parametrize(
    ("fault", "replicas", "what"),
    [
        ("core@2s=down", 2, "replica:1@2s=down"),
        ("replica:0@2s=down", 1, "core@2s=down"),
        ("replica:2@2s=down", 2, "no replica 2 of 2"),
    ],
)
def test_a_fault_of_what_is_not_there_is_refused(fault, replicas, what):
    with pytest.raises(UsageError, match=what):
        losses.check([losses.Loss.parse(fault)], replicas)


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


def test_who_leaves_on_the_way_from_a_reader_is_over(requests_of, engine):
    requests = requests_of(6, 6, rate=1e9, output=(8, 9))
    engine.join()
    servers = [stepping.Server(one) for one in several.engines_of(engine, 2)]
    found = several.Replicas(servers, several.Router("least", 16), readers=1)
    numbers = [found.add(replace(one, arrival=0.0)) for one in requests]
    while not found.scheduler.flying:
        found.step()
    left = next(iter(found.scheduler.flying))
    found.cancel(left)
    given = []
    while not found.scheduler.is_idle:
        given += found.step(lambda _, __: False)
    assert set(given) == set(numbers) - {left}
    states = {number: found.scheduler.record(number)["state"] for number in numbers}
    assert {number for number, state in states.items() if state != "finished"} == {left}
    assert states[left] == "cancelled" and found.scheduler.used_blocks == 0


def test_readers_serve_over_http_and_are_lost():
    alone = Process()
    wanted = [complete(alone, f"a text {i}").choices[0].text for i in range(4)]
    assert alone.stop() == TERMINATED
    server = Process("--readers", "1", "--fault", "replica:1@1s=down")
    for i in range(4):
        answer = complete(server, f"a text {i}")
        assert answer.choices[0].text == wanted[i]
        assert answer.trainyard["requests"][0]["replica"] == 0
    assert server.metric("vllm:generation_tokens_total") == 4 * 6
    assert len(list(complete(server, "a text 0", stream=True))) == 6
    with pytest.raises(openai.InternalServerError, match="replica 1") as error:
        complete(server, extra_body={"arrival": 1.5})
    assert error.value.code == "device_lost"
    assert server.stop() == TERMINATED


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


@pytest.mark.parametrize("readers", ["0", "1"])
def test_replicas_serve_over_http_at_a_pace(readers):
    served = ("--planned", "--tp", "1", "--replicas", "2", "--pace", "2", "--answer-tokens", "60")
    server = Process(*served, "--readers", readers, model="llama3-8b")
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
    assert {one["replica"] for one in found} == {0, 1}
    assert all(one["queue_s"] < 0.1 for one in found)
    assert server.metric("vllm:generation_tokens_total") == 6 * 60
    with pytest.raises(openai.BadRequestError, match="embeddings"):
        server.client.embeddings.create(model="", input="Why?")
    assert server.stop() == TERMINATED
