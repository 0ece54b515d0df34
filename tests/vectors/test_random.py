"""Are random numbers those of Marsaglia's xorwow from the states that were set?"""

import nki.isa as nisa
import numpy as np
import oracle
from hypothesis import given, settings
from hypothesis import strategies as st
from lab import check, finite, run, seeds

partitions = st.sampled_from([1, 32, 128])
lengths = st.integers(1, 30)
ENGINES = {"vector": (nisa.engine.vector, 24), "gpsimd": (nisa.engine.gpsimd, 6)}


def states(rng, p, words):
    return rng.integers(0, 2**32, (p, words), np.uint32)


@settings(max_examples=30)
@given(
    seeds, partitions, lengths, st.sampled_from(sorted(ENGINES)), st.sampled_from(oracle.INTEGERS)
)
def test_rng_and_the_state_it_leaves(rng, p, n, name, dtype):
    engine, words = ENGINES[name]
    state = states(rng, p, words)

    def emit(state, dst, after):
        nisa.rand_set_state(state, engine=engine)
        nisa.rng(dst, engine=engine)
        nisa.rand_get_state(after, engine=engine)

    found, after = run(
        emit, {"state": state}, {"dst": ((p, n), dtype), "after": ((p, words), np.uint32)}
    )
    wanted, wanted_after = oracle.rng(state, n, dtype)
    check(found, wanted)
    check(after, wanted_after)


@settings(max_examples=30)
@given(seeds, partitions, lengths, st.sampled_from(oracle.FLOATS + oracle.INTEGERS))
def test_rand2(rng, p, n, dtype):
    state, high = states(rng, p, 24), np.abs(finite(rng, (p, 1), np.float32)) + np.float32(1)

    def emit(state, high, dst):
        nisa.rand_set_state(state, engine=nisa.engine.vector)
        nisa.rand2(dst, -2.0, high)

    (found,) = run(emit, {"state": state, "high": high}, {"dst": ((p, n), dtype)})
    check(found, oracle.rand2(state, n, -2.0, high, dtype))


@settings(max_examples=30)
@given(seeds, partitions, lengths, st.sampled_from(oracle.FLOATS + oracle.INTEGERS))
def test_dropout(rng, p, n, dtype):
    state, data = states(rng, p, 24), finite(rng, (p, n), dtype)
    prob = rng.random((p, 1)).astype(np.float32)

    def emit(state, data, prob, dst):
        nisa.rand_set_state(state, engine=nisa.engine.vector)
        nisa.dropout(dst, data, prob)

    (found,) = run(emit, {"state": state, "data": data, "prob": prob}, {"dst": ((p, n), dtype)})
    check(found, oracle.dropout(state, data, prob))


def test_the_same_seed_gives_the_same_numbers():
    seed = np.array([[7]], np.int32)

    def emit(seed, first, second):
        nisa.set_rng_seed(seed)
        nisa.rng(first)
        nisa.set_rng_seed(seed)
        nisa.rng(second)

    first, second = run(
        emit, {"seed": seed}, {"first": ((128, 8), np.uint32), "second": ((128, 8), np.uint32)}
    )
    check(first, second)
    assert len(np.unique(first)) > 1000
