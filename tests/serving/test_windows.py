"""Do layers with a window hold only what they see, and does every request still get its tokens?"""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from trainyard import _core
from trainyard.serving import caches, exact, llama, models, planned, replicas, several, stepping
from trainyard.serving.drafts import Draft

LIMITS = exact.Limits(blocks=32, batches=(1, 4), chunks=(64,), contexts=(64, 256))
NAME = "random-gpt_oss-2x64"  # a layer sees 64 tokens, the other all
FAR = {"prompt": (70, 120), "output": (30, 60)}


@pytest.fixture(scope="module")
def windowed():
    engine = exact.Engine(models.load(NAME), limits=LIMITS)
    assert sorted(engine.limits.windows) == [0, 64]
    return engine


def plainly(model, prompt, many):
    """Greedy tokens of layers that read no cache."""
    import jax

    config, ids = model.config, list(prompt)
    empty = np.zeros((config.layers, 1, 16, config.kv_heads, config.head), np.float32)
    step = jax.jit(partial(llama.prefill, config=replace(config, groups=())))
    with jax.default_device(jax.devices("cpu")[0]):
        for _ in range(many):
            padded = np.zeros(len(prompt) + many, np.int32)
            padded[: len(ids)] = ids
            given = np.zeros(1, np.int32), padded, np.int32(0), np.int32(len(ids) - 1)
            ids.append(int(np.asarray(step(model.weights, empty, empty, *given)).argmax()))
    return ids[len(prompt) :]


def tokens(engine, requests):
    server, found = stepping.serve(engine, requests, stops=False)
    return server, [one[0] for one in found]


def test_tokens_behind_a_window_are_those_without_a_cache(windowed, requests_of):
    requests = requests_of(3, 6, rate=1e4, **FAR)
    _, found = tokens(windowed.replicated(), requests)
    wanted = [plainly(windowed.model, one.prompt, one.output) for one in requests]
    assert found == wanted


@pytest.mark.parametrize("change", [{"swaps": True}, {"swaps": False}, {"draft": Draft(3)}])
def test_blocks_that_are_given_back_change_no_tokens(windowed, requests_of, change):
    """Few blocks, so that requests give way; and guesses, of which some are wrong."""
    requests = requests_of(4, 6, rate=1e5, **FAR)
    engine = windowed.replicated()
    engine.limits = replace(windowed.limits, blocks=16, **change)
    if "draft" in change:
        engine = exact.Engine(windowed.model, limits=replace(LIMITS, **change))
    server, found = tokens(engine, requests)
    assert found == tokens(windowed.replicated(), requests)[1]
    assert "draft" in change or server.scheduler.counters()["preemptions"] > 0
    assert server.scheduler.used_blocks == 0


def test_a_beginning_that_a_window_has_passed_is_found_again(windowed):
    prompt = list(range(40, 160))
    server = stepping.Server(windowed.replicated())
    given = []
    for _ in range(2):
        number = server.add(stepping.Asked(prompt, 5))
        live = server.live[number]
        while not server.scheduler.is_idle:
            server.step(lambda _number, _token: False)
        given.append(live.tokens[120:])
    assert given[0] == given[1]
    assert server.scheduler.record(1)["cached"] == 112


def test_a_cache_that_is_sent_has_what_is_seen(windowed, requests_of):
    requests = requests_of(5, 3, rate=1e3, **FAR)
    servers = [stepping.Server(windowed.replicated()) for _ in range(2)]
    for server in servers:
        server.engine._links = None
        server.engine.send_cost = lambda _tokens: (1e-4, 1e-3)
    both = several.Replicas(servers, several.Router("least", 16), readers=1)
    numbers = [both.add(one) for one in requests]
    given = {number: [] for number in numbers}
    while not both.scheduler.is_idle:
        for number, chosen in both.step(lambda _number, _token: False).items():
            given[number] += [one.token for one in chosen]
    assert list(given.values()) == tokens(windowed.replicated(), requests)[1]


def test_layers_that_see_less_leave_room_for_more_requests(requests_of):
    """Twice the requests where half of the layers see a sixteenth."""
    few = replace(LIMITS, blocks=24, contexts=(64, 320), batches=(8,))
    peaks = []
    for windows in ((0, 0), (16, 0)):
        model = models.load("random-2x64")
        model = replace(model, config=replace(model.config, windows=windows))
        engine = exact.Engine(model, limits=few)
        requests = requests_of(6, 8, rate=1e6, prompt=(100, 101), output=(8, 9))
        server, _ = tokens(engine, requests)
        peaks.append(server.scheduler.counters()["peak_running"])
    assert peaks[1] >= 1.5 * peaks[0]


def test_groups_of_layers():
    assert caches.grouped([0] * 4, 100) == ([0], [0] * 4)
    assert caches.grouped([200] * 4, 100) == ([0], [0] * 4)  # no request is longer
    assert caches.grouped([64, 0] * 3, 100) == ([0, 64], [1, 0] * 3)
    windows, groups = caches.grouped([64, 64, 64, 64, 64, 0] * 2, 100)
    assert windows == [0, *[64] * 5]
    assert groups == [1, 1, 2, 2, 3, 0, 3, 4, 4, 5, 5, 0]


@pytest.mark.parametrize("name", ["trinity-mini", "gpt-oss-120b"])
def test_a_plan_holds_more_requests_where_layers_see_less(name):
    asked = replicas.Asked(name, "trn3-gen2", tp=1, weights="fp8")
    near, far = (replicas.build(asked, 60, 40, longest) for longest in (100, 32_000))
    assert near.settings.windows == [0]
    assert len(far.settings.windows) > 1 and 0 in far.settings.windows
    size = far.found["group_bytes_per_token"]
    assert size * len(far.settings.windows) >= near.found["cache_bytes_per_token"]
    assert size * len(far.settings.windows) < 1.1 * near.found["cache_bytes_per_token"]
    held = _core.kept_tokens(far.settings.windows, 32_000) * size
    assert held < 0.62 * 32_000 * near.found["cache_bytes_per_token"]


def test_a_long_trace_needs_less_memory_behind_windows():
    load = planned.Load(isl=16_000, osl=400, requests=120)
    asked = {"tp": 1, "weights": "fp8", "requests_max": 256}
    served = planned.run("gpt-oss-120b", "trn3-gen2", load, rate=0.5, **asked).served
    counters = served.run.counters()
    assert counters["preemptions"] == 0
    of_all = 16_400 / 16 * len(served.replica.settings.windows)
    assert counters["peak_blocks"] < 0.6 * of_all * counters["peak_running"]
