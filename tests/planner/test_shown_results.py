"""What do a notebook, a prompt and a page show of an answer?"""

import re

import pytest
import trainyard
from trainyard.claims.pages import sheet_of
from trainyard.claims.table import judged
from trainyard.planner import charts, page

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
    command = "trainyard compare llama3-70b"
    assert chat.save_page(tmp_path / "chat.html", command).stat().st_size > 10_000
    parts = page.sheet_of(chat, command).as_dict()["parts"]
    answers, *inputs = [part for part in parts if part["kind"] == "table"]
    for row in chat:
        value, interval = str(row.values["output_tput_per_gpu"]).split(" (")
        cells = next(cells for cells in answers["rows"] if cells[0] == row.machine)
        assert {"text": value, "note": f"({interval}"}.items() <= cells[2].items()
        assert any(row.machine in one.get("text", "") for one in parts if one["kind"] == "text")
    assert {"kind": "code", "text": command} in parts
    assert len(inputs) == len(BOXES) and all(part["isFolded"] for part in inputs)
    bars = [part for part in parts if part["kind"] == "bars"]
    assert all(
        {bar["name"] for bar in part["bars"]} == {row.machine for row in chat} for part in bars
    )
    assert bars and {"tornado", "lines"} <= {part["kind"] for part in parts}


@pytest.mark.parametrize(
    ("claimed", "words"),
    [((3.9, float("inf")), "holds from"), ((0, 30), "holds up to"), ((1.6, 1.8), "holds in")],
)
def test_a_plot_of_a_claim_says_where_it_would_hold(claimed, words):
    answer = judged("model", (1, 2, 3), claimed, "why", unit="x")
    parts = sheet_of({"C15": [answer]}).as_dict()["parts"]
    assert [bar["name"] for bar in parts[-1]["bars"]] == ["ours", words]
