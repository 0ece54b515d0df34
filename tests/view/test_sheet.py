"""Do answers that are no run show in the look of the page, as text, and sort and filter?"""

import math
import re
import sys
from pathlib import Path

import pytest
from browser import opened
from trainyard.differences import diff, words
from trainyard.view.sheet import Sheet, quantity

sys.path.insert(0, str(Path(__file__).parents[1] / "command"))
from command_line import run as trainyard

EVIL = "<script>document.title = 'run'</script>"


@pytest.fixture(scope="module")
def browser():
    with opened() as page:
        yield page


def sheet_with_everything():
    sheet = Sheet(f"A sheet {EVIL}")
    sheet.heading("Answers", "beside it")
    sheet.text(EVIL)
    sheet.code("a  b")
    rows = [("beta", quantity("2 us", 2e-6, "(1 to 3)"), 7), (EVIL, quantity("10 ns", 1e-8), 12)]
    sheet.table(["name", "time", "count"], rows)
    sheet.table(["figure", "value"], [["clock", math.inf]], folded="Inputs")
    sheet.bars("Speed", {"one": ("2 (1 to 3)", 2, 1, 3), "none": None})
    sheet.tornado("What moves it", 5, [("clock", 6, 4), ("width", 5, 9)])
    sheet.lines("Curve", "bytes", "GB/s", {"ring": [(1, 2), (1000, 30), (0, 5)], "mesh": [(10, 1)]})
    return sheet


@pytest.fixture
def shown(browser, tmp_path):
    path = tmp_path / "sheet.html"
    sheet_with_everything().save(path)
    browser.errors.clear()
    browser.requests.clear()
    browser.resize(1280, 900)
    browser.open(path)
    yield browser
    assert not browser.errors
    assert all(one.startswith(("file:", "data:", "about:")) for one in browser.requests)


def test_every_part_is_shown_as_text(shown):
    text = shown.text("main")
    for one in ("beside it", EVIL, "2 us", "(1 to 3)", "Speed", "no answer", "What moves it"):
        assert one in text
    assert shown.ask("document.title").startswith("A sheet")
    assert not shown.ask("document.querySelector('main script')")
    assert shown.ask("document.querySelectorAll('circle').length") == 3  # none at 0 bytes
    assert "Inputs" in shown.text("details summary")
    assert shown.text("details td") == ""  # folded
    assert not shown.ask("document.body.scrollWidth > innerWidth")


def test_a_table_sorts_by_numbers_and_the_search_filters_it(shown):
    cells = "[...document.querySelectorAll('tbody tr')].map(row => row.cells[0].innerText)"
    assert shown.ask(cells)[0] == "beta"  # as written
    by_time = "[...document.querySelectorAll('th button')].find(b => /time/.test(b.innerText))"
    shown.ask(f"{by_time}.click()")
    shown.frame()
    assert shown.ask(cells)[0] == "beta"  # 2 us before 10 ns
    shown.ask(f"{by_time}.click()")
    shown.frame()
    assert shown.ask(cells)[0] == EVIL
    shown.key("/")
    for letter in "beta":
        shown.key(letter)
    assert shown.ask(cells)[0] == "beta" and shown.ask(cells + ".length") <= 2
    shown.key("Escape")
    assert EVIL in shown.ask(cells)


def test_dark_and_light(shown):
    first = shown.ask("getComputedStyle(document.body).backgroundColor")
    shown.key("t")
    assert shown.ask("getComputedStyle(document.body).backgroundColor") != first


def test_a_sheet_of_another_version_is_refused(browser, tmp_path, monkeypatch):
    monkeypatch.setattr("trainyard.view.sheet.VERSION", 9)
    sheet_with_everything().save(tmp_path / "new.html")
    browser.open(tmp_path / "new.html")
    assert "has version 9" in browser.text()


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (("compare", "llama3-70b", "--on", "trn3-gen2,h100"), ["trn3-gen2", "tok/s/chip"]),
        (("claims", "C28", "C34"), ["C28", "A matter of deliveries"]),
        (
            ("cc-test", "allr", "-r", "16", "-b", "1MiB", "-e", "4MiB", "-f", "4"),
            ["all reduce over 16 ranks", "Bus bandwidth by size", "GB/s"],
        ),
    ],
)
def test_commands_write_pages(browser, tmp_path, command, words):
    path = tmp_path / "page.html"
    done = trainyard(*command, "--page", path)
    assert done.code == 0, done.err
    browser.errors.clear()
    browser.open(path)
    text = re.sub("[_ ]+", " ", browser.text("main"))
    assert all(word in text for word in words), text
    assert not browser.errors
    assert not browser.ask("document.body.scrollWidth > innerWidth")


def test_a_diff_is_a_page(browser, attention, tmp_path):
    attention.save(tmp_path / "after")
    report = attention.report | {"duration_ns": attention.time_ns * 2}
    sheet = words.sheet_of(diff(report, attention.report)).as_dict()
    bars = next(part for part in sheet["parts"] if part["kind"] == "bars")["bars"]
    assert bars[0]["value"] == pytest.approx(2 * bars[1]["value"])
    path = tmp_path / "diff.html"
    after = tmp_path / "after.json"
    assert trainyard("diff", "--page", path, after, after).code == 0
    browser.open(path)
    assert "in both" in browser.text("main")
