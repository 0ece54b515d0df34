"""Is every public claim in the table, answered by known rules, and judged as its interval says?"""

import math

import pytest
from trainyard import claims
from trainyard.claims.table import Answer, judged


def test_the_table_is_whole_and_in_order():
    assert list(claims.claims()) == [f"C{number:02}" for number in range(1, 42)]


def test_every_answer_is_to_a_claim():
    for module in claims.MODULES:
        assert module.ANSWERS.keys() <= claims.claims().keys(), module.__name__


@pytest.mark.parametrize("id", [id for m in claims.MODULES for id in m.ANSWERS])
def test_an_answer_says_why_and_lies_in_its_interval(id):
    for answer in claims.answers(id):
        assert answer.text
        if answer.ours is not None:
            assert answer.low <= answer.ours <= answer.high
            assert answer.unit


@pytest.mark.parametrize(
    ("interval", "claimed", "verdict"),
    [
        ((4.1, 4.2, 4.3), (4, math.inf), "holds"),
        ((3.1, 3.2, 3.9), (4, math.inf), "fails"),
        ((3.1, 4.2, 4.9), (4, math.inf), "open"),
        ((2, 2, 2), (1.95, 2.05), "holds"),
    ],
)
def test_the_verdict_follows_from_the_intervals(interval, claimed, verdict):
    assert judged("model", interval, claimed, "why").verdict == verdict


def test_a_verdict_that_does_not_exist_is_refused():
    with pytest.raises(ValueError, match="maybe"):
        Answer("model", "maybe", "why")


def test_trainium3_has_one_and_a_half_times_the_memory():
    (answer,) = claims.answers("C09")
    assert (answer.verdict, answer.ours) == ("holds", 1.5)
