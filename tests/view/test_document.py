"""Does the document tell what the run did, and is one that does not hold together refused?"""

import copy
import json
import pathlib

import pytest
from trainyard import UsageError, view
from trainyard.view import timeline
from trainyard.view.document import sources_of


@pytest.fixture(scope="module")
def document(attention):
    return json.loads(json.dumps(view.document_of([view.of_result(attention)])))


def test_what_is_written_is_valid(document, slowdowns):
    view.validate(document, "it")
    for result in slowdowns.values():
        view.validate(view.document_of([view.of_result(result)]), "it")


def test_the_columns_are_the_timeline(document, attention):
    found = document["runs"][0]["timeline"]
    rows = []
    for track in found["tracks"]:
        now = instruction = 0
        for k in range(track["count"]):
            begin = now + track["gap"][k]
            now = begin + track["length"][k]
            instruction += track["instruction"][k]
            if instruction >= 0:
                reason = found["reasons"][track["reason"][k]]
                times = (begin / found["ticks_per_ns"], now / found["ticks_per_ns"])
                rows.append((track["name"], instruction, reason, *times))
    expected = [
        tuple(row[key] for key in ("track", "instruction", "reason", "begin_ns", "end_ns"))
        for row in attention.timeline
    ]
    assert rows == expected


def test_instructions_have_their_names_and_places(document, attention):
    found = document["runs"][0]["timeline"]
    program = attention.instances[0].program
    for i in range(len(program)):
        frame = found["instructions"]["frame"][i]
        assert found["strings"][found["instructions"]["mnemonic"][i]] == program.mnemonic(i)
        place = (
            f"{found['strings'][found['frames']['file'][frame]]}:{found['frames']['line'][frame]}"
        )
        assert program.place(i).startswith(place)


def test_the_critical_path_tiles_the_run_and_adds_up_as_the_report_says(document):
    run = document["runs"][0]
    path, report = run["details"]["path"], run["report"]
    assert path["end"] == sorted(path["end"]) and path["end"][-1] == report["duration_ticks"]
    spent: dict[tuple[str, str], int] = {}
    before = 0
    for end, track, reason in zip(path["end"], path["track"], path["reason"], strict=True):
        key = (run["timeline"]["tracks"][track]["name"], timeline.REASONS[reason])
        spent[key] = spent.get(key, 0) + end - before
        before = end
    told = {
        (part["track"], part["reason"]): part["ticks"] for part in report["critical_path"]["parts"]
    }
    assert spent == told


def test_tensors_are_held_while_instructions_touch_them(document, slowdowns):
    memory = view.of_result(slowdowns["load_order"])["details"]["memory"]
    (tile,) = memory["sbuf"]["tensors"]
    assert (tile["partitions"], tile["bytes"], tile["shape"]) == ([0, 128], 4096, [128, 2048])
    # Eight loads fill it, the activation reads and writes it, eight stores read it.
    assert tile["written"] == 16 * 128 * 4096 and tile["read"] == 16 * 128 * 4096
    work = [row for row in slowdowns["load_order"].timeline if row["reason"] == "working"]
    per_ns = document["runs"][0]["report"]["ticks_per_ns"]
    assert tile["begin"] == pytest.approx(per_ns * min(row["begin_ns"] for row in work))
    assert tile["end"] == pytest.approx(per_ns * max(row["end_ns"] for row in work))
    by_role = {tensor["role"]: tensor for tensor in memory["hbm"]["tensors"]}
    assert by_role["input"]["read"] == by_role["output"]["written"] == 128 * 16384 * 2


def test_memory_never_holds_more_than_there_is(document):
    """Of tensors that lie at the same addresses, one is gone before the next comes."""
    for space in ("sbuf", "psum"):
        memory = document["runs"][0]["details"]["memory"][space]
        for tensor in memory["tensors"]:
            assert 0 <= tensor["address"] <= memory["bytes"] - tensor["bytes"]
        for moment in {tensor["begin"] for tensor in memory["tensors"]}:
            held = sum(
                tensor["bytes"] * tensor["partitions"][1]
                for tensor in memory["tensors"]
                if tensor["begin"] <= moment < tensor["end"]
            )
            assert held <= memory["bytes"] * memory["partitions"]


def test_the_source_of_the_authors_file_is_there(document):
    sources = document["runs"][0]["details"]["sources"]
    assert [file.rpartition("/")[2] for file in sources] == ["attention.py"]


def test_a_report_brings_no_other_files_into_a_page(tmp_path):
    kernel, secret = tmp_path / "kernel.py", tmp_path / "id_ed25519"
    kernel.write_text("a = 1")
    secret.write_text("secret")
    found = sources_of([str(secret), str(tmp_path), str(kernel), str(tmp_path / "gone.py")])
    assert found == {str(kernel): "a = 1"}


def test_a_source_that_may_not_be_read_is_left_out(tmp_path, monkeypatch):
    (tmp_path / "kernel.py").write_text("a = 1")

    def refuse(*_, **__):
        raise PermissionError

    monkeypatch.setattr(pathlib.Path, "read_text", refuse)
    assert sources_of([str(tmp_path / "kernel.py")]) == {}


def _set(*keys, value):
    def change(document):
        target = document["runs"][0] if keys[0] != "top" else document
        for key in keys[1 if keys[0] == "top" else 0 : -1]:
            target = target[key]
        target[keys[-1]] = value

    return change


TRACK = ("timeline", "tracks", 0)
WRONG = {
    "schema": (_set("top", "schema", value="other"), "schema is 'other'"),
    "version": (_set("top", "version", value=99), "version is 99"),
    "no runs": (_set("top", "runs", value=[]), "an empty list"),
    "not a list": (_set("top", "runs", value={}), "runs is an object"),
    "name": (_set("name", value=3), "runs[0].name is 3"),
    "no report": (_set("report", value=None), "runs[0].report is missing"),
    "no time": (_set("report", "duration_ns", value=0), "duration_ns is 0"),
    "text for a list": (_set("report", "lines", value="x"), "lines is text"),
    "track": (_set(*TRACK, "name", value=None), "tracks[0].name is missing"),
    "float": (_set(*TRACK, "gap", 0, value=1.5), "gap[0] is 1.5"),
    "negative": (_set(*TRACK, "length", 1, value=-1), "length[1] is -1"),
    "rows": (_set(*TRACK, "count", value=1), "expected 1"),
    "reason": (_set(*TRACK, "reason", 0, value=11), "reason[0] is 11"),
    "cause": (_set(*TRACK, "cause", 0, value=4096), "cause[0] is 4096"),
    "instruction": (_set(*TRACK, "instruction", 0, value=10**9), "of instruction 1000000000"),
    "too long": (_set("timeline", "end", value=5), "below 6"),
    "string": (
        _set("timeline", "instructions", "mnemonic", 0, value=10**6),
        "mnemonic[0] is 1000000",
    ),
    "circle": (_set("timeline", "frames", "parent", 0, value=0), "parent[0]"),
    "columns": (_set("timeline", "instructions", "nest", value=[]), "different lengths"),
    "memory": (_set("details", "memory", "sbuf", value=[]), "sbuf is a list"),
    "tensor": (
        _set("details", "memory", "sbuf", "tensors", 0, "begin", value="a"),
        "begin is text",
    ),
    "path": (_set("details", "path", "end", value=["a"]), "end[0] is text"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_does_not_hold_together_is_refused_with_its_place(document, name):
    change, words = WRONG[name]
    wrong = copy.deepcopy(document)
    change(wrong)
    with pytest.raises(UsageError) as error:
        view.validate(wrong, "run.json")
    assert str(error.value).startswith("run.json") and words in str(error.value)
    assert "\n" not in str(error.value) and len(str(error.value)) < 300
