"""Are the texts fit to publish: of readable size, links that lead somewhere, on the subject?"""

import re
from pathlib import Path

import pytest
from sources import ROOT, Floors, cpp_sources, repository_files, text, text_files

LINES_MAX = 500
# Files that may be longer, each with the reason why it is still one idea.
LONGER: dict[str, str] = {}
# Data tables are not read from top to bottom.
DATA = {"vectors", "data", "third_party"}

# Written so that this file does not match itself.
FORBIDDEN = {
    "a path of one machine": r"(?<![\w.}$)*])/(?:wor[k]|roo[t]|hom[e]|tm[p]|op[t]|mn[t]|User[s])/",
    "a registry's host name": (
        r"\b(?:pypi\.or[g]|pythonhosted\.or[g]|deb\.debian\.or[g]|registry\.npmj[s]|crates\.i[o])\b"
    ),
    "how the text came to be": (
        r"(?i)\b(?:as an a[i]|a[i] assistan[t]|chatbo[t]|co-authored-b[y]|generated b[y] a[i])\b"
    ),
}


def code_files() -> list[Path]:
    return [
        path
        for path in text_files()
        if path.suffix in {".cpp", ".h", ".py", ".sh", ".ts", ".cmake"}
    ]


def test_no_file_is_long_without_a_reason():
    files = [path for path in code_files() if not DATA & set(path.parts)]
    long = [
        f"{path}: {len(text(path).splitlines())} lines"
        for path in files
        if len(text(path).splitlines()) > LINES_MAX and str(path) not in LONGER
    ]
    assert not long, "split these, or give a reason in LONGER:\n" + "\n".join(long)


def test_every_exception_to_the_length_is_needed():
    for path in LONGER:
        lines = text(Path(path)).splitlines() if (ROOT / path).exists() else []
        assert len(lines) > LINES_MAX, f"{path} needs no exception: remove its line from LONGER"


@pytest.mark.parametrize("what", FORBIDDEN)
def test_no_text_holds(what: str):
    found = []
    for path in text_files():
        for number, line in enumerate(text(path).splitlines(), 1):
            if re.search(FORBIDDEN[what], line) and path.name != "LICENSE":
                found.append(f"{path}:{number}: {line.strip()[:100]}")
    assert not found, "\n".join(found)


def test_every_relative_link_leads_somewhere():
    broken = []
    for path in repository_files():
        if path.suffix != ".md":
            continue
        prose = re.sub(r"```.*?```|`[^`\n]*`", "", text(path), flags=re.DOTALL)
        for target in re.findall(r"\]\(([^)\s]+)\)", prose):
            if re.match(r"[a-z]+:|#", target):
                continue
            if not (ROOT / path.parent / target.split("#")[0]).exists():
                broken.append(f"{path}: {target}")
    assert not broken, "\n".join(broken)


def test_lines_end_cleanly():
    wrong = [
        str(path)
        for path in text_files()
        if re.search(r"[ \t]$|\r|\t\S*\t$", text(path), re.MULTILINE)
    ]
    assert not wrong, f"trailing blanks or carriage returns: {wrong}"


def test_every_text_file_ends_with_a_newline():
    wrong = [str(path) for path in text_files() if text(path) and not text(path).endswith("\n")]
    assert not wrong, wrong


def test_architecture_describes_the_folders_that_exist():
    described = dict(
        (folder, int(floor))
        for floor, folder in re.findall(
            r"^\| (\d+) \| `(\w+)` \|", text(Path("ARCHITECTURE.md")), re.M
        )
    )
    floors = Floors.parse(text(Path("src/FLOORS"))).floor
    existing = {path.parts[1] for path in cpp_sources()}
    assert described == {folder: floors[folder] for folder in existing}


def test_architecture_describes_the_rooms_that_exist():
    described = {
        room: int(floor)
        for room, floor in re.findall(
            r"^\| `(\w+)` \| (\d+) \|", text(Path("ARCHITECTURE.md")), re.M
        )
    }
    rooms = Floors.parse(text(Path("src/FLOORS"))).rooms
    assert described == {Path(room).name: floor for room, floor in rooms.items()}


def test_every_decision_is_listed():
    pages = {path.name for path in (ROOT / "docs/decisions").glob("0*.md")}
    listed = set(re.findall(r"\]\((0[\w-]+\.md)\)", text(Path("docs/decisions/README.md"))))
    assert pages == listed


STATES = {"chosen", "simplified", "differs", "measured", "missing"}


def deviations() -> list[tuple[str, str, str, str]]:
    """Name, target of its link, status and claim of each row of DEVIATIONS.md."""
    row = re.compile(r"\| \[(\S+)\]\(docs/deviations\.md#(\S+)\) \| (\w+) \| (.+) \|")
    return [
        found.groups()
        for line in text(Path("DEVIATIONS.md")).splitlines()
        if (found := row.fullmatch(line))
    ]


def test_each_deviation_is_a_short_claim():
    rows = deviations()
    assert len(rows) == text(Path("DEVIATIONS.md")).count("docs/deviations.md#"), (
        "a row has another form"
    )
    for name, _, status, claim in rows:
        assert status in STATES, f"{name}: {status} is none of {sorted(STATES)}"
        assert len(claim) <= 120, (
            f"{name}: {len(claim)} characters; details belong in docs/deviations.md"
        )


def test_each_deviation_has_its_details():
    titles = re.findall(r"^## (\S+)$", text(Path("docs/deviations.md")), re.MULTILINE)
    assert titles == [name for name, *_ in deviations()], "the table and its details differ"
    for name, target, *_ in deviations():
        assert target == name.lower().replace(".", ""), f"{name}: the link leads to {target}"
