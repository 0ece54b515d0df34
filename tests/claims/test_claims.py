"""Is every public claim in the table, answered by known rules, and judged as its interval says?"""

import math
import runpy
from pathlib import Path

import pytest
import trainyard
from trainyard import claims
from trainyard.claims import pages
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


@pytest.mark.parametrize(
    ("chance", "verdict"), [(0.95, "holds"), (0.9, "holds"), (0.5, "open"), (0.05, "fails")]
)
def test_of_the_model_draws_decide(chance, verdict):
    answer = judged("model", (3, 4, 5), (4, math.inf), "why", chance=chance)
    assert (answer.verdict, answer.chance) == (verdict, chance)


def test_the_chance_is_the_share_of_draws_within_the_claim():
    one = trainyard.compare("llama3-70b", ["h100"])["h100"].values["mean_tpot"]
    assert one.chance(0, one.p10) == pytest.approx(0.1, abs=0.01)
    assert one.chance(one.p10, one.p90) == pytest.approx(0.8, abs=0.01)
    assert one.chance(0, one.low / 2) == 0
    assert one.chance(0, math.inf) == 1


def test_a_verdict_that_does_not_exist_is_refused():
    with pytest.raises(ValueError, match="maybe"):
        Answer("model", "maybe", "why")


def test_trainium3_has_one_and_a_half_times_the_memory():
    (answer,) = claims.answers("C09")
    assert (answer.verdict, answer.ours) == ("holds", 1.5)


def test_every_claim_has_an_answer():
    answered = {id for module in claims.MODULES for id in module.ANSWERS}
    assert answered == claims.claims().keys()


def test_the_page_of_the_claims_is_fresh():
    root = Path(__file__).resolve().parents[2]
    page = runpy.run_path(str(root / "tools/claims_page.py"))["page"]()
    assert (root / "docs/claims.md").read_text() == page, "run: python tools/claims_page.py"


def test_four_bits_do_not_make_training_on_trainium3_faster():
    (answer,) = claims.answers("C31")
    assert answer.verdict == "fails"
    assert answer.ours == pytest.approx(0, abs=1)


def test_the_page_has_a_chart_for_an_interval():
    sheet = pages.sheet_of({"C28": claims.answers("C28"), "C34": claims.answers("C34")}).as_dict()
    assert [part["kind"] for part in sheet["parts"]].count("bars") == 1
    assert "a matter of deliveries" in str(sheet).lower()
