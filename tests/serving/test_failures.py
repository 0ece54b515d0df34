"""Does a step that fails take only its own requests along, and leave a server that serves?"""

import asyncio
from dataclasses import replace
from types import SimpleNamespace

import pytest
from test_exact import run_plainly
from test_worker import reason, ticket, worker_of
from trainyard.serving import exact, models, several, stepping

FAULT = "parity error in HBM"


def break_step(engine, nth):
    """The nth run of a program takes the cache along, as a program that fails midway does."""
    run, calls = engine._run, []

    def counted(program, *given):
        calls.append(program)
        if len(calls) != nth:
            return run(program, *given)

        def fail(*arguments, **how):
            program.compiled.run(*arguments, **how)
            raise RuntimeError(FAULT)

        return run(replace(program, compiled=SimpleNamespace(run=fail)), *given)

    engine._run = counted
    return engine


def drained(server):
    """Steps until nothing is left; who failed."""
    while not server.scheduler.is_idle:
        server.step(lambda _number, _token: False)
    return set(server.failed)


def prompt_of(seed):
    return [(seed * 37 + i * 11) % 500 for i in range(20 + seed)]


@pytest.mark.parametrize("cores", [1, 2])
def test_only_the_requests_of_the_step_fail(engine, cores):
    limits = replace(engine.limits, batches=(1, 2))
    model = models.load("random-2x128")
    made = break_step(exact.Engine(model, limits=limits, cores=cores), 5)
    server = stepping.Server(made)
    numbers = [server.add(stepping.Asked(prompt_of(seed), 8)) for seed in range(5)]
    live = dict(server.live)
    failed = drained(server)
    assert 1 <= len(failed) <= 2
    assert str(server.failed[min(failed)]) == FAULT
    assert server.scheduler.record(min(failed))["state"] == "cancelled"
    for number in set(numbers) - failed:
        tokens = live[number].tokens[len(prompt_of(number)) :]
        assert tokens == run_plainly(model, prompt_of(number), 8)


def test_what_the_cache_held_of_a_beginning_is_not_found_again(engine):
    made = break_step(engine.replicated(), 4)
    server = stepping.Server(made)
    server.add(stepping.Asked(prompt_of(12), 12))
    assert drained(server) == {0}
    again = server.add(stepping.Asked(prompt_of(12), 6))
    live = server.live[again]
    drained(server)
    assert server.scheduler.record(again)["cached"] == 0
    assert live.tokens[32:] == run_plainly(engine.model, prompt_of(12), 6)


def test_a_failure_before_the_program_runs_leaves_the_cache(engine):
    made = engine.replicated()
    server = stepping.Server(made)
    first = server.add(stepping.Asked(prompt_of(12), 2))
    drained(server)
    program, made.program = made.program, lambda *_: (_ for _ in ()).throw(MemoryError("full"))
    second = server.add(stepping.Asked(prompt_of(3), 2))
    assert drained(server) == {second}
    made.program = program
    server.failed.clear()
    third = server.add(stepping.Asked(prompt_of(12), 2))
    assert drained(server) == set()
    assert server.scheduler.record(first)["state"] == "finished"
    assert server.scheduler.record(third)["cached"] == 16


def test_other_replicas_do_not_notice(engine):
    broken = break_step(engine.replicated(), 3)
    servers = [stepping.Server(one) for one in (broken, engine.replicated())]
    together = several.Replicas(servers, several.Router("round-robin", 16))
    numbers = [together.add(stepping.Asked(prompt_of(seed), 6)) for seed in range(4)]
    live = [one for pair in zip(*(s.live.values() for s in servers), strict=True) for one in pair]
    assert drained(together)
    assert set(together.failed) <= {numbers[0], numbers[2]}
    for number in set(numbers) - set(together.failed):
        assert live[number].tokens[20 + number :] == run_plainly(engine.model, prompt_of(number), 6)


def test_a_choice_that_fails_ends_one_request(engine):
    server = stepping.Server(engine.replicated())
    numbers = [server.add(stepping.Asked(prompt_of(seed), 5)) for seed in range(3)]
    live = dict(server.live)

    def stops(number, _token):
        if number == numbers[1] and len(live[number].chosen) == 2:
            raise ValueError("no such text")
        return False

    while not server.scheduler.is_idle:
        server.step(stops)
    assert set(server.failed) == {numbers[1]}
    for number in (numbers[0], numbers[2]):
        tokens = live[number].tokens[len(prompt_of(number)) :]
        assert tokens == run_plainly(engine.model, prompt_of(number), 5)


def test_clients_are_told_and_the_next_ones_served(engine):
    async def run():
        serving, made = worker_of(engine.replicated())
        break_step(serving.engine, 1)
        broken, after = ticket(), ticket()
        made.start()
        made.submit([broken])
        assert await reason(broken) == ("failed", f"RuntimeError: {FAULT}")
        made.submit([after])
        assert await reason(after) == ("length", "")
        assert made.failure is None
        made.close()

    asyncio.run(run())
