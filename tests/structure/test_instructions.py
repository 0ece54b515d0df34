"""Does anything outside src/isa/instructions know an instruction or an operand by its name?"""

import re
from pathlib import Path

import pytest
from sources import cpp_sources, text
from test_floors import FLOORS

INSTRUCTIONS = Path("src/isa/instructions")
MNEMONICS = {path.stem for path in cpp_sources() if path.parent == INSTRUCTIONS}
# These speak of other vocabularies, which share words with ours: StableHLO, PJRT, networks.
OTHER_WORDS = {"fabric", "graph", "pjrt"}
COMPARISON = re.compile(
    r"\b(mnemonic|operand\w*(\.|->)name)(\(\))?\s*((==|!=)\s*\"|\.(starts|ends)_with)"
)


# Reads an instruction's record by its type.
TYPED = re.compile(r"\b(?:is|as|info_of|opcode_of)<(?:isa::)?([A-Z]\w+)>")
# The compiler rewrites instructions that it writes itself; the others wait for a trait.
TYPED_ALLOWED = {
    "src/checkers/reach.cpp",
    "src/checkers/scatter.cpp",
    "src/lint/matmuls.cpp",
}
RECORDS = {"".join(word.title() for word in name.split("_")) for name in MNEMONICS}


def types_in(path: Path, content: str) -> list[str]:
    """Where a file of a floor above isa chooses an instruction by its record's type."""
    return [
        f"{path}:{number}: chooses {name}"
        for number, line in enumerate(content.splitlines(), 1)
        for name in TYPED.findall(line)
        if name in RECORDS
    ]


def names_in(path: Path, content: str) -> list[str]:
    """Where a file of a floor above isa's foundations names an instruction or compares a name."""
    found = []
    for number, line in enumerate(content.splitlines(), 1):
        quoted = MNEMONICS.intersection(re.findall(r'"(\w+)"', line))
        found += [f'{path}:{number}: names "{name}"' for name in sorted(quoted)]
        if COMPARISON.search(line):
            found.append(f"{path}:{number}: compares a name")
    return found


def test_facts_about_instructions_stand_in_their_definitions():
    watched = [
        path
        for path in cpp_sources()
        if FLOORS.floor[path.parts[1]] >= FLOORS.floor["isa"]
        and path.parts[1] not in OTHER_WORDS
        and path.parent != INSTRUCTIONS
    ]
    found = [line for path in watched for line in names_in(path, text(path))]
    # opcode_from_mnemonic() is what makes names of text into instructions.
    found = [line for line in found if "src/isa/core/instruction_set.cpp" not in line]
    assert not found, "give it a role or a trait (isa/core/traits.h):\n" + "\n".join(found)


def test_only_the_compiler_chooses_instructions_by_type():
    watched = [
        path
        for path in cpp_sources()
        if FLOORS.floor[path.parts[1]] > FLOORS.floor["isa"] and path.parts[1] != "compiler"
    ]
    found = [line for path in watched for line in types_in(path, text(path))]
    files = {line.split(":")[0] for line in found}
    assert files == TYPED_ALLOWED, "give it a trait (isa/core/traits.h):\n" + "\n".join(found)


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
