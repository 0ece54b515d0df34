"""Is the code that pages show code, and are the names of ours in it there? What pages print is held
by tests of their own (tests/tutorial, test_readme.py, tests/checks)."""

import ast
import importlib
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
OURS = ("trainyard", "nki")
BLOCK = re.compile(r"^```(python|toml)\n(.*?)^```", re.MULTILINE | re.DOTALL)
SIGNATURES = ROOT / "docs/reference/isa.md"
PAGES = [
    path
    for path in (ROOT / "README.md", *(ROOT / "docs").rglob("*.md"), *ROOT.glob("examples/*.md"))
    if BLOCK.search(path.read_text()) and path != SIGNATURES
]


def blocks_of(path: Path, language: str) -> list[str]:
    return [text for kind, text in BLOCK.findall(path.read_text()) if kind == language]


def names_in(tree: ast.AST) -> set[str]:
    """Dotted names that it imports of our packages, and those that it reads of these."""
    found, known = set(), {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for one in node.names:
                known[one.asname or one.name.partition(".")[0]] = (
                    one.name if one.asname else one.name.partition(".")[0]
                )
                found.add(one.name)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for one in node.names:
                known[one.asname or one.name] = f"{node.module}.{one.name}"
                found.add(f"{node.module}.{one.name}")
    for node in ast.walk(tree):
        is_read = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
        if is_read and node.value.id in known:
            found.add(f"{known[node.value.id]}.{node.attr}")
    return {name for name in found if name.partition(".")[0] in OURS}


def exists(name: str) -> bool:
    parts = name.split(".")
    held = importlib.import_module(parts[0])
    for i, part in enumerate(parts[1:], 2):
        if not hasattr(held, part):
            try:
                importlib.import_module(".".join(parts[:i]))
            except ImportError:
                return False
        held = getattr(held, part)
    return True


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_blocks_of_a_page_can_be_read(path):
    for text in blocks_of(path, "toml"):
        tomllib.loads(text)
    for text in blocks_of(path, "python"):
        missing = [name for name in names_in(ast.parse(text)) if not exists(name)]
        assert not missing, text


def test_a_signature_of_an_instruction_is_one():
    texts = blocks_of(SIGNATURES, "python")
    assert len(texts) > 50
    for text in texts:
        ast.parse(f"def {text.strip()}: ...")


def test_a_study_of_the_page_can_be_asked(tmp_path):
    from trainyard.planner import studies

    text = next(
        one for one in blocks_of(ROOT / "docs/formats/study.md", "toml") if "[study]" in one
    )
    (tmp_path / "study.toml").write_text(text)
    assert studies.read_study(tmp_path / "study.toml").size == 8


def test_a_name_that_there_is_none_of_is_seen():
    tree = ast.parse("import trainyard\nfrom nki import isa\ntrainyard.no_such\nisa.activation")
    assert {name for name in names_in(tree) if not exists(name)} == {"trainyard.no_such"}
