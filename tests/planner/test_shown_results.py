"""What do a notebook, a prompt and a page show of an answer?"""

import re

import pytest
import trainyard
from trainyard.claims.pages import html_page
from trainyard.claims.table import judged
from trainyard.planner import charts

BOXES = ["trn3-gen2", "gb300-nvl72", "h100"]


@pytest.fixture(scope="module")
def chat():
    return trainyard.compare("llama3-70b", BOXES)


def texts(svg):
    return re.findall(r"<text[^>]*>([^<]*)</text>", svg)


def test_a_notebook_shows_the_table_and_a_plot(chat):
    shown = chat._repr_html_()
    assert "<pre>" in shown
    assert "<svg" in shown
    assert "<pre>" in trainyard.fit("llama3-70b", "h100")._repr_html_()
    assert "rental" not in trainyard.cost("llama3-70b", "h100")._repr_html_()


def test_a_prompt_shows_the_table(chat):
    for one in (chat, trainyard.fit("llama3-70b", "h100"), trainyard.cost("llama3-70b", "h100")):
        assert repr(one) == str(one)


def test_a_bar_is_labelled_with_its_interval_and_unit(chat):
    labels = texts(chat.figure("mean_ttft").svg)
    for row in chat:
        assert str(row.values["mean_ttft"]) in labels
    assert "TTFT, loaded (mean_ttft)" in labels[0]


def test_labels_lie_inside_the_drawing(chat):
    for name in ("output_tput_per_mw", "usd_per_million_output_tokens"):
        drawing = charts.bars(chat, name)
        for shape in drawing.shapes:
            if shape[0] == "text" and shape[4] == "start":
                assert shape[1] + 6.6 * len(shape[3]) < drawing.width + 40


def test_nothing_that_fits_is_shown_too():
    found = trainyard.compare("llama3-405b", ["h100"], tp=1, pp=1)
    assert "no answer" in found._repr_html_()
    assert "no answer" in texts(found.figure().svg)
    with pytest.raises(KeyError):
        found.figure("mean_speed")


def test_a_page_has_each_interval_and_the_way_to_repeat_it(chat, tmp_path):
    page = chat.save_page(tmp_path / "chat.html", "trainyard compare llama3-70b").read_text()
    for row in chat:
        value, interval = str(row.values["output_tput_per_gpu"]).split(" (")
        assert f"<td>{value}<br><small>({interval}</small></td>" in page
        assert f"{row.machine}: collectives by" in page
    assert "<pre>trainyard compare llama3-70b</pre>" in page
    assert page.count("<details>") == len(BOXES)


@pytest.mark.parametrize(
    ("claimed", "words"),
    [((3.9, float("inf")), "holds from"), ((0, 30), "holds up to"), ((1.6, 1.8), "holds in")],
)
def test_a_plot_of_a_claim_says_where_it_would_hold(claimed, words):
    answer = judged("model", (1, 2, 3), claimed, "why", unit="x")
    assert words in texts(html_page({"C15": [answer]}))
