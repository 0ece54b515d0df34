"""Does every snippet of the tutorial run, and print what the page says?

TRAINYARD_WRITE_DOCS=1 writes what is printed now into the pages.
"""

import os
from pathlib import Path

import pytest
from pages import blocks_of, written_again

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted((ROOT / "docs/tutorial").glob("[0-9]*.md"))


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_a_page_prints_what_it_shows(path, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    again = written_again(path)
    if os.environ.get("TRAINYARD_WRITE_DOCS"):
        path.write_text(again)
    assert again == path.read_text()


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_a_page_has_snippets(path):
    assert any(block.language == "python" for block in blocks_of(path.read_text()))
