"""Does `trainyard explain` know every label that an error can begin with?"""

from __future__ import annotations

import ast
import re
import runpy
from collections.abc import Iterator
from pathlib import Path

import nki
import nki.isa as nisa
import nki.language as nl
import numpy as np
import pytest
from trainyard import InputError, _core, findings
from trainyard.commands import explain

ROOT = Path(__file__).resolve().parents[2]
LABEL = re.compile(r"[a-z][a-z_0-9]*\.[a-z_][a-z_0-9]*")

# What looks like a label and is none: prefixes of machine keys that no schema lists as a whole, and
# words of other formats.
OTHERS = re.compile(
    r"(array|bom|capex|chip|compute|core|dma|energy|finance|fixed|hbm|links|memory|power|psum|rack|reach|"
    r"rental|sbuf|scale_out|scale_up|system|throttle|trainyard|chlo|jax|tf|nl|nki|config|prices|"
    r"policy|vector|scalar|gpsimd|tensor|sync|semaphore|register|instruction|feature|access|"
    r"collective|fabric|host|libpjrt_neuron|program|builtin|func|sdy|stablehlo|mhlo|quant|xla|software|"
    r"attention|chat|gguf|llama|lm_head|mlp|safetensors|self_attn|tokenizer|index|page|stub|"
    r"aten|empty|general|operation|output|pyarrow|schema|widget|adapter_model|adapter_config|model|"
    r"intermediate|norm|torch|response|text|generation_config|tokenizer_config|chat_template|jinja2|"
    r"hf_quant_config|(pre|post)_(attention|feedforward)_layernorm)\."
)


def literals_in_cpp(path: Path) -> Iterator[str]:
    for line in path.read_text().splitlines():
        if not line.lstrip().startswith(("//", "#include")):
            yield from re.findall(r'"([^"\\]*)"', line)


def literals_in_python(path: Path) -> Iterator[str]:
    tree = ast.parse(path.read_text())
    documentation = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef))
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
        if is_text and id(node) not in documentation:
            yield node.value


def sources() -> Iterator[tuple[Path, str]]:
    for path in sorted([*(ROOT / "src").rglob("*.cpp"), *(ROOT / "src").rglob("*.h")]):
        for text in literals_in_cpp(path):
            yield path, text
    for path in sorted((ROOT / "python").rglob("*.py")):
        if "claims" not in path.parts:
            for text in literals_in_python(path):
                yield path, text


def test_every_label_in_the_sources_is_explained():
    known = explain.everything()
    unknown = {
        text: path.relative_to(ROOT).as_posix()
        for path, text in sources()
        if LABEL.fullmatch(text)
        and "instructions" not in path.parts  # words of operands, and rules
        and path.parts[-2:] != ("torch", "table.py")  # names of operators
        and "migration" not in path.parts  # names of others' modules
        and text not in ("torch.compile", "torch.load")
        and text not in known
        and not OTHERS.match(text)
    }
    assert not unknown


# Families whose names machine keys share: here the context tells.
RAISES = re.compile(
    r"(?:InputError|Fault|Violation|Shortage|refuse\w*|report|unknown|push_back)\s*\(?\{*\s*"
    r'(?:base::FaultCategory::\w+,\s*\{)?\s*"([a-z][a-z_0-9]*\.[a-z_][a-z_0-9]*)"'
)


def test_every_label_that_an_error_is_made_with_is_explained():
    known = explain.everything()
    made = {
        label
        for path in (ROOT / "src").rglob("*.cpp")
        for label in RAISES.findall(path.read_text())
    }
    for path in (ROOT / "python").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            first = node.args[0]
            is_label = isinstance(first, ast.Constant) and isinstance(first.value, str)
            if name in ("refuse", "_refuse") and is_label:
                made.add(first.value)
    assert len(made) > 150, "the pattern finds what errors are made with"
    assert not made - set(known)


def test_each_label_is_said_once_and_whole():
    labels = _core.error_labels()
    ids = [label["id"] for label in labels]
    rules = {label for one in _core.instruction_schema() for label, _ in one["constraints"]}
    assert len(set(ids)) == len(ids)
    assert not set(ids) & (set(findings.registry()) | rules)
    for label in labels:
        assert all(label.values()), label["id"]
        assert label["why"].endswith("."), label["id"]
        assert not label["fix"].endswith("."), label["id"]


def test_every_label_of_the_table_occurs_in_the_sources():
    used = {text for path, text in sources() if "checks/labels" not in path.as_posix()}
    assert not {label["id"] for label in _core.error_labels()} - used


@nki.jit
def of_two_sizes(x):
    out = nl.ndarray((128, 512), x.dtype, buffer=nl.shared_hbm)
    nisa.dma_copy(dst=out, src=x[:, 0:256])
    return out


@nki.jit
def of_no_size(x):
    nl.ndarray((128, 0), nl.float32)
    return x


@nki.jit
def beyond_the_edge(x):
    return x[:, 512:514]


@pytest.mark.parametrize("kernel", [of_two_sizes, of_no_size, beyond_the_edge])
def test_an_error_has_a_fix_whoever_reports_it(kernel):
    with pytest.raises(InputError, match=r"\n  fix: \w+") as error:
        kernel(np.zeros((128, 512), np.float32))
    assert all(violation.fix for violation in error.value.violations)


@nki.jit
def unknown_operator(x):
    tile = nl.load(x)
    nisa.tensor_tensor(tile, tile, tile, op="plus")
    return x


def fix_of(kernel) -> str:
    with pytest.raises(InputError) as error:
        kernel(np.zeros((128, 512), np.float32))
    return error.value.violations[0].fix


def test_the_fix_of_a_check_is_the_one_in_its_table():
    assert fix_of(beyond_the_edge) == findings.registry()["view.bounds"]["fix"]


def test_the_fix_of_a_wrong_argument_says_what_to_pass():
    assert fix_of(unknown_operator) == "pass an operator of nki.language, such as nl.add"


def test_the_rules_of_instructions_have_fixes():
    fixes = [fix for one in _core.instruction_schema() for fix in one["fixes"].values()]
    assert all(fixes)


def test_the_page_of_labels_is_fresh():
    tool = runpy.run_path(str(ROOT / "tools/checks_reference.py"))
    fresh = (ROOT / "docs/reference/errors.md").read_text() == tool["errors_page"]()
    assert fresh, "run: python tools/checks_reference.py"
