"""Is an error told from others by its type, never by its label?"""

import re
from pathlib import Path

from sources import cpp_sources, text

COMPARED = re.compile(r"label\s*(==|!=)\s*\"")
# Within one folder, of violations that are being collected.
COLLECTING = {"machine"}


def comparisons(path: Path, content: str) -> list[str]:
    """The lines that compare a label with a literal."""
    lines = enumerate(content.splitlines(), 1)
    return [f"{path}:{number}" for number, line in lines if COMPARED.search(line)]


def test_no_error_is_caught_by_its_label():
    watched = [path for path in cpp_sources() if path.parts[1] not in COLLECTING]
    assert [one for path in watched for one in comparisons(path, text(path))] == []


def test_a_comparison_is_found():
    planted = 'if (error.violations().front().label != "sbuf.capacity") throw;'
    assert comparisons(Path("src/session/x.cpp"), planted)
