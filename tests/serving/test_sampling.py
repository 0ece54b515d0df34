"""Do penalties, biases and cuts do what OpenAI's and vLLM's documents say?"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from trainyard.serving.sampling import Sampling, Shaping, choose

SIZE = 12
tokens = st.lists(st.integers(0, SIZE - 1), max_size=9)
parts = st.floats(-2, 2, width=32)


def shaped_plainly(logits, shaping, prompt, answer):
    """Token by token, as the documents' formulas are written."""
    found = []
    for token, logit in enumerate(logits.astype(np.float64)):
        value = logit + sum(added for one, added in shaping.bias if one == token)
        if token in prompt or token in answer:
            value = value / shaping.repetition if value > 0 else value * shaping.repetition
        count = answer.count(token)
        value -= shaping.frequency * count + shaping.presence * (count > 0)
        is_banned = token in shaping.ends and len(answer) < shaping.least
        found.append(-np.inf if is_banned else value)
    return np.array(found)


@given(
    seed=st.integers(0, 999),
    prompt=tokens,
    answer=tokens,
    presence=parts,
    frequency=parts,
    repetition=st.floats(0.5, 2),
    bias=st.dictionaries(st.integers(0, SIZE - 1), st.floats(-100, 100), max_size=3),
    least=st.integers(0, 9),
)
def test_shaping_is_that_of_the_formulas(
    seed, prompt, answer, presence, frequency, repetition, bias, least
):
    logits = np.random.default_rng(seed).normal(0, 3, SIZE).astype(np.float32)
    how = tuple(bias.items()), presence, frequency, repetition, least, (3, 7)
    shaping = Shaping(*how)
    found = logits.astype(np.float64)
    shaping.apply(found, prompt, answer)
    assert found == pytest.approx(shaped_plainly(logits, shaping, prompt, answer))
    chosen = choose(logits, Sampling(shaping=shaping, logprobs=2), None, None, prompt, answer)
    assert chosen.token == found.argmax()
    plain = logits - np.log(np.exp(logits.astype(np.float64)).sum())
    assert chosen.logprob == pytest.approx(plain[chosen.token], abs=1e-5)


def test_min_p_cuts_what_is_less_likely_than_its_share():
    logits = np.log(np.array([0.5, 0.3, 0.12, 0.08], np.float32))
    random = np.random.default_rng(0)
    for least, kept in ((0.0, 4), (0.2, 3), (0.5, 2), (1.0, 1)):
        how = Sampling(temperature=1.0, min_p=least)
        assert {choose(logits, how, random).token for _ in range(400)} == set(range(kept))


def test_an_end_is_given_where_nothing_else_may_come():
    allowed = np.array([False, False, True])
    shaping = Shaping(least=5, ends=(2,))
    assert choose(np.zeros(3, np.float32), Sampling(shaping=shaping), None, allowed).token == 2
