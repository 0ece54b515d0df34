"""Do the Python packages import each other without going in circles?"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PYTHON = Path(__file__).parents[2] / "python"


def modules() -> dict[str, Path]:
    """Every module by its name."""
    found = {}
    for file in sorted(PYTHON.rglob("*.py")):
        parts = file.relative_to(PYTHON).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = file
    return found


MODULES = modules()


def statements(nodes: list[ast.stmt], deferred: bool) -> Iterator[ast.Import | ast.ImportFrom]:
    """The imports among `nodes`; those in functions too where they are `deferred`."""
    for node in nodes:
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not deferred:
            continue
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            continue
        for inner in ("body", "orelse", "finalbody", "handlers"):
            yield from statements(getattr(node, inner, None) or [], deferred)


def with_packages(name: str) -> set[str]:
    """A module and the packages that it is in: to import it is to import those first."""
    parts = name.split(".")
    return {".".join(parts[:length]) for length in range(1, len(parts) + 1)}


def imported(name: str, file: Path, deferred: bool) -> set[str]:
    """The modules that one module imports, but for the packages that it is in itself."""
    package = name if file.name == "__init__.py" else name.rpartition(".")[0]
    found = set()
    for node in statements(ast.parse(file.read_text(encoding="utf-8")).body, deferred):
        if isinstance(node, ast.Import):
            for one in node.names:
                found |= with_packages(one.name)
            continue
        base = node.module or ""
        if node.level:
            parts = package.split(".")
            base = ".".join([*parts[: len(parts) - node.level + 1], *filter(None, [node.module])])
        for one in node.names:
            found |= with_packages(f"{base}.{one.name}")
    return {one for one in found if one in MODULES} - with_packages(name)


def circles(deferred: bool) -> list[list[str]]:
    """The modules that reach each other by imports, group by group."""
    graph = {name: imported(name, file, deferred) for name, file in MODULES.items()}
    reach = {}
    for name in graph:
        seen, todo = set(), [name]
        while todo:
            fresh = graph[todo.pop()] - seen
            seen |= fresh
            todo += fresh
        reach[name] = seen
    groups = {
        tuple(sorted({other for other in reach[name] if name in reach[other]}))
        for name in graph
        if name in reach[name]
    }
    return [list(group) for group in sorted(groups)]


def test_no_module_needs_itself_to_be_imported() -> None:
    assert circles(deferred=False) == []


def test_imports_put_off_go_in_no_circle_either() -> None:
    assert circles(deferred=True) == []


@pytest.mark.parametrize("package", ["nki", "trainyard", "neuronxcc"])
def test_the_graph_is_not_empty(package: str) -> None:
    assert len([name for name in MODULES if name.split(".")[0] == package]) > 10


def test_an_import_of_a_part_is_one_of_its_package() -> None:
    registers = imported("nki._registers", PYTHON / "nki" / "_registers.py", deferred=False)
    assert {"trainyard", "nki._context"} <= registers
    assert "nki" not in registers  # its own package
