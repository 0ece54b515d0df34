"""Does the first line of an error say what happened, and read as a sentence?

An InputError's headline is "found; expected: rule" (src/base/error.cpp), so that a rule goes on in
the middle of a line, and what was found is never empty or the rule said again.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

trainyard = pytest.importorskip("trainyard")

ROOT = Path(__file__).resolve().parents[2]
# Words that begin with a capital wherever they stand.
NAMES = re.compile(
    r"[A-Z0-9]{2,}|DMA|FP8|NKI|Python|Scalar|Vector|Tensor|GpSimd|StableHLO|Trn\d|Neuron|JAX|Hugging|"
    r"CHIPS|Gen\d|Sync|AwsNeuron|K "
)


def rules() -> Iterator[tuple[str, str]]:
    from trainyard import _core

    for table in (_core.checks(), _core.error_labels()):
        for entry in table:
            yield entry.get("id") or entry["label"], entry["rule"]
    for instruction in _core.instruction_schema():
        yield from ((one[0], one[1]) for one in instruction["constraints"])


def test_a_rule_goes_on_in_the_line():
    def is_wrong(rule: str) -> bool:
        ends = rule.endswith(".") and not rule.endswith("...")
        return ends or "\n" in rule or (rule[0].isupper() and not NAMES.match(rule))

    wrong = [f"{label}: {rule}" for label, rule in rules() if is_wrong(rule)]
    assert not wrong, "begin in lower case, and end without a full stop:\n" + "\n".join(wrong)


def refusals() -> Iterator[tuple[str, ast.expr, ast.expr]]:
    """Of each call of refuse(label, rule, found) in nki and neuronxcc: place, rule and found."""
    for package in ("nki", "neuronxcc"):
        for path in sorted((ROOT / "python" / package).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text())):
                name = getattr(node, "func", None)
                if getattr(name, "attr", getattr(name, "id", "")) == "refuse" and (
                    isinstance(node, ast.Call) and len(node.args) >= 3
                ):
                    yield f"{path.name}:{node.lineno}", node.args[1], node.args[2]


def test_refusals_in_python_say_what_was_found():
    seen, wrong = 0, []
    for place, rule, found in refusals():
        seen += 1
        if isinstance(found, ast.Constant) and (
            len(str(found.value)) < 3 or str(found.value).endswith(".")
        ):
            wrong.append(f"{place}: {found.value!r}")
        if isinstance(rule, ast.Constant) and rule.value == getattr(found, "value", None):
            wrong.append(f"{place}: the rule again")
    assert seen > 50
    assert not wrong, "\n".join(wrong)


def violations(text: str) -> Iterator[list[str]]:
    """Of each {"label.word", "rule", place, found, fix} in C++: its parts, as they are written."""
    for begin in re.finditer(r'\{\s*"[a-z_]+\.[a-z_0-9]+",', text):
        depth, parts, part, quoted = 0, [], "", False
        for at in range(begin.start(), len(text)):
            character = text[at]
            if character == '"' and text[at - 1] != "\\":
                quoted = not quoted
            if not quoted and character in "({[":
                depth += 1
                if depth == 1:
                    continue
            if not quoted and character in ")}]":
                depth -= 1
                if depth == 0:
                    break
            if not quoted and character == "," and depth == 1:
                parts.append(part.strip())
                part = ""
            else:
                part += character
        yield [*parts, part.strip()]


def test_violations_in_cpp_say_what_was_found():
    seen, wrong = 0, []
    for path in sorted((ROOT / "src").rglob("*.cpp")):
        if path.parent.name == "checks":
            continue
        for parts in violations(path.read_text()):
            if len(parts) < 4 or " " not in parts[1]:
                continue  # a pair, or a table of another kind
            seen += 1
            rule, found = parts[1], parts[3]
            if found in ('""', "{}", rule):
                wrong.append(f"{path.relative_to(ROOT)}: {parts[0]}")
            if re.match(r'"[A-Z][a-z]', rule) and not NAMES.match(rule[1:]):
                wrong.append(f"{path.relative_to(ROOT)}: {parts[0]}: {rule[:60]}")
    assert seen > 100
    assert not wrong, "say what was found, and the rule in lower case:\n" + "\n".join(wrong)
