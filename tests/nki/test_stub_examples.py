"""Do the examples in AWS's API stubs run, and does what they assert hold?

Needs a clone of aws-neuron-sdk, whose folder nki TRAINYARD_NEURON_SDK names; skipped without one.
An example `assert nl.equal(a, b)` becomes a comparison of the two tensors after the run. Examples
that lean on names they do not define are not run; the last test bounds how many those are.
"""

import ast
import os
import textwrap
from collections.abc import Iterator
from pathlib import Path

import nki
import nki.isa as nisa
import nki.language as nl
import numpy as np
import pytest

MARK = ".. code-block:: python"


def indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def code_blocks(text: str) -> Iterator[str]:
    lines = text.split("\n")
    for start in (i for i, line in enumerate(lines) if line.strip() == MARK):
        body = []
        for line in lines[start + 1 :]:
            if line.strip() and indent(line) <= indent(lines[start]):
                break
            body.append(line)
        yield textwrap.dedent("\n".join(body)).strip()


def examples() -> list[tuple[str, str]]:
    root = os.environ.get("TRAINYARD_NEURON_SDK", "")
    found = []
    for module in ("language", "isa"):
        stub = Path(root, "api/nki", module, "__init__.py")
        for node in ast.walk(ast.parse(stub.read_text()) if root else ast.Module([], [])):
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                blocks = code_blocks(ast.get_docstring(node) or "")
                found += [(f"{module}.{node.name}-{i}", code) for i, code in enumerate(blocks)]
    return found


class Comparisons(ast.NodeTransformer):
    """assert nl.equal(a, b) -> compare(a, b)"""

    def visit_Assert(self, node: ast.Assert) -> ast.stmt:
        test = node.test
        if not (isinstance(test, ast.Call) and ast.unparse(test.func) == "nl.equal"):
            return node
        return ast.Expr(ast.Call(ast.Name("compare", ast.Load()), test.args, []))


def undefined(tree: ast.Module) -> set[str]:
    """Names that are read but never bound anywhere in the example."""
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    bound = {n.id for n in names if not isinstance(n.ctx, ast.Load)}
    bound |= {arg.arg for arg in ast.walk(tree) if isinstance(arg, ast.arg)}
    bound |= {f.name for f in ast.walk(tree) if isinstance(f, ast.FunctionDef)}
    known = {"nl", "nisa", "nki", "range", "print", "compare"}
    return {n.id for n in names} - bound - known


def runnable(code: str) -> ast.Module | None:
    try:
        tree = ast.fix_missing_locations(Comparisons().visit(ast.parse(code)))
    except SyntaxError:
        return None
    has_gaps = any(node.value is ... for node in ast.walk(tree) if isinstance(node, ast.Constant))
    return None if has_gaps or undefined(tree) else tree


def run(tree: ast.Module) -> list[tuple[np.ndarray, np.ndarray]]:
    compared = []

    def compare(*tensors):
        outs = []
        for tensor in tensors:
            out = nl.ndarray(tensor.shape, tensor.dtype, buffer=nl.shared_hbm)
            nisa.dma_copy(dst=out, src=nl.copy(tensor) if nl.is_psum(tensor.buffer) else tensor)
            outs.append(out)
        compared.append(outs)

    @nki.jit
    def kernel():
        scope = {"nl": nl, "nisa": nisa, "nki": nki, "compare": compare}
        exec(compile(tree, "<example>", "exec"), scope)
        return compared

    return kernel()


ALL = examples()
RUNNABLE = [(name, tree) for name, code in ALL if (tree := runnable(code)) is not None]
needs_sdk = pytest.mark.skipif(not ALL, reason="TRAINYARD_NEURON_SDK names no folder")


@needs_sdk
@pytest.mark.parametrize(("name", "tree"), RUNNABLE, ids=[name for name, _ in RUNNABLE])
def test_an_example_of_the_stubs_holds(name, tree):
    for found, wanted in run(tree):
        np.testing.assert_allclose(found.astype(float), wanted.astype(float), rtol=1e-5, atol=1e-6)


@needs_sdk
def test_most_examples_are_run():
    assert len(RUNNABLE) >= 50
    assert sum("compare" in ast.unparse(tree) for _, tree in RUNNABLE) >= 30
