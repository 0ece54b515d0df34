"""Does bench() answer how long, how sure and what if, and can compiling be interrupted?"""

import signal

import nki
import nki.isa as nisa
import nki.language as nl
import numpy as np
import pytest
import trainyard
from trainyard import interrupts


@nki.jit
def chain(x, steps):
    tile = nl.load(x)
    for _ in range(steps):
        nisa.tensor_scalar(dst=tile, data=tile, op0=nl.add, operand0=1.0)
    out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
    nl.store(out, tile)
    return out


X = np.ones((128, 64), np.float32)


def test_what_ifs_are_times_of_the_same_program_on_other_machines():
    result = chain.bench(X, 3, what_if=["vector.clock=x2", "vector.clock=x0.5"])
    fast, slow = result.what_ifs
    assert fast["set"] == ["vector.clock=x2"]
    assert fast["duration_ns"] < result.time_ns < slow["duration_ns"]
    other = trainyard.load_machine("trn3").with_overrides(["vector.clock=x2"])
    assert chain.bench(X, 3, machine=other).time_ns == fast["duration_ns"]


def test_the_interval_is_found_out_when_asked_for():
    result = chain.bench(X, 3, what_if=["vector.clock=x2"])
    assert "interval" not in result.report
    assert result.interval["low_ns"] < result.time_ns < result.interval["high_ns"]
    assert result.report["interval"] == result.interval
    assert len(result.what_ifs) == 1


def test_the_interval_of_a_long_run_is_left_out_where_it_takes_too_long():
    result = chain.bench(X, 3)
    result.ask(interval=True, instructions_max=100)
    assert "simulated instructions" in result.report["no_answer"]
    assert result.interval
    assert "no_answer" not in result.report


def test_the_instances_of_a_grid_are_simulated_together():
    @nki.jit
    def halves(x):
        tile = nl.load(x[nl.program_id(0) * 64 : nl.program_id(0) * 64 + 64])
        out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
        nl.store(out[nl.program_id(0) * 64 : nl.program_id(0) * 64 + 64], tile)
        return out

    result = halves[2].bench(X, what_if=["hbm.bandwidth=x0.01"])
    assert result.interval["low_ns"] < result.time_ns < result.what_ifs[0]["duration_ns"]
    rows = [line.split()[:2] for line in str(result).splitlines() if "instructions, bound" in line]
    assert sorted(row[-1] for row in rows) == ["0", "1"]
    assert ["*core"] in [row[:1] for row in rows]


@pytest.mark.filterwarnings("ignore:.*removed in NKI 0.7:DeprecationWarning")
def test_there_is_no_interval_where_work_depends_on_data():
    @nki.jit
    def kernel(x, count):
        register = nisa.register_alloc()
        index = nl.load(count)
        nisa.register_load(register, index)
        tile = nl.load(x)
        for _ in nl.dynamic_range(0, register):
            nisa.tensor_scalar(dst=tile, data=tile, op0=nl.add, operand0=1.0)
        out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
        nl.store(out, tile)
        return out

    result = kernel.bench(X, np.array([[5]], np.int32), values=True)
    assert result.interval is None
    assert "depends on its data" in result.report["no_answer"]


def test_a_signal_ends_a_compilation(monkeypatch):
    class Interrupted(Exception):
        pass

    def interrupt(number, frame):
        raise Interrupted

    loaded = []
    from trainyard import _core

    class Session(_core.Session):
        def load(self, *args, **options):
            signal.signal(signal.SIGALRM, interrupt)
            signal.setitimer(signal.ITIMER_REAL, 0.005)
            loaded.append(super().load(*args, **options))

    monkeypatch.setattr(_core, "Session", Session)
    before = signal.getsignal(signal.SIGALRM)
    try:
        with pytest.raises(Interrupted):
            chain(X, 40_000)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert not loaded


@nki.jit
def counts(x):
    tile = nl.ndarray((128, 512), nl.int32, buffer=nl.sbuf)
    nisa.memset(tile, 1)
    go_on = nisa.register_alloc(1)

    def body(r):
        nisa.tensor_scalar(dst=tile, data=tile, op0=nl.add, operand0=1)
        nisa.register_load(r, tile[0:1, 0:1])
        return r

    nl.while_loop(go_on, body)
    return x


@nki.jit
def traced_for_ever(x):
    tile = nl.load(x)
    while True:
        nisa.memset(tile, 1)


def test_a_timeout_says_which_iteration_the_run_was_in():
    where = r"0\.5 s \(timeout\): the run was at .*test_bench\.py:\d+ in \S+, iteration \d+ of"
    with pytest.raises(TimeoutError, match=where):
        counts.bench(X, values=True, timeout=0.5)
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)


def test_a_timeout_names_the_line_that_is_traced_for_ever():
    with pytest.raises(TimeoutError, match=r"the kernel was at .*test_bench\.py:\d+$"):
        traced_for_ever.run(X, timeout=0.5)


def test_a_timeout_that_is_not_reached_changes_nothing():
    assert chain.bench(X, 3, timeout=60).time_ns == chain.bench(X, 3).time_ns


def test_the_earlier_of_two_timeouts_counts():
    with interrupts.within(60), pytest.raises(TimeoutError):
        counts.run(X, timeout=0.3)
    with pytest.raises(TimeoutError), interrupts.within(0.3):
        counts.run(X, timeout=60)


@pytest.mark.parametrize("timeout", [0, -1, float("nan"), "1", True])
def test_a_timeout_is_a_positive_number_of_seconds(timeout):
    with pytest.raises(ValueError, match="seconds above 0"):
        chain.bench(X, 3, timeout=timeout)
