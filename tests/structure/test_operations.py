"""What is known of an operation of StableHLO stands in its record (src/graph/ops).

Elsewhere code asks for a trait. A rule for two or three operations may name them; a list of more is
a trait that the records lack.
"""

import re
from pathlib import Path

from sources import ROOT, cpp_sources, text

RECORDS = Path("src/graph/ops")
KIND = r"(?:graph::)?OpKind::(\w+)"
NAMED_MAX = 4
# Tables with a row an operation, in which each is something of its own.
TABLES = {
    Path("src/graph/op_kind.h"),
}


def lists_of_kinds(source: str) -> list[tuple[int, list[str]]]:
    """Where kinds of operations are listed, by line from 1 on: braces of kinds alone, labels with
    one answer, chains of comparisons."""
    found = []
    label = rf"[ \t]*case {KIND}:[ \t]*"
    patterns = [
        rf"\{{\s*{KIND}(?:,\s*{KIND})*,?\s*\}}",
        rf"(?:{label}\n)+{label}\S",
        rf"\w*kind(?:\(\))? *[!=]= *{KIND}(?:\s*(?:&&|\|\|)\s*[\w.>-]*kind *[!=]= *{KIND})+",
    ]
    for pattern in patterns:
        for match in re.finditer(pattern, source):
            kinds = re.findall(KIND, match.group())
            found.append((source.count("\n", 0, match.start()) + 1, kinds))
    return found


def test_lists_are_found():
    source = """
      constexpr std::array dear{OpKind::sine, OpKind::cosine};
      switch (op.kind) {
        case OpKind::add:
        case OpKind::subtract:
        case OpKind::multiply: return true;
        default: return graph::OpKind::sort == op.kind;
      }
      return kind == OpKind::tan || kind == OpKind::tanh;
    """
    assert [(line, len(kinds)) for line, kinds in lists_of_kinds(source)] == [
        (2, 2),
        (4, 3),
        (9, 2),
    ]


def test_traits_stand_in_records():
    watched = [path for path in cpp_sources() if path.parent != RECORDS and path not in TABLES]
    found = [
        f"{path}:{line}: {' '.join(kinds)}"
        for path in watched
        if "OpKind::" in text(path)
        for line, kinds in lists_of_kinds(text(path))
        if len(kinds) > NAMED_MAX
    ]
    assert not found, "give their records a trait (graph/op_kind.h):\n" + "\n".join(found)


def test_files_of_records_are_listed():
    files = {path.stem for path in (ROOT / RECORDS).glob("*.cpp")}
    lists = set(re.findall(r"OpRecord> (\w+)_ops\(\);", text(RECORDS / "all.h")))
    assert lists == files - {"record", "sizes", "index_vectors"}
    assert lists == set(re.findall(r"Lister\{(\w+)_ops\}", text(RECORDS / "record.cpp")))
