"""Does one word name one thing in the C++ core?"""

import re
from pathlib import Path

import pytest

SRC = Path(__file__).parents[2] / "src"
DEFINES = r"^\s*(?:(?:struct|class|enum class) {0}\b[^;]*\{{|using {0} =)"


# Words that once named several things each.
@pytest.mark.parametrize(
    "word",
    [
        "Bytes",
        "Access",
        "Walk",
        "Graph",
        "Room",
        "Lane",
        "Lanes",
        "Account",
        "Check",
        "CollectiveOp",
        "ControlFlow",
        "Engine",
        "MxScaleRule",
        "Operation",
        "PhaseTimes",
        "RecordBuffer",
        "TimeBracket",
        "Timing",
    ],
)
def test_a_type_name_is_used_once(word: str) -> None:
    pattern = re.compile(DEFINES.format(word), re.MULTILINE)
    places = [
        str(file.relative_to(SRC))
        for file in sorted(SRC.rglob("*"))
        if file.suffix in {".h", ".cpp"} and pattern.search(file.read_text(encoding="utf-8"))
    ]
    assert len(places) <= 1, places


def test_a_choice_to_fold_says_what_it_folds() -> None:
    pattern = re.compile(r"\bbool folds\b")
    assert [str(file) for file in SRC.rglob("*.h") if pattern.search(file.read_text("utf-8"))] == []
