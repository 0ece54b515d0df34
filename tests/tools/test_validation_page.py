"""Is docs/validation.md what the stored rows say, and are its figures right?"""

import json
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def tool():
    return runpy.run_path(str(ROOT / "tools/validation_page.py"))


def test_the_page_is_fresh(tool):
    assert (ROOT / "docs/validation.md").read_text() == tool["page"](), (
        "run: python tools/validation_page.py"
    )


def test_every_stored_row_has_its_source_and_date(tool):
    rows = tool["stored"]()
    assert len(rows) > 500
    for row in rows:
        assert row["source"] and row["made"][:2] == "20", row
        assert float(row["published"]) > 0 and float(row["simulated"]) > 0, row


def row(id, published, simulated, ladder="a", unit="us"):
    return {
        "ladder": ladder,
        "id": id,
        "machine": "trn2",
        "what": "w",
        "published": str(published),
        "simulated": str(simulated),
        "unit": unit,
        "source": "someone/work:file",
        "made": "2026-11-23 0.1.0",
    }


def test_a_ladder_has_its_median_worst_and_rank(tool):
    rows = [row("x-1", 100, 110), row("x-2", 200, 190), row("x-3", 300, 390)]
    line = tool["ladder_rows"](rows)[2]
    assert "| a | trn2 | 3 | 10.0 % | +10.0 % | +30 % | 1.00 | no | someone/work |" in line
    assert tool["rank"]([row("1", 1, 3), row("2", 2, 2), row("3", 3, 1)]) == "-1.00"
    assert tool["rank"]([row("1", 1, 3), row("2", 2, 2), row("3", 3, 1, unit="GB/s")]) == "-"


def test_rows_come_from_both_tools_and_unsimulated_ones_are_left_out(tool, tmp_path):
    given = [
        {
            "id": "T3INS-1",
            "machine": "trn3",
            "what": "w",
            "published": 2.0,
            "simulated": 1.0,
            "unit": "ns",
            "source": "s",
        },
        {
            "id": "N-1",
            "machine": "trn2",
            "what": "k",
            "ladder": "l",
            "published_us": 4.0,
            "simulated_us": 5.0,
            "reason": "",
            "source": "s",
        },
        {"id": "N-2", "reason": "no builder"},
    ]
    (tmp_path / "run.json").write_text(json.dumps(given))
    rows = tool["read"](tmp_path / "run.json", "today")
    assert [r["ladder"] for r in rows] == ["single instructions: cost tables", "l"]
    assert [tool["error_of"](r) for r in rows] == [-0.5, 0.25]
