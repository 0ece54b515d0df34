"""The page about a run: one HTML file that any browser opens, or a server for large traces.

A document (docs/formats/view.md) holds what the page shows: the report, the timeline, memory over
time, links between chips, source lines. `runs_at` reads one from files, `page_of` makes the file.
"""

from trainyard.view import document, files, ranks
from trainyard.view.document import document_of, of_result
from trainyard.view.files import runs_at
from trainyard.view.page import PAGE_BYTES_MAX, ROWS_MAX, page_of
from trainyard.view.schema import validate
from trainyard.view.timeline import need_rows

__all__ = [
    "PAGE_BYTES_MAX",
    "ROWS_MAX",
    "document",
    "document_of",
    "files",
    "need_rows",
    "of_result",
    "page_of",
    "ranks",
    "runs_at",
    "validate",
]
