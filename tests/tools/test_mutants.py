"""Does tools/mutants plant lines that are really wrong, the same ones for a seed, go on where it
stopped, and count what the tests find?"""

from __future__ import annotations

import importlib.machinery
import importlib.util
import itertools
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
from mutation import plan, reach, trial  # noqa: E402

PATH = ROOT / "tools/mutants"
LOADER = importlib.machinery.SourceFileLoader("mutants", str(PATH))
SPEC = importlib.util.spec_from_loader("mutants", LOADER)
assert SPEC is not None
mutants = importlib.util.module_from_spec(SPEC)
LOADER.exec_module(mutants)


def changes(line: str) -> set[tuple[str, str]]:
    """Each kind and the line as it makes it."""
    sites = plan.find_sites("a.cpp", line + "\n")
    return {(site.kind, site.apply(line + "\n").strip()) for site in sites}


@pytest.mark.parametrize(
    ("line", "kind", "wrong"),
    [
        ("  x = a + b;", "sign", "x = a - b;"),
        ("  x += a;", "sign", "x -= a;"),
        ("  return -x;", "sign", None),
        ("  f(-x);", "sign", "f(x);"),
        ("  if (i < n) f();", "bound", "if (i <= n) f();"),
        ("  g(n - 1);", "bound", "g(n);"),
        ("  g(std::min(a, b));", "bound", "g(std::max(a, b));"),
        ("  g(a, 128);", "constant", "g(a, 129);"),
        ("  g(true);", "constant", "g(false);"),
        ("  if (a == b) f();", "condition", "if (a != b) f();"),
        ("  if (a && b) f();", "condition", "if (a || b) f();"),
        ("  if (!a) f();", "condition", "if (a) f();"),
        ("  x = a * b;", "operation", "x = a / b;"),
        ("  g(OpKind::maximum);", "operation", "g(OpKind::minimum);"),
        ("  x = a - b;", "order", "x = b - a;"),
        ("  g(first, second);", "order", "g(second, first);"),
        ("  x = a + b;", "dropped", "x = a;"),
        ("  sum += x * 2;", "dropped", ";"),
    ],
)
def test_a_line_gets_the_wrong_forms_of_its_kind(line: str, kind: str, wrong: str | None):
    made = {text for of_kind, text in changes(line) if of_kind == kind}
    assert wrong in made if wrong is not None else not made


@pytest.mark.parametrize(
    "line",
    [
        "  // a + b < 1",
        '  const char* words = "a + b";',
        "#include <a/b.h>",
        "  std::vector<std::pair<int, int>> all;",
        "using A = B<1>;",
    ],
)
def test_what_is_no_statement_stays(line: str):
    assert changes(line) == set()


def test_a_changed_line_is_not_made_wrong_unseen():
    mutant = plan.Mutant("a.cpp", 1, 2, "sign", "+", "-")
    with pytest.raises(ValueError, match=r"a\.cpp:1 no longer reads"):
        mutant.apply("a - b")


def test_a_seed_picks_the_same_lines_again_each_line_once_and_of_every_kind():
    one, again = ([*itertools.islice(plan.draw(ROOT, 7), 200)] for _ in range(2))
    assert one == again
    assert len({(m.file, m.line) for m in one}) == 200
    assert {m.kind for m in one} == set(plan.KINDS)
    assert {"/".join(m.file.split("/")[:2]) for m in one} == set(plan.FOLDERS)
    assert one != [*itertools.islice(plan.draw(ROOT, 8), 200)]


def test_every_picked_line_differs_from_the_right_one():
    for mutant in itertools.islice(plan.draw(ROOT, 3), 100):
        text = (ROOT / mutant.file).read_text()
        wrong = mutant.apply(text)
        differing = [
            i
            for i, (a, b) in enumerate(zip(text.split("\n"), wrong.split("\n"), strict=True), 1)
            if a != b
        ]
        assert differing == [mutant.line]


def verdict(outcome: str, line: int = 1) -> dict:
    mutant = plan.Mutant("a.cpp", line, 0, "sign", "+", "-")
    return trial.Verdict(mutant, outcome, "Some.Test" if outcome == "found" else "").record()


def test_the_share_is_of_lines_that_compile_and_are_not_equivalent(tmp_path: Path, capsys):
    (tmp_path / "a.cpp").write_text("x + y;\nz + y;\n")
    verdicts = [verdict("found")] * 9 + [verdict("survived"), verdict("refused")]
    assert mutants.report(verdicts, {}, tmp_path) == 0
    assert "9 of 10 wrong lines are found (90%" in capsys.readouterr().out
    verdicts.append(verdict("survived", 2))
    assert mutants.report(verdicts, {}, tmp_path) == 1
    assert "survived: a.cpp:2 sign: '+' -> '-'" in capsys.readouterr().out
    equivalent = {("a.cpp", "z + y;", "+", "-"): "y is always 0"}
    assert mutants.report(verdicts, equivalent, tmp_path) == 0
    assert "equivalent: y is always 0" in capsys.readouterr().out


def test_verdicts_are_kept_and_a_run_goes_on_behind_them(tmp_path: Path, monkeypatch):
    tried = []

    def fake(_, mutant, folder):
        tried.append(mutant)
        return trial.Verdict(mutant, "refused" if len(tried) == 2 else "found", "T")

    monkeypatch.setattr(mutants.trial, "try_mutant", fake)
    path = tmp_path / "7.jsonl"
    path.write_text("")
    for number in (0, 0, 1):
        mutants.run_batch(None, number, path, plan.draw(ROOT, 7), jobs=1, counts={})
    assert len(mutants.read_verdicts(path)) == len(tried) == 41
    assert mutants.count_tried(mutants.read_verdicts(path)) == 40
    assert tried == [*itertools.islice(plan.draw(ROOT, 7), 41)]


def test_lines_that_no_test_executes_are_told_without_a_try(tmp_path: Path, monkeypatch):
    mutant = next(plan.draw(ROOT, 7))
    mark = reach.hash_of(ROOT / mutant.file)
    reach.save({mutant.file: (mark, {mutant.line: 0})}, tmp_path / "reached.json")
    counts = reach.load(tmp_path / "reached.json")
    assert reach.is_unreached(counts, ROOT, mutant.file, mutant.line)
    assert not reach.is_unreached(counts, ROOT, mutant.file, mutant.line + 1)
    stale = {mutant.file: ("another file", {mutant.line: 0})}
    assert not reach.is_unreached(stale, ROOT, mutant.file, mutant.line)

    monkeypatch.setattr(mutants.trial, "try_mutant", lambda *_: trial.Verdict(_[1], "found", "T"))
    path = tmp_path / "7.jsonl"
    mutants.run_batch(None, 0, path, plan.draw(ROOT, 7), jobs=1, counts=counts)
    outcomes = [v["outcome"] for v in mutants.read_verdicts(path)]
    assert outcomes == ["unreached"] + ["found"] * 19
    assert mutants.report(mutants.read_verdicts(path), {}) == 0


def test_the_programs_of_a_room_come_first_and_all_tests_that_are_linked_with_it_behind():
    assert trial.steps_of("src/compiler/lowering/sorts/top_k.cpp") == [
        ("test_session", "Programs/*/rows_*"),
        ("test_compiler", "*"),
        ("test_session", "Programs/*"),
        ("test_session", "-Programs/*:Effects*"),
    ]
    assert trial.steps_of("src/graph/partition/divide.cpp")[0] == ("test_plan", "*")
    assert trial.steps_of("src/graph/print.cpp")[0] == ("test_graph", "*")


def test_unexecuted_lines_are_told_by_file():
    counts = {"a.cpp": ("", {1: 0, 2: 3}), "b.cpp": ("", {1: 0, 2: 0, 4: 1}), "c.cpp": ("", {1: 1})}
    assert [line.split() for line in reach.in_words(counts)][1:] == [
        ["2", "of", "3", "b.cpp"],
        ["1", "of", "2", "a.cpp"],
    ]


def test_files_that_are_compiled_together_stay_together(tmp_path: Path):
    """A function of the file may be inlined into another one's."""
    build = tmp_path / "build/Unity"
    build.mkdir(parents=True)
    (tmp_path / "src").mkdir()
    a, b = tmp_path / "src/a.cpp", tmp_path / "src/b.cpp"
    a.write_text("int one() { return 1 + 1; }\n")
    b.write_text("int two() { return one(); }\n")
    unity = build / "unity_0.cxx"
    unity.write_text(f'#include "{a}"\n#include "{b}"\n')
    unit = trial.Unit(unity, ["c++", "-c", str(unity), "-o", "unity.o"])
    assert unit.files() == [a, b]

    together = trial.Build.__new__(trial.Build)
    together.root, together.directory = tmp_path, tmp_path
    together.units = dict.fromkeys(map(str, unit.files()), unit)
    folder = tmp_path / "wrong"
    folder.mkdir()
    mutant = plan.Mutant("src/a.cpp", 1, 21, "sign", "+", "-")
    made = together.compile(mutant, folder)
    symbols = subprocess.run(["nm", "-C", made], capture_output=True, text=True, check=True).stdout
    assert "one()" in symbols and "two()" in symbols
    assert "return 1 - 1" in (folder / "a.cpp").read_text()


def test_listing_builds_nothing():
    done = subprocess.run(
        [PATH, "--list", "--seed", "5", "--batches", "2"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert len(done.stdout.splitlines()) == 40


def test_each_equivalent_line_is_still_there_and_has_an_argument():
    for (file, line, before, _), argument in mutants.read_equivalent().items():
        assert before.strip() in line
        assert line in [each.strip() for each in (ROOT / file).read_text().splitlines()]
        assert len(argument.split()) > 4
