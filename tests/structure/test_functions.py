"""Are functions short enough to be read at once?"""

import ast
import re

import pytest
from sources import cpp_sources, repository_files, text

LINES_MAX = 70
# What ends a line that opens a block which is no function: a table, a class, a namespace.
NO_FUNCTION = re.compile(r"(?:=|\bto_array<.*>\(|\{)\s*\{$|\b\w+ \w+(?:<.*>)?\{$")
OTHER_BLOCK = re.compile(r"^\s*(?:namespace|struct|class|enum|union|extern)\b")


def long_in_cpp(content: str) -> list[str]:
    """Functions of a file in clang-format's layout, where a block ends at its head's column."""
    found, opened = [], []
    lines = content.splitlines()
    for number, line in enumerate(lines):
        column = indent(line)
        if line.startswith(" " * column + "}"):
            while opened and opened[-1][0] > column:
                opened.pop()
            if opened and opened[-1][0] == column:
                _, begin, head = opened.pop()
                if number - begin + 1 > LINES_MAX and is_function(head):
                    found.append(f"{begin + 1}: {number - begin + 1} lines")
        if line.endswith("{") and not line.lstrip().startswith("//"):
            begin = first_line(lines, number)
            opened.append((indent(lines[begin]), begin, " ".join(lines[begin : number + 1])))
    return found


def indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def first_line(lines: list[str], end: int) -> int:
    """The line where the parentheses open that a line closes, which ends a head."""
    begin, depth = end, lines[end].count(")") - lines[end].count("(")
    while depth > 0 and begin > 0:
        begin -= 1
        depth += lines[begin].count(")") - lines[begin].count("(")
    return begin


def is_function(head: str) -> bool:
    """Whether the block behind a head is that of something with parameters."""
    return "(" in head and not OTHER_BLOCK.search(head) and not NO_FUNCTION.search(head)


def long_in_python(content: str) -> list[str]:
    return [
        f"{node.lineno}: {node.end_lineno - node.lineno + 1} lines"
        for node in ast.walk(ast.parse(content))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.end_lineno is not None
        and node.end_lineno - node.lineno + 1 > LINES_MAX
    ]


def test_no_function_is_long():
    found = [f"{path}:{one}" for path in cpp_sources() for one in long_in_cpp(text(path))]
    for path in repository_files():
        if path.suffix == ".py" and path.parts[0] != "tests":
            found += [f"{path}:{one}" for one in long_in_python(text(path))]
    assert not found, "keep control flow in the caller, and the leaves apart:\n" + "\n".join(found)


@pytest.mark.parametrize(
    ("head", "is_long"),
    [
        ("int f(int a) {", True),
        ("void f(int a,\n       int b) const {", True),
        ("constexpr std::array<int, 99> table{", False),
        ("static constexpr auto rules = std::to_array<Rule>({", False),
        ("struct Record {", False),
        ("namespace trainyard::base {", False),
    ],
)
def test_a_long_function_is_found(head: str, is_long: bool):
    body = "\n".join(["  x = 1;"] * LINES_MAX)
    assert bool(long_in_cpp(f"{head}\n{body}\n}}\n")) == is_long
    assert not long_in_cpp(f"{head}\n  x = 1;\n}}\n")


def test_a_long_function_of_python_is_found():
    body = "\n".join(["    x = 1"] * LINES_MAX)
    assert long_in_python(f"def f():\n{body}\n")
    assert not long_in_python("def f():\n    x = 1\n")
