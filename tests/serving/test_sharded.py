"""Do several cores of a chip give the tokens of one, with collectives in their time?"""

from dataclasses import replace

import pytest
from http_server import TERMINATED, Process
from trainyard import _core
from trainyard.serving import exact, models, stepping
from trainyard.serving.drafts import Draft
from trainyard.usage import UsageError

LIMITS = exact.Limits(blocks=32, batches=(4,), chunks=(32,), contexts=(64,))


@pytest.mark.parametrize(
    ("name", "draft"),
    [
        *(("random-2x128", Draft()), ("random-2x128", Draft(2, 1))),
        *(("random-mixtral-2x128", Draft()), ("random-mixtral-2x128", Draft(2, 1))),
        *(("random-gpt_oss-2x128", Draft()), ("random-qwen3_moe-2x128", Draft())),
    ],
)
def test_tokens_are_those_of_one_core(requests_of, name, draft):
    limits = replace(LIMITS, draft=draft)
    model = models.load(name)
    requests = requests_of(1, 6, rate=1e5, prompt=(4, 40), output=(4, 12))
    one, two = (exact.Engine(model, limits=limits, cores=cores) for cores in (1, 2))
    (_, wanted), (server, found) = (
        stepping.serve(each, requests, stops=False) for each in (one, two)
    )
    for a, b in zip(wanted, found, strict=True):
        assert a[0] == b[0] or min(one.margin for one in b[2]) < 1e-3
    assert [one[0] for one in found] == [one[0] for one in wanted]
    assert server.joules > 0 and server.busy > 0


@pytest.mark.parametrize(
    "name", ["random-mixtral-2x128", "random-gpt_oss-2x128", "random-qwen3_moe-2x128"]
)
def test_tokens_of_whole_experts_on_each_core_are_those_of_one_core(requests_of, name):
    limits = replace(LIMITS, batches=(1, 4))  # few tokens by owner, and sorted ones
    model = models.load(name)
    requests = requests_of(1, 6, rate=1e5, prompt=(4, 40), output=(4, 12))
    one = exact.Engine(model, limits=limits)
    spread = exact.Engine(model, limits=limits, cores=2, has_whole_experts=True)
    (_, wanted), (_, found) = (
        stepping.serve(each, requests, stops=False) for each in (one, spread)
    )
    assert [each[0] for each in found] == [each[0] for each in wanted]


@pytest.mark.parametrize("name", ["random-1x1024", "random-mixtral-1x768"])
def test_a_wide_model_is_faster_on_more_cores(name):
    """So wide that weights take longer to read than the sums of a layer take."""
    model = models.load(name)
    seconds = [
        exact.Engine(model, limits=LIMITS, cores=cores).program("decode", 4, 4).seconds
        for cores in (1, 4)
    ]
    assert seconds[1] < 0.7 * seconds[0]


@pytest.mark.parametrize(
    ("name", "cores", "machine", "says"),
    [
        ("random-2x128", 3, "trn3", "do not divide"),
        ("random-2x128", 64, "trn3", "devices"),
        ("random-2x128", 2, "trn2", "trn3"),
    ],
)
def test_what_cannot_be_divided_is_refused(name, cores, machine, says):
    with pytest.raises(UsageError, match=says):
        exact.Engine(models.load(name), machine, LIMITS, cores=cores)


@pytest.mark.parametrize(("name", "cores"), [("random-2x128", 2), ("random-mixtral-2x128", 1)])
def test_whole_experts_need_experts_and_cores(name, cores):
    with pytest.raises(UsageError, match="whole experts lie on several cores"):
        exact.Engine(models.load(name), limits=LIMITS, cores=cores, has_whole_experts=True)


def test_cores_of_two_chips_give_the_tokens_of_one_core():
    name = "random-1x512"  # eight heads of keys
    engine = exact.Engine(models.load(name), limits=replace(LIMITS, batches=(1,), chunks=(16, 64)))
    asked = stepping.Asked([5, 6, 7], 6)
    _, ((wanted, record, _),) = stepping.serve(engine, [asked], stops=False)
    server = Process("--cores", "8", "--chips", "2", model=name)
    answer = server.client.completions.create(
        model=name,
        prompt=asked.prompt,
        max_tokens=6,
        temperature=0,
        extra_body={"ignore_eos": True},
        logprobs=0,
    )
    assert server.stop() == TERMINATED
    assert answer.choices[0].text == engine.model.tokenizer.decode(wanted)
    alone = (record["end"] - record["arrival"]) / _core.TICKS_PER_SECOND
    assert 0 < answer.trainyard["requests"][0]["e2e_s"] != alone
    refused = Process.refusal("--cores", "8", model=name)
    assert "4 devices" in refused
