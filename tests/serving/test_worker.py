"""Is every request told what becomes of it, also where the engine fails or has ended?"""

import asyncio
from types import SimpleNamespace

import pytest

pytest.importorskip("fastapi")
pytest.importorskip("prometheus_client")
from trainyard.serving import replies, sampling, server, stepping, worker
from trainyard.serving.metrics import Metrics
from trainyard.serving.protocol import ApiError


def ticket():
    return worker.Ticket(stepping.Asked([1, 2, 3], 4))


async def reason(of):
    while (update := (await asyncio.wait_for(of.box.get(), 60))[1]).reason is None:
        pass
    return update.reason, update.error


def worker_of(engine):
    serving = stepping.Server(engine)
    return serving, worker.Worker(serving, Metrics("m", {}, None), asyncio.get_running_loop())


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_request_that_comes_while_the_engine_fails_is_told_so(engine):
    async def run():
        serving, made = worker_of(engine)
        late = ticket()

        def fail(stops, until):
            made.submit([late])  # behind the last look at what came
            raise ValueError("a fault")

        serving.step = fail
        first, after = ticket(), ticket()
        made.submit([first])
        made.start()
        assert await reason(first) == ("error", "ValueError: a fault")
        assert await reason(late) == ("error", "ValueError: a fault")
        made.submit([after])
        assert await reason(after) == ("error", "ValueError: a fault")
        assert made.waiting == 0
        made.close()

    asyncio.run(run())


def test_requests_that_a_step_keeps_waiting_count(engine):
    async def run():
        _, made = worker_of(engine)
        tickets = [ticket(), ticket()]
        made.submit(tickets)
        assert made.waiting == 2
        made.start()
        assert [await reason(one) for one in tickets] == [("length", "")] * 2
        made.close()
        late = ticket()
        made.submit([late])
        assert await reason(late) == ("abort", "the server ends")

    asyncio.run(run())


@pytest.mark.parametrize("leaves", [False, True], ids=["too late", "nobody listens"])
def test_an_answer_ends_though_its_tokens_come_fast(leaves):
    async def run():
        cancelled, one = [], ticket()
        owner = SimpleNamespace(submit=lambda _: None, cancel=cancelled.append, waiting=0)
        state = SimpleNamespace(worker=owner, options=server.Options(timeout=0.3))

        async def is_disconnected():
            return leaves

        async def feed():
            while True:
                one.box.held.append((one, worker.Update(sampling.Chosen(1))))
                one.box.ready.set()
                await asyncio.sleep(replies.POLL_SECONDS / 10)

        async def listen():
            request = SimpleNamespace(is_disconnected=is_disconnected)
            return [each async for each in replies.updates(state, request, [one])]

        feeding = asyncio.ensure_future(feed())
        if leaves:
            await asyncio.wait_for(listen(), 30)
        else:
            with pytest.raises(ApiError, match=r"no answer within 0\.3 s"):
                await asyncio.wait_for(listen(), 30)
        feeding.cancel()
        assert cancelled == [[one]]

    asyncio.run(run())
