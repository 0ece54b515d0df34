"""Does anything outside src/isa/instructions know an instruction or an operand by its name?"""

import ast
import re
from pathlib import Path

import pytest
from sources import cpp_sources, repository_files, text
from test_floors import FLOORS

INSTRUCTIONS = Path("src/isa/instructions")
MNEMONICS = {path.stem for path in cpp_sources() if path.parent == INSTRUCTIONS}
# These speak of other vocabularies, which share words with ours: StableHLO, PJRT, networks,
# operators, the machine's figures.
OTHER_WORDS = {"fabric", "graph", "pjrt", "machine", "numerics"}
COMPARISON = re.compile(
    r"\b(mnemonic|operand\w*(\.|->)name)(\(\))?\s*((==|!=)\s*\"|\.(starts|ends)_with)"
)

# In Python: the collectives of networks and of other tools' command lines.
OTHER_PYTHON = {
    "python/trainyard/claims/systems.py",
    "python/trainyard/collectives.py",
    "python/trainyard/commands/cc_test.py",
}
COMPARED_KEY = re.compile(r"operand\w*(\[.name.\]|\.name)\s*(==|!=|in\b|\.(starts|ends)with)")

# Reads an instruction's record by its type.
TYPED = re.compile(r"\b(?:is|as|info_of|opcode_of)<(?:isa::)?([A-Z]\w+)>")
# What rewrites instructions of one kind: it needs all of a record to write another one.
REWRITES = {
    "src/compiler/balance.cpp": "copies and scalings become activations of Scalar",
    "src/compiler/join_transfers.cpp": "transfers become larger ones",
    "src/compiler/lowering/tiles/both_memories.cpp": "what a chain wrote is written twice",
    "src/compiler/merge_loads.cpp": "a load is left out where an equal one went before",
    "src/compiler/merge_products.cpp": "the same of an elementwise operation",
    "src/compiler/zero_unwritten.cpp": "memsets are added",
}
RECORDS = {"".join(word.title() for word in name.split("_")) for name in MNEMONICS}


def types_in(path: Path, content: str) -> list[str]:
    """Where a file chooses an instruction by its record's type."""
    return [
        f"{path}:{number}: chooses {name}"
        for number, line in enumerate(content.splitlines(), 1)
        for name in TYPED.findall(line)
        if name in RECORDS
    ]


def names_in(path: Path, content: str) -> list[str]:
    """Where a file of C++ names an instruction or compares a name."""
    found = []
    for number, line in enumerate(content.splitlines(), 1):
        quoted = MNEMONICS.intersection(re.findall(r'"(\w+)"', line))
        found += [f'{path}:{number}: names "{name}"' for name in sorted(quoted)]
        if COMPARISON.search(line):
            found.append(f"{path}:{number}: compares a name")
    return found


def choices(node: ast.AST) -> list[ast.expr | None]:
    """The expressions by which a statement of Python chooses: keys, members, sides, cases."""
    match node:
        case ast.Dict(keys=keys):
            return list(keys)
        case ast.Set(elts=elements) | ast.List(elts=elements) | ast.Tuple(elts=elements):
            return list(elements)
        case ast.Compare(left=left, comparators=others):
            return [left, *others]
        case ast.MatchValue(value=value):
            return [value]
        case _:
            return []


def choices_in_python(path: Path, content: str) -> list[str]:
    """Where Python lists mnemonics, or compares with one or with an operand's name. Emitting an
    instruction, as an author does, and the names that a module exports are no choice."""
    tree = ast.parse(content)
    exported = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
        for inner in ast.walk(node.value)
    }
    found = [
        f"{path}:{one.lineno}: lists or compares {one.value}"
        for node in ast.walk(tree)
        if id(node) not in exported
        for one in choices(node)
        if isinstance(one, ast.Constant) and one.value in MNEMONICS
    ]
    lines = enumerate(content.splitlines(), 1)
    return found + [
        f"{path}:{n}: compares a name" for n, line in lines if COMPARED_KEY.search(line)
    ]


def test_facts_about_instructions_stand_in_their_definitions():
    watched = [
        path
        for path in cpp_sources()
        if path.parts[1] not in OTHER_WORDS and path.parent != INSTRUCTIONS
    ]
    assert {path.parts[1] for path in watched} == FLOORS.floor.keys() - OTHER_WORDS
    found = [line for path in watched for line in names_in(path, text(path))]
    assert not found, "give it a role or a trait (isa/core/traits.h):\n" + "\n".join(found)


def test_python_knows_no_instruction_either():
    watched = [
        path
        for path in repository_files()
        if path.parts[0] == "python" and path.suffix == ".py" and str(path) not in OTHER_PYTHON
    ]
    assert len(watched) > 100
    found = [line for path in watched for line in choices_in_python(path, text(path))]
    assert not found, "give it a role or a trait (isa/core/traits.h):\n" + "\n".join(found)


def test_only_what_rewrites_instructions_chooses_them_by_type():
    watched = [path for path in cpp_sources() if path.parts[1] != "isa"]
    found = [line for path in watched for line in types_in(path, text(path))]
    files = {line.split(":")[0] for line in found}
    assert files == REWRITES.keys(), "give it a trait (isa/core/traits.h):\n" + "\n".join(found)


def test_only_what_builds_programs_includes_an_instruction():
    """The others, semantics among them, ask its entry in the instruction set."""
    builders = ("src/isa/builder/", "src/isa/instructions/", "src/compiler/")
    readers = [path for path in cpp_sources() if not str(path).startswith(builders)]
    assert [str(p) for p in readers if '#include "isa/instructions/' in text(p)] == []


def test_a_choice_by_type_is_found():
    planted = "if (program.is<isa::NcMatmul>(i)) return program.as<NcMatmul>(i).dst;"
    assert len(types_in(Path("src/lint/x.cpp"), planted)) == 2


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ('if (info.mnemonic == "memset") return;', "compares a name"),
        ('for (auto m : {"tensor_copy"}) f(m);', 'names "tensor_copy"'),
        ('if (operand.name == "dst") return;', "compares a name"),
        ('if (operand->name.starts_with("on_true")) return;', "compares a name"),
    ],
)
def test_a_name_is_found(line: str, says: str):
    assert any(says in each for each in names_in(Path("src/compiler/x.cpp"), line))


def test_words_that_are_no_instructions_are_not():
    assert names_in(Path("src/compiler/x.cpp"), 'fmt::format("{} reads", info.mnemonic);') == []


@pytest.mark.parametrize(
    ("line", "finds"),
    [
        ('RULES = {"dma_copy": 3}', True),
        ('if mnemonic in ("memset", "iota"): pass', True),
        ('if entry["mnemonic"] == "memset": pass', True),
        ('if operand["name"] == "dst": pass', True),
        ('emit("register_move", dst=1)', False),
        ('__all__ = ["register_move"]', False),
    ],
)
def test_a_choice_in_python_is_found(line: str, finds: bool):
    assert bool(choices_in_python(Path("python/nki/x.py"), line)) == finds
