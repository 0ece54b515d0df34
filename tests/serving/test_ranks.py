"""Do ranks that exchange tokens for their experts give the tokens of one device, with the exchange
in their time?"""

import json
from dataclasses import replace

import pytest
from http_server import TERMINATED, Process
from trainyard.serving import exact, models, stepping, tables
from trainyard.serving.drafts import Draft
from trainyard.usage import UsageError

LIMITS = exact.Limits(blocks=32, batches=(1, 4), chunks=(32,), contexts=(64,))
MIXTRAL = "random-mixtral-2x128"


def served(requests, model, limits=LIMITS, ranks=1, **options):
    engine = exact.Engine(model, limits=limits, ranks=ranks, **options)
    server, found = stepping.serve(engine, requests, stops=False)
    return server, [one[0] for one in found], [one[1] for one in found]


@pytest.mark.parametrize(
    ("name", "ranks", "draft"),
    [
        *((MIXTRAL, 2, Draft()), (MIXTRAL, 4, Draft()), (MIXTRAL, 2, Draft(2, 1))),
        *(("random-gpt_oss-2x128", 2, Draft()), ("random-qwen3_moe-2x128", 2, Draft())),
    ],
)
def test_tokens_are_those_of_one_device(requests_of, name, ranks, draft):
    requests = requests_of(1, 7, rate=1e5, prompt=(4, 40), output=(4, 12))
    model, limits = models.load(name), replace(LIMITS, draft=draft)
    _, wanted, _ = served(requests, model, limits)
    server, found, records = served(requests, model, limits, ranks)
    assert found == wanted
    assert server.joules == pytest.approx(sum(one["joules"] for one in records))
    assert all(0 <= one["first_token"] <= one["end"] <= server.now for one in records)


@pytest.mark.parametrize("has_whole_experts", [False, True], ids=["parts", "whole"])
@pytest.mark.parametrize(
    ("name", "draft"),
    [
        *((MIXTRAL, Draft()), (MIXTRAL, Draft(2, 1))),  # plain
        ("random-gpt_oss-2x128", Draft()),  # biases of heads, of experts and behind sums; sinks
        ("random-qwen3_moe-2x128", Draft()),  # norms of heads
    ],
)
def test_ranks_of_several_devices_give_the_tokens_of_one(
    requests_of, name, draft, has_whole_experts
):
    requests = requests_of(1, 7, rate=1e5, prompt=(4, 40), output=(4, 12))
    model, limits = models.load(name), replace(LIMITS, draft=draft)
    _, wanted, _ = served(requests, model, limits)
    options = {"cores": 2, "has_whole_experts": has_whole_experts}
    _, found, records = served(requests, model, limits, 2, **options)
    assert found == wanted
    assert all(one["joules"] > 0 for one in records)


@pytest.mark.parametrize("swaps", [True, False])
def test_caches_of_ranks_of_several_devices_are_swapped_whole(requests_of, swaps):
    requests = requests_of(2, 8, rate=1e6, prompt=(30, 40), output=(12, 20))
    model = models.load("random-mixtral-1x128")
    _, wanted, _ = served(requests, model)
    limits = replace(LIMITS, blocks=6, swaps=swaps)
    server, found, _ = served(requests, model, limits, 2, cores=2)
    assert found == wanted
    assert server.scheduler.counters()["preemptions"] > 0


def test_a_wide_step_is_faster_on_more_devices_of_a_rank():
    model = models.load("random-mixtral-1x1024")
    seconds = [
        exact.Engine(model, limits=LIMITS, ranks=2, cores=cores).program("decode", 4, 4).seconds
        for cores in (1, 2)
    ]
    assert seconds[1] < 0.85 * seconds[0]


@pytest.mark.parametrize("swaps", [True, False])
def test_each_rank_has_a_cache_of_its_own(requests_of, swaps):
    """So small that requests give way on both."""
    requests = requests_of(2, 8, rate=1e6, prompt=(30, 40), output=(12, 20))
    model = models.load("random-mixtral-1x128")
    _, wanted, _ = served(requests, model)
    server, found, records = served(requests, model, replace(LIMITS, blocks=6, swaps=swaps), 2)
    assert found == wanted
    assert server.scheduler.counters()["preemptions"] > 0
    assert {one["preemptions"] > 0 for one in records} == {True, False}
    assert server.scheduler.used_blocks == 0


def test_exchange_takes_time_and_a_step_of_several_costs_less_than_theirs():
    """A step of two ranks is longer than one of either alone, and shorter than both."""
    model = models.load(MIXTRAL)
    one, two = (exact.Engine(model, limits=LIMITS, ranks=ranks) for ranks in (1, 2))
    alone, both = (each.program("decode", 4, 4) for each in (one, two))
    assert alone.seconds < both.seconds < 2 * alone.seconds
    assert alone.joules < both.joules


def test_a_table_of_fewer_layers_says_what_a_step_of_ranks_takes():
    model = models.load("random-mixtral-6x128")
    table = tables.Tables(exact.Engine(model, limits=LIMITS, ranks=2))
    assert table.stacks == (1, 5)
    assert max(abs(error) for *_, error in table.errors()) < 0.03


def test_a_request_that_leaves_and_a_lost_cache_change_no_tokens(requests_of):
    requests = requests_of(3, 4, prompt=(20, 30), output=(8, 9))
    model = models.load("random-mixtral-1x128")
    _, wanted, _ = served(requests, model)
    engine = exact.Engine(model, limits=LIMITS, ranks=2)
    server = stepping.Server(engine)
    numbers = [server.add(one) for one in requests]
    lives = [server.live[number] for number in numbers]
    server.step(lambda _number, _token: False)
    server.cancel(numbers[1])
    server.step(lambda _number, _token: False)
    server.scheduler.lose_cache(server.now)
    while not server.scheduler.is_idle:
        server.step(lambda _number, _token: False)
    found = [live.tokens[len(live.asked.prompt) :] for live in lives]
    assert [found[i] for i in (0, 2, 3)] == [wanted[i] for i in (0, 2, 3)]


@pytest.mark.parametrize(
    ("name", "options", "says"),
    [
        ("random-2x128", {"ranks": 2}, "share experts"),
        (MIXTRAL, {"ranks": 3}, "3 ranks do not divide 8 experts"),
        (MIXTRAL, {"ranks": 2, "cores": 3}, "3 cores do not divide heads"),
        ("random-mixtral-2x256", {"ranks": 4, "cores": 4, "has_whole_experts": True}, "experts: 2"),
        (MIXTRAL, {"ranks": 4, "cores": 2}, "8 .--chips"),
        (MIXTRAL, {"ranks": 8}, "devices"),
        (MIXTRAL, {"ranks": 2, "machine": "trn2"}, "trn3"),
    ],
)
def test_what_ranks_cannot_share_is_refused(name, options, says):
    with pytest.raises(UsageError, match=says):
        exact.Engine(models.load(name), limits=LIMITS, **options)


def test_readers_send_to_one_rank_only():
    with pytest.raises(UsageError, match="one rank"):
        exact.Engine(models.load(MIXTRAL), limits=LIMITS, ranks=2).join()


def test_a_server_by_the_names_of_vllm():
    name = "random-mixtral-1x128"
    prompt = list(range(5, 20))
    engine = exact.Engine(models.load(name))
    _, ((wanted, *_),) = stepping.serve(engine, [stepping.Asked(prompt, 6)], stops=False)
    server = Process("--data-parallel-size", "2", "--enable-expert-parallel", model=name)
    answer = server.client.completions.create(
        model=name,
        prompt=prompt,
        max_tokens=6,
        temperature=0,
        extra_body={"ignore_eos": True},
    )
    assert answer.choices[0].text == engine.model.tokenizer.decode(wanted)
    assert json.loads(answer.model_dump_json())["trainyard"]["requests"][0]["joules"] > 0
    assert server.stop() == TERMINATED
    assert "--ep yes" in Process.refusal("--dp", "2", "--ep", "no", model=name)


def test_a_server_of_ranks_over_two_chips():
    """Four devices each, by vLLM's names."""
    name = "random-mixtral-1x256"
    prompt = list(range(5, 20))
    engine = exact.Engine(models.load(name))
    _, ((wanted, *_),) = stepping.serve(engine, [stepping.Asked(prompt, 6)], stops=False)
    wide = ("--data-parallel-size", "2", "--tensor-parallel-size", "4", "--chips", "2")
    server = Process(*wide, "--max-num-seqs", "2", model=name)
    answer = server.client.completions.create(
        model=name,
        prompt=prompt,
        max_tokens=6,
        temperature=0,
        extra_body={"ignore_eos": True},
    )
    assert answer.choices[0].text == engine.model.tokenizer.decode(wanted)
    assert server.stop() == TERMINATED
