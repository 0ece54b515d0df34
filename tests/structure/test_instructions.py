"""Does anything outside src/isa/instructions know an instruction or an operand by its name?"""

import ast
import re
from pathlib import Path

import pytest
from sources import cpp_sources, repository_files, text
from test_floors import FLOORS

INSTRUCTIONS = Path("src/isa/instructions")
MNEMONICS = {path.stem for path in cpp_sources() if path.parent == INSTRUCTIONS}
RECORDS = {"".join(word.title() for word in name.split("_")) for name in MNEMONICS}
# As the definitions spell them, and what collectives share.
OPERANDS = {
    name
    for path in cpp_sources()
    if path.parent in (INSTRUCTIONS, Path("src/isa/semantics"))
    for name in re.findall(
        r"\b(?:reads|writes|updates|writes_some|reads_some|fences|sets|immediate)"
        r'\(\s*"(\w+)"',
        text(path),
    )
}

# These speak of other vocabularies, which share words with ours: StableHLO, PJRT, networks,
# operators, the machine's figures.
OTHER_WORDS = {"fabric", "graph", "pjrt", "machine", "numerics"}
# In Python: the collectives of networks and of other tools' command lines.
OTHER_PYTHON = {
    "python/trainyard/claims/systems.py",
    "python/trainyard/collectives.py",
    "python/trainyard/commands/cc_test.py",
    "python/trainyard/planner/phases.py",
    "python/trainyard/topology.py",
    "python/trainyard/torch/operators/complex_table.py",  # PyTorch's operators
    "python/trainyard/torch/operators/complexes.py",  # StableHLO's operations
    "python/trainyard/torch/table.py",
}

# What may compare a name, and why.
COMPARES = {
    ("src/compiler/lowering/attention/attention_pattern.cpp", "scale"): "an attribute of JAX's",
    ("src/isa/forms/binary_read.cpp", "operand"): "a file's own names are those of the schema",
    ("src/isa/forms/text_read.cpp", "operand"): "the same of the text form",
}
# What may name a record beyond emitting one, and why; docs/decisions/0017 says more.
NAMES_RECORDS = {
    "src/compiler/balance.cpp": "copies and scalings become activations of Scalar",
    "src/compiler/join_transfers.cpp": "transfers become larger ones",
    "src/compiler/merge_products.cpp": "one operation on two tiles is done once",
    "src/isa/builder/builder.cpp": "a branch that it emitted gets its target",
    "src/isa/core/instruction_set.h": "the list of all",
}
# Folders that emit instructions and may name them as they like; which of them a program holds they
# may not ask.
EMITS = ("src/isa/builder/", "src/compiler/lowering/")

_NAME = "|".join(sorted(MNEMONICS | OPERANDS, key=len, reverse=True))
_QUOTED = rf'"(?:{_NAME})(?:\.\w*)?"(?:sv|s)?'
_CAST = r"(?:std::string(?:_view)?\s*[({]\s*)?"
_SEARCH = (
    r"(?:find\w*|rfind|compare|starts_with|ends_with|contains|substr|count|equal|search|front|at)"
)
NAMED = {
    "compares with a name": re.compile(
        rf"(?:==|!=)\s*{_CAST}{_QUOTED}|{_QUOTED}\s*[)}}]?\s*(?:==|!=)"
        rf'|\b{_SEARCH}\s*\((?:[^()"]*,)?\s*{_CAST}{_QUOTED}'
    ),
    "looks into a mnemonic": re.compile(
        rf"\bmnemonic(?:\(\))?\s*(?:\.\s*{_SEARCH}\s*\(|\[|(?:==|!=)\s*\")"
    ),
    "compares an operand's name": re.compile(
        r"\boperand\w*(?:\[[^][]*\])?\s*(?:\.|->)\s*name(?:\(\))?\s*"
        rf"(?:==|!=|\[|\.\s*{_SEARCH}\s*\()"
    ),
    "compares an opcode with a number": re.compile(
        r"\bopcode(?:\(\))?\s*(?:==|!=|[<>]=?)\s*\d|\d\s*(?:==|!=)\s*[\w.>()[\]-]*\bopcode\b"
    ),
}
_RECORD = rf"\b(?:{'|'.join(sorted(RECORDS))})\b"
# `Record{...}`, `Record made{...}` and what compiler/insert.h puts in.
EMISSION = re.compile(rf"(?:\b(?:isa::)?{_RECORD}(?:\s+\w+)?\s*{{|\bAddition<(?:isa::)?{_RECORD}>)")
MENTION = re.compile(_RECORD)
CHOICE = re.compile(
    r"\b(?:is|as|info_of|opcode_of|index_of|is_same_v|is_same|same_as|convertible_to"
    rf"|(?:static|reinterpret|bit)_cast)\s*<[^;{{}}()]*?{_RECORD}"
    rf"|\busing\s+\w+\s*=[^;]*{_RECORD}"
)


def without_comments(content: str) -> str:
    """With as many lines."""
    return re.sub(r"//[^\n]*", "", content)


def places(path: Path, code: str, pattern: re.Pattern[str], says: str) -> list[str]:
    return [
        f"{path}:{code.count(chr(10), 0, found.start()) + 1}: {says}: "
        + " ".join(found.group().split())
        for found in pattern.finditer(code)
    ]


def names_in(path: Path, content: str) -> list[str]:
    """Where a file of C++ names an instruction, or compares a name."""
    code = without_comments(content)
    quoted = re.compile(rf'"(?:{"|".join(sorted(MNEMONICS))})"')
    found = places(path, code, quoted, "names")
    for says, pattern in NAMED.items():
        found += places(path, code, pattern, says)
    return [
        one
        for one in found
        if not any(str(path) == file and word in one for file, word in COMPARES)
    ]


def records_in(path: Path, content: str) -> list[str]:
    """Where a file of C++ knows an instruction by its record's type. Emitting one is no finding."""
    code = re.sub(r'#include[^\n]*|"(?:\\.|[^"\\\n])*"', "", without_comments(content))
    if str(path).startswith(EMITS):
        return places(path, code, CHOICE, "chooses")
    return places(path, EMISSION.sub("", code), MENTION, "names a record")


# Of Python: functions whose argument is the instruction that they emit, as an author does; and
# those whose argument says in errors what was called.
EMITTERS = {"emit", "_emit", "emit_all", "_prepare", "_trigger"}
TELLERS = {"tile", "on_chip_tile", "refuse", "_no_operator"}


def is_named(value: str) -> bool:
    """Whether a string is mnemonics, one or several, or dotted names with one as a part."""
    words = [word for word in re.split(r"[\s,;|]+", value) if word]
    return bool(words) and all(MNEMONICS.intersection(word.split(".")) for word in words)


def silent_in(tree: ast.AST) -> set[int]:
    """The ids of expressions that choose nothing: docstrings, what a module exports, sentences, and
    the arguments of emitters and tellers."""
    silent: set[int] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Expr(value=ast.Constant()):
                silent.add(id(node.value))
            case ast.Assign(targets=[ast.Name(id="__all__")]):
                silent.update(id(inner) for inner in ast.walk(node.value))
            case ast.Call(func=function, args=arguments):
                name = ast.unparse(function).rsplit(".", 1)[-1]
                if name in EMITTERS | TELLERS:
                    silent.update(id(one) for one in arguments)
    return silent


def is_name_of_operand(node: ast.expr) -> bool:
    """`x["name"]`, `x.name` or `x.get("name")`."""
    match node:
        case ast.Subscript(slice=ast.Constant(value="name")) | ast.Attribute(attr="name"):
            return True
        case ast.Call(func=ast.Attribute(attr="get"), args=[ast.Constant(value="name"), *_]):
            return True
        case _:
            return False


def words_of(*nodes: ast.expr) -> set[str]:
    inner = [one for node in nodes for one in ast.walk(node)]
    return {one.value for one in inner if isinstance(one, ast.Constant)}


def called(node: ast.expr) -> str:
    return ast.unparse(node).rsplit(".", 1)[-1] if isinstance(node, ast.Attribute) else ""


def choices_in_python(path: Path, content: str) -> list[str]:
    """Where Python knows an instruction or an operand by its name."""
    tree = ast.parse(content)
    silent = silent_in(tree)
    found = []
    for node in ast.walk(tree):
        if id(node) in silent:
            continue
        match node:
            case ast.Constant(value=str(value)) if is_named(value):
                found.append(f"{path}:{node.lineno}: names {value!r}")
            case ast.keyword(arg=str(name)) if name in MNEMONICS:
                found.append(f"{path}:{node.value.lineno}: a keyword {name}")
            case ast.Compare(left=left, comparators=others):
                sides = [left, *others]
                of_operand = any(map(is_name_of_operand, sides)) and OPERANDS & words_of(node)
                if of_operand or MNEMONICS.intersection(map(called, sides)):
                    found.append(f"{path}:{node.lineno}: compares {ast.unparse(node)}")
            case ast.Call(func=ast.Attribute(value=value), args=[*arguments]):
                if is_name_of_operand(value) and OPERANDS & words_of(*arguments):
                    found.append(f"{path}:{node.lineno}: looks into {ast.unparse(node)}")
            case ast.Dict(keys=keys):
                found += [
                    f"{path}:{key.lineno}: lists {ast.unparse(key)}"
                    for key in keys
                    if key is not None and called(key) in MNEMONICS
                ]
    return found


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


def test_only_what_rewrites_instructions_knows_their_records():
    watched = [path for path in cpp_sources() if path.parent != INSTRUCTIONS]
    found = [line for path in watched for line in records_in(path, text(path))]
    files = {line.split(":")[0] for line in found}
    unknown = [line for line in found if line.split(":")[0] not in NAMES_RECORDS]
    assert not unknown, "give it a trait (isa/core/traits.h):\n" + "\n".join(unknown)
    assert files == NAMES_RECORDS.keys(), "no longer an exception"


def test_only_what_builds_programs_includes_an_instruction():
    """The others, semantics among them, ask its entry in the instruction set."""
    builders = ("src/isa/builder/", "src/isa/instructions/", "src/compiler/")
    readers = [path for path in cpp_sources() if not str(path).startswith(builders)]
    assert [str(p) for p in readers if '#include "isa/instructions/' in text(p)] == []


@pytest.mark.parametrize(
    "line",
    [
        'if (info.mnemonic == "memset") return;',
        'for (auto m : {"tensor_copy"}) f(m);',
        'if (operand.name == "dst") return;',
        'if (operand->name.starts_with("on_true")) return;',
        'if (info.operands[k].name == "dst") return;',
        'if (spec.name == "dst") return;',
        'std::ranges::any_of(list, [](const auto& o) { return o.name == "dst"; });',
        'if ("dst" == operand.name) return;',
        'if (operand.name.compare("dst") == 0) return;',
        'if (std::string(operand.name) == "dst") return;',
        'if (spec.name == std::string_view("dst")) return;',
        'if (info.mnemonic.find("matmul") == 3) return;',
        'if (info.mnemonic.contains("matmul")) return;',
        "if (info.mnemonic.substr(0, 3) == kind) return;",
        "if (info.mnemonic[0] == 'n') return;",
        'if (label.starts_with("nc_matmul.")) return;',
        'if (label.compare(0, 10, "nc_matmul.") == 0) return;',
        "if (info.opcode == 27) return;",
        "if (27 == program.instructions[i].opcode) return;",
        'if (spec.name ==\n    "dst")\n  return;',
        'if (std::ranges::find(list, "dst", &OperandInfo::name) == list.end()) return;',
        "if (operand.name == wanted) return;",
    ],
)
def test_a_name_is_found(line: str):
    assert names_in(Path("src/compiler/x.cpp"), line)


@pytest.mark.parametrize(
    "line",
    [
        'fmt::format("{} reads", info.mnemonic);',
        'if (x.opcode == y.opcode) return;  // not "memset"',
        'throw base::InputError({"dma_copy.engine", "a copy names no engine"});',
    ],
)
def test_words_that_are_no_instructions_are_not(line: str):
    assert names_in(Path("src/compiler/x.cpp"), line) == []


@pytest.mark.parametrize("path", ["src/lint/x.cpp", "src/compiler/lowering/x.cpp"])
@pytest.mark.parametrize(
    "line",
    [
        "if (program.is<isa::NcMatmul>(i)) return;",
        "return program.as<NcMatmul>(i).dst;",
        "if constexpr (std::is_same_v<Record, isa::Memset>) return;",
        "constexpr auto n = isa::InstructionSet::index_of<isa::Memset>();",
        "if (one.opcode == isa::opcode_of<trainyard::isa::Memset>) return;",
        "const auto& op = *static_cast<const isa::Memset*>(record);",
        "using Fill = isa::Memset;",
        "if (one.opcode ==\n    isa::opcode_of<\n        isa::Memset>)\n  return;",
    ],
)
def test_a_choice_by_type_is_found(path: str, line: str):
    assert records_in(Path(path), line)


@pytest.mark.parametrize(
    ("path", "line", "finds"),
    [
        ("src/lint/x.cpp", "void look(const isa::Memset& op);", True),
        ("src/lint/x.cpp", "isa::Definition<isa::Memset>::cycles(op, engine, core);", True),
        ("src/lint/x.cpp", "emit(isa::Memset{.dst = tile});", False),
        ("src/lint/x.cpp", "const isa::Memset zero{tile, 0};", False),
        ("src/lint/x.cpp", 'log("Memset");  // Memset', False),
        ("src/compiler/lowering/x.cpp", "isa::Memset made;\nmade.dst = tile;", False),
    ],
)
def test_emitting_is_no_choice(path: str, line: str, finds: bool):
    assert bool(records_in(Path(path), line)) == finds


@pytest.mark.parametrize(
    ("line", "finds"),
    [
        ('RULES = {"dma_copy": 3}', True),
        ('RULES = {"nki.isa.memset": 1}', True),
        ('RULES = {"dma_transpose.rank": 1}', True),
        ("RULES = {isa.memset: 1}", True),
        ("RULES = dict(dma_copy=3)", True),
        ('RULES = "dma_copy memset".split()', True),
        ('RULES.get("dma_copy")', True),
        ('RULES["dma_copy"] = 3', True),
        ('level.has("nc_transpose.engine")', True),
        ('if mnemonic in ("memset", "iota"): pass', True),
        ('if entry["mnemonic"] == "memset": pass', True),
        ("if f is isa.memset: pass", True),
        ('if operand["name"] == "dst": pass', True),
        ('if p["name"] == "dst": pass', True),
        ('if p.name in {"dst", "src"}: pass', True),
        ('if p["name"].startswith("on_true"): pass', True),
        ('match name:\n    case "memset": pass', True),
        ('emit("register_move", dst=1)', False),
        ('__all__ = ["register_move"]', False),
        ('def f():\n    """memset"""', False),
        ('fail("write the rest with nisa.memset; it is not (yet) zero")', False),
    ],
)
def test_a_choice_in_python_is_found(line: str, finds: bool):
    assert bool(choices_in_python(Path("python/nki/x.py"), line)) == finds
