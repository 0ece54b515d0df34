"""Which runs does a file or a directory hold, and what is said of one that holds none?"""

import json
import shutil

import pytest
from trainyard import InputError, UsageError, view


def only(path):
    (run,) = view.runs_at(path)
    return run.as_dict()


def test_a_directory_a_trace_and_a_report_are_the_same_run(saved, attention):
    whole = only(saved)
    assert only(saved / "attention.tytrace") == only(saved / "attention.json") == whole
    assert whole["report"] == json.loads(json.dumps(attention.report))
    assert whole == json.loads(json.dumps(view.of_result(attention)))


def test_a_trace_alone_tells_what_it_can(saved, tmp_path):
    shutil.copy(saved / "attention.tytrace", tmp_path / "x.tytrace")
    run = only(tmp_path / "x.tytrace")
    assert (
        run["name"] == "attention" and run["timeline"]["tracks"] and "energy" not in run["report"]
    )
    assert "memory" not in run["details"] and run["details"]["sources"]


def test_files_of_another_run_are_not_taken_for_its_own(saved, slowdowns, tmp_path):
    slowdowns["load_order"].save(tmp_path / "x")
    shutil.copy(saved / "attention.tytrace", tmp_path / "x.tytrace")
    run = only(tmp_path / "x.tytrace")
    assert run["report"]["run"]["program"] == "attention"
    assert "energy" not in run["report"] and "memory" not in run["details"]


def test_a_document_is_read_again(saved, tmp_path):
    document = view.document_of([only(saved)])
    (tmp_path / "run.json").write_text(json.dumps(document))
    assert only(tmp_path / "run.json") == json.loads(json.dumps(document["runs"][0]))


def test_of_several_ranks_the_report_is_of_the_slowest(slowdowns, tmp_path):
    slowdowns["slow_link"].save(tmp_path / "ranks")
    run = only(tmp_path)
    assert run["links"]["chips"] == 2 and run["details"]["topology"]["chips"] == 144
    assert len(run["details"]["ranks_ns"]) == 16
    assert run["report"]["duration_ns"] == max(run["details"]["ranks_ns"])


@pytest.mark.parametrize(
    "content", [b"", b"nothing", b"[1]", b"{}", b'{"schema": "trainyard.view"}', b"[" * 100_000]
)
def test_what_is_no_run_is_refused_in_one_line(tmp_path, content):
    path = tmp_path / "x.json"
    path.write_bytes(content)
    with pytest.raises(UsageError, match=r"x\.json"):
        view.runs_at(path)


def test_an_empty_directory_is_refused(tmp_path):
    with pytest.raises(UsageError, match="holds no trace"):
        view.runs_at(tmp_path)
    with pytest.raises(UsageError, match="No such file"):
        view.runs_at(tmp_path / "none.json")


def test_a_damaged_trace_is_refused(saved, tmp_path):
    content = bytearray((saved / "attention.tytrace").read_bytes())
    for cut in (9, 60, len(content) // 2, len(content) - 1):
        (tmp_path / "x.tytrace").write_bytes(content[:cut])
        with pytest.raises((InputError, UsageError)):
            view.runs_at(tmp_path / "x.tytrace")
    content[len(content) // 2] ^= 0xFF
    (tmp_path / "x.tytrace").write_bytes(content)
    with pytest.raises(InputError) as error:
        view.runs_at(tmp_path / "x.tytrace")
    assert error.value.violations[0].label == "trace.file"
