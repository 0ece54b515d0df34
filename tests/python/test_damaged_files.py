"""Is a damaged file of any kind that Python reads an error of the user's input, and never another?

Damage is drawn from a seed: bytes changed, dropped and put in, and JSON values of other types.
"""

import io
import json
import pickle
import random
import sys
from pathlib import Path

import nki
import nki.isa as nisa
import nki.language as nl
import numpy as np
import pytest
import trainyard
from trainyard import InputError, UsageError, differences, graph, replica_groups, tuning
from trainyard.commands import cost, inputs
from trainyard.planner import weight_files

sys.path.insert(0, str(Path(__file__).parents[1] / "planner"))
import test_weight_files

COPIES = 200
INPUT_ERRORS = (UsageError, InputError, tuning.WrongSearch)


@nki.jit
def doubled(x, width=64):
    tile = nl.ndarray(x.shape, x.dtype)
    nisa.dma_copy(dst=tile, src=x)
    nisa.tensor_scalar(dst=tile, data=tile, op0=nl.multiply, operand0=2.0)
    out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
    nisa.dma_copy(dst=out, src=tile)
    return out


X = np.ones((128, 64), np.float32)


def damage(content: bytes, draw: random.Random) -> bytes:
    """A copy that differs in a few bytes."""
    found = bytearray(content)
    for _ in range(draw.randint(1, 4)):
        at = draw.randrange(len(found)) if found else 0
        kind = draw.randrange(4)
        if kind == 0 and found:
            found[at] = draw.randrange(256)
        elif kind == 1 and found:
            found[at] ^= 1 << draw.randrange(8)
        elif kind == 2:
            del found[at : at + draw.randint(1, 8)]
        else:
            found[at:at] = bytes([draw.randrange(256)]) * draw.randint(1, 8)
    return bytes(found) if found != content else damage(content, draw)


OTHERS = (None, True, -1, 1e308, "", "text", [], [[]], {}, {"a": 1})


def twist(document, draw: random.Random):
    """A copy of a JSON value in which one value has another type."""
    if draw.random() < 0.2 or not isinstance(document, (dict, list)) or not document:
        return draw.choice(OTHERS)
    keys = list(document) if isinstance(document, dict) else range(len(document))
    key = draw.choice(keys)
    copied = document.copy()
    copied[key] = twist(document[key], draw)
    return copied


def npy(tmp_path):
    content = io.BytesIO()
    np.save(content, X)
    return content.getvalue()


def groups(tmp_path):
    return b'{"replica_groups": [[0, 1], [2, 3]]}'


def kept_tuning(tmp_path):
    file = tmp_path / "kept.json"
    doubled.tune(X, over={"width": [64, 32]}, keep=file)
    return file.read_bytes()


def report(tmp_path):
    return json.dumps(doubled.bench(X).report).encode()


def trace(tmp_path):
    return doubled.bench(X, record=True).runs[0].trace()


def beside_a_configuration(tmp_path):
    (tmp_path / "config.json").write_text(json.dumps(test_weight_files.CONFIG))
    return tmp_path


def safetensors(tmp_path):
    made = beside_a_configuration(tmp_path) / "whole.safetensors"
    test_weight_files.safetensors(made, test_weight_files.SHAPES)
    return made.read_bytes()


def shards(tmp_path):
    """An index, which no shard lies beside."""
    beside_a_configuration(tmp_path)
    size = 2 * test_weight_files.count(test_weight_files.SHAPES)
    names = dict.fromkeys(test_weight_files.SHAPES, "1.safetensors")
    return json.dumps({"metadata": {"total_size": size}, "weight_map": names}).encode()


def gguf(tmp_path):
    made = tmp_path / "whole.gguf"
    test_weight_files.gguf(made, test_weight_files.KEYS, test_weight_files.tensors_of_gguf(1))
    return made.read_bytes()


def weights(suffix):
    """Reads a model by a file of weights with such a name."""
    return lambda path: weight_files.resolve(str(path.replace(path.with_suffix(suffix))))


def read_kept(path):
    return doubled.tune(X, over={"width": [64, 32]}, keep=path)


READERS = {
    "npy of a kernel": (npy, lambda path: inputs._file(str(path), "")),
    "npy of a program": (npy, lambda path: graph.file_input(str(path), X)),
    "groups": (groups, replica_groups.read),
    "report": (report, differences.runs_of),
    "report for its cost": (report, lambda path: cost._reports(str(path))),
    "trace": (trace, differences.runs_of),
    "kept tunings": (kept_tuning, read_kept),
    "safetensors": (safetensors, weights(".safetensors")),
    "an index of safetensors": (shards, weights(".safetensors.index.json")),
    "GGUF": (gguf, weights(".gguf")),
}


@pytest.mark.parametrize("name", READERS)
def test_a_damaged_file_is_an_input_error(tmp_path, name):
    make, read = READERS[name]
    content = make(tmp_path)
    path = tmp_path / f"damaged.{'json' if content.startswith(b'{') else 'bin'}"
    draw = random.Random(name)
    path.write_bytes(content)
    read(path)  # whole, it is read
    copies = [damage(content, draw) for _ in range(COPIES if name != "kept tunings" else 40)]
    if content.startswith(b"{"):
        document = json.loads(content)
        copies += [json.dumps(twist(document, draw)).encode() for _ in copies]
    copies += [b"", b"[" * 100_000, b"\xff" * 10, b'{"schema": 1}']
    refused = 0
    for copy in copies:
        path.write_bytes(copy)
        try:
            read(path)
        except INPUT_ERRORS:
            refused += 1
    assert refused >= len(copies) // 5


def test_a_damaged_pickle_of_a_result_tells_of_its_damage(tmp_path):
    """What pickle itself reads is Python's; the trace and the programs in it are ours."""
    result = pickle.loads(pickle.dumps(doubled.bench(X, record=True)))
    draw = random.Random(0)
    run, instance = result.runs[0], result.instances[0]
    for _ in range(COPIES):
        torn_trace, torn = damage(run.kept_trace, draw), damage(instance.content, draw)
        for read in (
            lambda torn=torn_trace: trainyard._core.trace_intervals(torn, "pickle"),
            lambda torn=torn: trainyard._core.read_program(torn, "pickle"),
        ):
            with pytest.raises(InputError):
                read()
