"""The page as one HTML file that needs no other file and no network."""

from __future__ import annotations

import base64
import gzip
import html
import json
from importlib import resources
from typing import Any

PAGE_BYTES_MAX = 50_000_000  # browsers become slow to open what is larger
ROWS_MAX = 2_000_000  # intervals of all runs of a page, likewise
# What web/ builds has this where the document goes.
_PLACE = "<!--trainyard:document-->"


def template() -> str:
    """The page without a document, as `npm run build` in web/ wrote it."""
    return resources.files("trainyard.view").joinpath("page.html").read_text(encoding="utf-8")


def embedded(document: Any) -> str:
    """A document as the element that the page reads. Nothing in it can end the element: base64."""
    text = json.dumps(document, separators=(",", ":")).encode()
    # The same bytes at any time, so that equal runs give equal pages.
    packed = base64.b64encode(gzip.compress(text, compresslevel=6, mtime=0)).decode()
    return f'<script type="application/octet-stream" id="document">{packed}</script>'


def page_of(document: Any) -> str:
    """The page about a document."""
    return filled(embedded(document), " and ".join(run["name"] for run in document["runs"][:2]))


def served() -> str:
    """The page that asks the server it came from for its document."""
    return filled('<meta name="document" content="document.json">', "run")


def filled(element: str, title: str) -> str:
    """The template with an element in its place, and a title."""
    title = html.escape(title if len(title) <= 80 else f"{title[:80]} ...")
    whole = template().replace("<title>Trainyard</title>", f"<title>{title} - Trainyard</title>", 1)
    before, after = whole.split(_PLACE)
    return f"{before}{element}{after}"
