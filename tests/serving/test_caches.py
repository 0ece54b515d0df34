"""Is the cache one piece of the device's memory that steps change in place, for as long as the
server runs?"""

import numpy as np
import pytest
from test_exact import run_plainly
from trainyard.serving import exact, models, stepping


def steps(server):
    while not server.scheduler.is_idle:
        server.step(lambda _number, _token: False)
        yield


def test_hundreds_of_steps_leave_the_cache_where_it_is(engine):
    engine = engine.replicated()
    server = stepping.Server(engine)
    for seed in range(3):
        server.add(stepping.Asked([7 + seed] * 9, 200))
    (places,) = {
        tuple(each.address for each in engine._cache.arrays)
        for i, _ in enumerate(steps(server))
        if i >= 1
    }
    assert None not in places


def test_memory_in_use_does_not_grow(engine):
    engine = engine.replicated()
    server = stepping.Server(engine)
    sizes = []
    for seed in range(12):
        server.add(stepping.Asked([3 + seed] * (5 + 3 * seed), 10 + seed))
    for _ in steps(server):
        sizes.append(engine._cache.arrays[0].devices.bytes_in_use)
    server.add(stepping.Asked([5] * 20, 30))
    for _ in steps(server):
        sizes.append(engine._cache.arrays[0].devices.bytes_in_use)
    assert sizes[-1] == max(sizes[len(sizes) // 2 :])


def test_requests_share_the_blocks_of_their_prompt_and_write_others(engine):
    """Each gets the tokens that it gets alone."""
    engine = engine.replicated()
    server = stepping.Server(engine)
    prompt = list(range(40, 76))  # two whole blocks, and a part
    alone = run_plainly(engine.model, prompt, 6), run_plainly(engine.model, [*prompt, 9], 6)
    first = server.add(stepping.Asked(prompt, 30))
    for _ in range(4):
        server.step(lambda _number, _token: False)
    second = server.add(stepping.Asked([*prompt, 9], 6))
    live = server.live[first], server.live[second]
    server.step(lambda _number, _token: False)
    tables = [list(server.scheduler.table(number)) for number in (first, second)]
    assert tables[0][:2] == tables[1][:2]
    assert not set(tables[0][2:]) & set(tables[1][2:])
    for _ in steps(server):
        pass
    assert live[0].tokens[36:42] == alone[0]
    assert live[1].tokens[37:] == alone[1]


def test_a_replica_has_a_cache_of_its_own(engine):
    one, other = engine.replicated(), engine.replicated()
    content = tuple(np.ones_like(each) for each in one._cache.read([1, 2]))
    one._cache.write([1, 2], content)
    assert all(each.all() for each in one._cache.read([2]))
    assert not any(each.any() for each in other._cache.read([1, 2]))


@pytest.mark.parametrize("cores", [1, 2])
def test_blocks_come_back_as_they_went(engine, cores):
    model = models.load("random-2x128")
    engine = exact.Engine(model, limits=engine.limits, cores=cores)
    random = np.random.default_rng(3)
    shape = tuple(3 if i == 1 else size for i, size in enumerate(engine.pool_shape))
    content = tuple(random.standard_normal(shape).astype(np.float32) for _ in range(2))
    engine._cache.write([5, 2, 9], content)
    for found, wanted in zip(engine._cache.read([9, 5]), content, strict=True):
        np.testing.assert_array_equal(found, wanted[:, [2, 0]])
