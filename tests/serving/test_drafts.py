"""Do guessed tokens change times alone, never answers?"""

from dataclasses import replace

import numpy as np
import pytest
from trainyard.serving import drafts, exact, models, sampling, stepping
from trainyard.serving.drafts import Draft
from trainyard.usage import UsageError

LIMITS = exact.Limits(blocks=64, batches=(1, 4), chunks=(16, 64), contexts=(64, 256))


@pytest.fixture(scope="module")
def repeating(requests_of):
    """Prompts that repeat themselves, in which n-grams are found."""

    def drawn(seed, many=6):
        asked = requests_of(seed, many, prompt=(5, 20), output=(12, 30))
        return [replace(one, prompt=one.prompt * 2) for one in asked]

    return drawn


@pytest.fixture(scope="module")
def plain():
    return exact.Engine(models.load("random-3x64"), limits=LIMITS)


@pytest.fixture(scope="module", params=["ngram:3", "layers-2:3"])
def drafting(request):
    draft = Draft.parse(request.param)
    return exact.Engine(models.load("random-3x64"), limits=replace(LIMITS, draft=draft))


@pytest.mark.parametrize("how", [{}, {"temperature": 0.2, "seed": 7}], ids=["greedy", "drawn"])
def test_tokens_are_those_without_guesses(repeating, plain, drafting, how):
    requests = [replace(one, sampling=sampling.Sampling(**how)) for one in repeating(1)]
    _, wanted = stepping.serve(plain, requests, stops=False)
    server, found = stepping.serve(drafting, requests, stops=False)
    assert [one[0] for one in found] == [one[0] for one in wanted]
    assert server.guessed > 10
    assert 0 < server.accepted < server.guessed
    assert server.scheduler.counters()["generated_tokens"] == sum(len(one[0]) for one in wanted)


def test_tokens_are_the_same_with_few_blocks(repeating, plain, drafting, monkeypatch):
    requests = [replace(one, arrival=0.0) for one in repeating(2, 8)]
    wanted = [stepping.serve(plain, [one], stops=False)[1][0][0] for one in requests]
    monkeypatch.setattr(drafting, "limits", replace(drafting.limits, blocks=12))
    server, found = stepping.serve(drafting, requests, stops=False)
    assert server.scheduler.counters()["preemptions"] > 0
    assert [one[0] for one in found] == wanted


def test_all_layers_but_none_changed_would_always_be_right(repeating, plain, monkeypatch):
    """A draft by the whole model guesses every token, which saves its steps."""
    asked = repeating(3, 1)[0]
    limits = replace(LIMITS, draft=Draft(3, 2))
    engine = exact.Engine(plain.model, limits=limits)
    monkeypatch.setattr(engine, "limits", replace(limits, draft=Draft(3, 3)))
    server, ((tokens, record, _),) = stepping.serve(engine, [asked], stops=False)
    assert tokens == stepping.serve(plain, [asked], stops=False)[1][0][0]
    assert server.accepted == server.guessed > 0
    assert record["decodes"] == -(-(asked.output - 1) // 4)


def test_a_stop_inside_of_guesses_ends_the_answer_there(repeating, plain, drafting):
    asked = repeating(4, 1)[0]
    whole = stepping.serve(plain, [asked], stops=False)[1][0][0]
    for engine in (plain, drafting):
        server = stepping.Server(engine)
        number = server.add(asked)
        given = []
        while not server.scheduler.is_idle:
            for made in server.step(lambda _, token: token == whole[7]).values():
                given += [one.token for one in made]
        assert given == whole[: whole.index(whole[7]) + 1]
        assert server.scheduler.record(number)["output"] == len(given)


def test_ngrams_are_what_followed_the_longest_latest_match():
    assert drafts.by_ngrams([1, 2, 3, 9, 1, 2, 3], 2) == [9, 1]
    assert drafts.by_ngrams([5, 3, 1, 5, 4, 5], 3) == [4, 5]
    assert drafts.by_ngrams([1, 2, 3], 2) == []
    assert drafts.by_ngrams([7], 2) == []


@pytest.mark.parametrize("text", ["", "ngram", "ngram:0", "ngram:17", "layers-0:2", "layers:2"])
def test_a_draft_that_is_none_is_refused(text):
    with pytest.raises(UsageError, match="no draft"):
        Draft.parse(text)


def test_more_layers_than_the_model_has_are_refused(plain):
    with pytest.raises(UsageError, match="3 layers"):
        exact.Engine(plain.model, limits=replace(LIMITS, draft=Draft(2, 3)))


@pytest.mark.parametrize("drafting", ["layers-2:3"], indirect=True)
def test_the_planned_engine_steps_as_often_with_the_share_that_is_accepted(
    repeating, plain, drafting
):
    """Its steps are as many, though guesses are drawn there. N-grams are not found in every step,
    so that no one share says it."""
    from trainyard import _core

    requests = [replace(one, output=40) for one in repeating(5, 12)]
    server, found = stepping.serve(drafting, requests, stops=False)
    ends = [record["decodes"] for _, record, _ in found]
    share = acceptance_of(server.accepted / server.drafts, drafting.limits.draft.tokens)
    simulation = _core.ServingSimulation()
    simulation.acceptance = share
    flat = _core.CostTable([1, 512], [0, 2048], [1e-3] * 4, [0.0] * 4)
    rows = [(0, len(one.prompt), one.output, ()) for one in requests]
    settings = drafting.limits.scheduler()
    planned = _core.simulate_trace(rows, 0, settings, _core.StepCosts(flat, flat), simulation)
    kind, held = planned.records()["decodes"]
    assert np.frombuffer(held, kind).sum() == pytest.approx(sum(ends), rel=0.08)


def acceptance_of(mean, tokens):
    """The chance of a guess, if those before it are right, that gives so many in the mean."""
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        many = sum(middle ** (i + 1) for i in range(tokens))
        low, high = (middle, high) if many < mean else (low, middle)
    return low
