"""Does every check of the table find the mistake of its own example, and are its words complete?"""

import re
import runpy
from pathlib import Path

import pytest
from harness import example_input, findings_of, from_source, ids
from trainyard import findings
from trainyard.commands import explain

ROOT = Path(__file__).resolve().parents[2]
CHECKS = findings.registry()
WITH_EXAMPLE = [name for name, check in CHECKS.items() if check["example"]]
# No kernel can have these mistakes, or not on every machine; test_seeded_bugs.py and tests/system
# have their mutants.
WITHOUT_EXAMPLE = {
    "tile.rank",
    "tile.step",
    "nc_matmul.c12",
    "memory.race",
    "run.deadlock",
    "order.semaphore",
    "run.endless",
    "grid.conflict",
    "grid.overwrite",
    "grid.shared",
}


@pytest.mark.parametrize("name", WITH_EXAMPLE)
def test_the_example_of_a_check_has_its_mistake(name):
    kernel = from_source(CHECKS[name]["example"], file=name)
    found = findings_of(kernel, example_input())
    assert name in ids(found), "\n".join(map(findings.describe, found))
    for one in found:
        assert one["sides"], f"nobody is named by {one['label']}"
        assert all(side["role"] and side["what"] and side["place"] for side in one["sides"])


def test_what_stops_a_kernel_names_both_sides():
    names = {
        "memory.overlap": ["created", "created"],
        "sbuf.capacity": ["created"],
        "view.bounds": ["views", "created"],
        "nc_matmul.c1": ["issues", "created"],
        "memory.unwritten": ["reads", "writes another part", "created"],
    }
    for name, roles in names.items():
        kernel = from_source(CHECKS[name]["example"], file=f"stops-{name}.py")
        (found,) = findings_of(kernel, example_input(), stop_at="error", timed=False)
        assert (found["label"], [side["role"] for side in found["sides"]]) == (name, roles)


def test_checks_without_an_example_are_known():
    assert set(CHECKS) - set(WITH_EXAMPLE) == WITHOUT_EXAMPLE


@pytest.mark.parametrize("name", CHECKS)
def test_a_check_has_all_its_words(name):
    check = CHECKS[name]
    assert re.fullmatch(r"[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*", name)
    for part in ("title", "rule", "why", "source", "fix"):
        assert check[part], part
    assert check["severity"] in findings.SEVERITIES
    assert check["stage"] in explain.STAGES


def test_a_finding_names_both_sides_of_a_conflict():
    kernel = from_source(CHECKS["psum.lost_sum"]["example"], file="lost.py")
    (found,) = [
        one for one in findings_of(kernel, example_input()) if one["label"] == "psum.lost_sum"
    ]
    overwrites, added, created = found["sides"]
    assert (overwrites["role"], added["role"], created["role"]) == (
        "overwrites",
        "added last",
        "created",
    )
    assert overwrites["actor"] == added["actor"] == "tensor engine"
    assert overwrites["time_ns"] > added["time_ns"] > 0
    assert re.fullmatch(r"<checks/lost\.py>:\d+ in kernel, _=1", overwrites["place"])
    assert re.fullmatch(r"<checks/lost\.py>:\d+ in kernel, _=0", added["place"])
    assert "created at" not in found["found"] and found["fix"]


def test_the_page_of_the_checks_is_fresh():
    page = runpy.run_path(str(ROOT / "tools/checks_reference.py"))["page"]()
    fresh = (ROOT / "docs/reference/checks.md").read_text() == page
    assert fresh, "run: python tools/checks_reference.py"


def test_the_registry_in_cpp_has_no_check_twice():
    text = "".join(path.read_text() for path in (ROOT / "src/checks").glob("*.cpp"))
    written = re.findall(r'\.id = "([^"]+)"', text)
    assert sorted(written) == sorted(CHECKS)
