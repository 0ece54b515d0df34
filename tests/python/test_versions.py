"""Does the page of versions say what the code does, and does nothing open a connection?"""

import re
from pathlib import Path

import trainyard

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/versions.md").read_text()


def constant(file: str, pattern: str) -> str:
    found = re.search(pattern, (ROOT / file).read_text())
    assert found, pattern
    return found[1]


def test_formats_have_the_versions_that_the_page_names():
    report = constant("docs/formats/report.md", r"`version` is (\d+)")
    trace = constant("docs/formats/trace.md", r"Format version (\d+)")
    program = constant("docs/formats/program.md", r"\| version \| varint, (\d+)")
    text = constant("docs/formats/program.md", r"`trainyard program (\d+)`")
    for row in (
        rf"`trainyard\.report`, `version` {report} \|",
        rf"`\.tytrace` \| {trace} \|",
        rf"`\.typrog` \| {program} \|",
        rf"program, text \| {text} \|",
    ):
        assert re.search(row, PAGE), row


def test_the_report_has_the_version_of_its_page():
    version = constant("docs/formats/report.md", r"`version` is (\d+)")
    source = "".join(path.read_text() for path in (ROOT / "src/report").glob("*.h"))
    assert re.search(rf"report_format_version(?: =|\{{) ?{version}\b", source)


def test_the_change_log_has_the_version():
    assert f"## {trainyard.__version__}" in (ROOT / "CHANGELOG.md").read_text()


def test_no_module_opens_a_connection():
    forbidden = re.compile(
        r"^\s*(?:(?:import|from) (?:socket|urllib\.request|http\.client|requests|ssl|ftplib)\b"
        r"|from http import .*client|import http$)",
        re.M,
    )
    for path in (ROOT / "python").rglob("*.py"):
        assert not forbidden.search(path.read_text()), path
