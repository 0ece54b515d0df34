"""Do compiled programs outlive a process, whatever happens to their files?"""

import multiprocessing
import os
import subprocess
import sys

import pytest

torch = pytest.importorskip("torch")
import torch_neuronx  # noqa: E402, F401
from trainyard import _core  # noqa: E402
from trainyard.torch import disk_cache  # noqa: E402

TEXT = """module @kept {
  func.func public @main(%a: tensor<64x96xf32>, %b: tensor<96x80xf32>) -> tensor<64x80xf32> {
    %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
        : (tensor<64x96xf32>, tensor<96x80xf32>) -> tensor<64x80xf32>
    %1 = stablehlo.tanh %0 : tensor<64x80xf32>
    return %1 : tensor<64x80xf32>
  }
}
"""


@pytest.fixture
def where(tmp_path, monkeypatch):
    monkeypatch.setenv(disk_cache.FOLDER_VARIABLE, str(tmp_path / "programs"))
    return tmp_path / "programs"


def build(cache=None, flags=""):
    """The cache that was used, and what the program gives."""
    cache = cache or disk_cache.DiskCache()
    module = _core.graph_read(TEXT.encode(), "kept")
    model = cache.compile(module, TEXT, _core.load_machine("trn3"), flags)
    numbers = torch.arange(64 * 96.0).sin().reshape(64, 96), torch.ones(96, 80)
    inputs = [
        _core.model_input("f32", list(x.shape), x.reshape(-1).view(torch.uint8).numpy())
        for x in numbers
    ]
    run = model.run(inputs, timed=True)
    return cache, bytes(run.take_tensors()[0].content()), run.nanoseconds


def test_a_second_process_finds_the_program_with_the_same_values_and_time(where):
    first, values, time = build()
    second, again, time_again = build()
    assert (first.found, first.missing) == (0, 1) and (second.found, second.missing) == (1, 0)
    assert again == values and time_again == time


def test_flags_and_text_are_part_of_the_name(where):
    build()
    assert build(flags="--auto-cast all")[0].missing == 1
    machine = _core.load_machine("trn3")
    other = _core.load_machine("trn2")
    names = {disk_cache.name_of(t, m, "") for t in (TEXT, TEXT + " ") for m in (machine, other)}
    assert len(names) == 4


@pytest.mark.parametrize("damage", ["cut", "flipped", "empty", "unknown", "folder"])
def test_a_damaged_file_is_compiled_and_written_again(where, damage):
    _, values, _ = build()
    (file,) = where.iterdir()
    whole = file.read_bytes()
    if damage == "folder":
        file.unlink()
        file.mkdir()
    else:
        file.write_bytes(
            {
                "cut": whole[: len(whole) // 2],
                "flipped": whole[:-9] + bytes([whole[-9] ^ 1]) + whole[-8:],
                "empty": b"",
                "unknown": b"another version\n" + whole,
            }[damage]
        )
    with pytest.warns(UserWarning, match="not kept") if damage == "folder" else _nothing():
        cache, again, _ = build()
    assert cache.found == 0 and again == values
    if damage != "folder":
        assert file.read_bytes() == whole


def _nothing():
    import contextlib

    return contextlib.nullcontext()


def test_code_of_another_program_is_not_used(where):
    """As after a collision of names: each program is looked up by its own hash, too."""
    build()
    (file,) = where.iterdir()
    text = TEXT.replace("tanh", "exponential")
    module = _core.graph_read(text.encode(), "kept")
    code = disk_cache._read(file)
    machine = _core.load_machine("trn3")
    model = _core.compile_model(module, machine, "list", "", code=code)
    fresh = _core.compile_model(module, machine, "list", "")
    assert model.code == fresh.code


def test_code_of_another_build_is_not_used_and_damaged_code_is_an_error():
    module = _core.graph_read(TEXT.encode(), "kept")
    machine = _core.load_machine("trn3")
    code = _core.compile_model(module, machine, "list", "").code
    build = _core.build_id().encode()
    assert build and build in code
    other = code.replace(build, build[::-1])
    assert _core.compile_model(module, machine, "list", "", code=other).code == code
    with pytest.raises(_core.InputError, match=r"session\.compiled_code"):
        _core.compile_model(module, machine, "list", "", code=code[:-5])


def test_where_nothing_can_be_written_programs_are_compiled_and_one_warning_says_so(where):
    where.write_text("a file where the folder was to be")
    cache = disk_cache.DiskCache()
    with pytest.warns(UserWarning, match="compiled programs are not kept") as told:
        build(cache)
        build(cache)
    assert len(told) == 1 and cache.missing == 2


def test_a_full_disk_leaves_no_file_and_no_error(where, monkeypatch):
    def no_room(path, content):
        raise disk_cache.WriteError(28, "No space left on device", str(path))

    monkeypatch.setattr(disk_cache, "write_whole", no_room)
    with pytest.warns(UserWarning, match="No space left on device"):
        cache, _, _ = build()
    assert cache.missing == 1 and list(where.iterdir()) == []


def test_an_empty_variable_and_an_address_keep_nothing(monkeypatch):
    for value in ("", "s3://bucket/cache"):
        monkeypatch.setenv(disk_cache.FOLDER_VARIABLE, value)
        assert disk_cache.folder() is None
        cache, _, _ = build()
        assert (cache.found, cache.missing) == (0, 0)
    monkeypatch.setenv(disk_cache.FOLDER_VARIABLE, "file:///some/folder")
    assert str(disk_cache.folder()) == "/some/folder"


def test_what_was_used_longest_ago_is_deleted_first(where, monkeypatch):
    where.mkdir()
    for number in range(8):
        file = where / f"{number}.code"
        file.write_bytes(bytes(300_000))
        os.utime(file, (number, number))
    (where / "other").write_bytes(bytes(3_000_000))
    monkeypatch.setenv(disk_cache.SIZE_VARIABLE, "1")
    disk_cache.trim(where)
    assert sorted(each.name for each in where.iterdir()) == ["6.code", "7.code", "other"]


def _build_in_child(_):
    return build()[1]


def test_two_processes_at_once(where):
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        values = pool.map(_build_in_child, range(4))
    assert len(set(values)) == 1
    assert [each.suffix for each in where.iterdir()] == [".code"]


SCRIPT = """
import torch, torch_neuronx
from trainyard.torch.disk_cache import cache
f = torch.compile(lambda x: (x @ x).relu(), backend="neuron")
print(f(torch.ones(8, 8)).sum().item(), cache.found, cache.missing)
"""


def test_torch_compile_uses_it(where):
    told = [
        subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True)
        for _ in range(2)
    ]
    assert [each.stdout.split() for each in told] == [["512.0", "0", "1"], ["512.0", "1", "0"]]
