"""Documents with odd values (another type, beyond a word, unknown keys) are refused in words."""

from __future__ import annotations

import copy
import random
import sys
from pathlib import Path

import pytest
from trainyard.__main__ import main
from trainyard.commands import exit_codes

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))

from reliability.documents import DOCUMENTS, damaged

EXPLAINED = {
    exit_codes.OK,
    exit_codes.FINDINGS,
    exit_codes.USAGE,
    exit_codes.INVALID_INPUT,
    exit_codes.DOES_NOT_FIT,
}


def answer(name, content, folder, monkeypatch, capfd):
    """The exit code of the command that reads the document, and what it says."""
    document = DOCUMENTS[name]
    (folder / document.file).write_text(document.text(content), encoding="utf-8")
    monkeypatch.chdir(folder)
    code = main([part.format(document.file) for part in document.command])
    return code, capfd.readouterr().err


def changed(name, path, value):
    content = copy.deepcopy(DOCUMENTS[name].content)
    *outer, last = path
    holder = content
    for key in outer:
        holder = holder[key]
    holder[last] = value
    return content


@pytest.mark.parametrize("name", DOCUMENTS)
def test_the_documents_are_right(name, tmp_path, monkeypatch, capfd):
    code, err = answer(name, DOCUMENTS[name].content, tmp_path, monkeypatch, capfd)
    assert code == 0, err


ODD = [
    ("study", ("fixed", "model"), [1, "a"], "a model is a name or a file, not [1, 'a']"),
    ("study", ("axes", "machine"), [3], "a machine is a name or a file, not 3"),
    ("TorchTitan's plan", ("parallelism", "context_parallel_degree"), 2**64, "a whole number"),
    ("TorchTitan's plan", ("activation_checkpoint", "mode"), [], "mode"),
    ("measurements", ("row", "phase"), {"a": 1}, "the phase of row is one of"),
    ("measurements", ("row", "ask", "x"), 1, "ask of row has no option 'x'"),
    ("measurements", ("row", "ask", "tp"), 2**64, "a whole number below 2^63"),
    ("measurements", ("row", "ask", "input"), "many", "input cannot be 'many'"),
    ("groups", ("replica_groups",), [[0, 1], [2**31, 3]], "2147483648 is no rank"),
    ("groups", ("replica_groups",), [[0, 1], [2**64, 3]], "is no rank"),
    ("configuration", ("quantization_config", "quant_method"), True, "quantised"),
    ("configuration", ("quantization_config",), {"quant_method": None}, "quantised"),
]


@pytest.mark.parametrize("name, path, value, words", ODD)
def test_an_odd_value_is_named(name, path, value, words, tmp_path, monkeypatch, capfd):
    code, err = answer(name, changed(name, path, value), tmp_path, monkeypatch, capfd)
    assert code in (exit_codes.USAGE, exit_codes.INVALID_INPUT)
    assert words in err


@pytest.mark.parametrize("name", DOCUMENTS)
def test_odd_documents_are_answered_or_refused(name, tmp_path, monkeypatch, capfd):
    for seed in range(6):
        content = damaged(DOCUMENTS[name].content, random.Random(f"{name}:{seed}"))
        code, err = answer(name, content, tmp_path, monkeypatch, capfd)
        assert code in EXPLAINED, (content, err)
