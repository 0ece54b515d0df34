"""Is a study answered once, whatever ends it in between, and are its results what others say?"""

import contextlib
import errno
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest
import trainyard
from trainyard.planner import studies, study_results, study_runs
from trainyard.usage import UsageError

STUDY = """
[study]
ask = "serving"
[axes]
model = ["llama3-8b", "llama3-70b", "resnet-50"]
machine = ["h100", "b200", "h200", "a100"]
price = ["own", "on_demand"]
input = [256, 512, 1024, 2048, 4096, 8192]
output = [128, 256, 512, 1024]
[fixed]
weights = "fp8"
intervals = false
"""
SMALL = STUDY.replace("[256, 512, 1024, 2048, 4096, 8192]", "[256]").replace(
    "[128, 256, 512, 1024]", "[128]"
)


@pytest.fixture
def write(tmp_path):
    def written(text, name="study.toml"):
        path = tmp_path / name
        path.write_text(text)
        return path

    return written


def rows_of(path):
    with contextlib.closing(sqlite3.connect(path)) as database:
        return dict(database.execute("select point, id || ' ' || seconds from points").fetchall())


def test_answers_are_those_of_compare(write):
    path = write(SMALL)
    outcome = study_runs.run(path, processes=2)
    assert outcome.left == 0 and outcome.new == outcome.study.size == 24
    found = {(row["model"], row["machine"], row["price"]): row for row in outcome.rows}
    row = trainyard.compare(
        "llama3-70b", ["h100"], price="own", input=256, output=128, weights="fp8"
    )["h100"]
    for name, one in row.values.items():
        assert found["llama3-70b", "h100", "own"][name] == pytest.approx(one.value)
    assert found["resnet-50", "h100", "own"]["state"] == "refused"  # it has no input to choose
    assert outcome.counts["refused"] == 8
    again = study_runs.run(path)
    assert again.new == 0
    assert again.rows == outcome.rows
    assert study_results.as_csv(again.rows).count("\n") >= 25


def test_a_study_that_was_killed_goes_on(write, tmp_path):
    # More points than are answered between two looks, however fast the host is.
    many = str(list(range(256, 24 * 256 + 1, 256)))
    path = write(STUDY.replace("[256, 512, 1024, 2048, 4096, 8192]", many))
    results = tmp_path / "study.sqlite"
    command = [sys.executable, "-m", "trainyard", "sweep", str(path), "--processes", "2"]
    before = {}
    for _ in range(3):
        process = subprocess.Popen(command, start_new_session=True, stdout=subprocess.DEVNULL)
        begun, known = time.monotonic(), len(before)
        while time.monotonic() - begun < 60 and process.poll() is None:
            with contextlib.suppress(sqlite3.OperationalError):
                if results.exists() and len(rows_of(results)) > known + 10:
                    break
            time.sleep(0.02)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        now = rows_of(results)
        assert before.items() <= now.items()  # nothing lost, nothing asked again
        before = now
    size = studies.read_study(path).size
    assert 20 < len(before) < size  # it was killed in its midst
    outcome = study_runs.run(path, processes=2)
    assert outcome.new == size - len(before)
    after = rows_of(results)
    assert before.items() <= after.items()
    assert set(after) == set(studies.read_study(path).points())


def test_a_process_that_dies_takes_no_point_with_it(write, tmp_path):
    path = write(STUDY.replace('"h100"', '"h100", "trn2"'))
    results = tmp_path / "study.sqlite"
    killed = []

    def kill_a_worker(text):
        """Once, while it works."""
        children = subprocess.run(
            ["ps", "--no-headers", "-o", "pid,args", "-g", str(os.getsid(0))],
            capture_output=True,
            text=True,
            check=False,
        ).stdout
        mine = [
            int(line.split()[0])
            for line in children.splitlines()
            if "forkserver" in line and _parent(int(line.split()[0])) != os.getpid()
            and _ancestor(int(line.split()[0]), os.getpid())
        ]  # fmt: skip
        if mine and not killed:
            killed.append(mine[0])
            os.kill(mine[0], signal.SIGKILL)

    outcome = study_runs.run(path, results, 2, tell=kill_a_worker)
    assert killed
    assert outcome.left == 0
    assert outcome.counts["crashed"] == 0


def _parent(pid):
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1])
    except OSError:
        return 0


def _ancestor(pid, wanted):
    while pid > 1:
        if pid == wanted:
            return True
        pid = _parent(pid)
    return False


def test_a_disk_that_is_full_is_told_and_loses_no_point(tmp_path):
    path = tmp_path / "study.sqlite"
    results = study_results.Results(path, "figures")
    found = {"state": "none", "why": "x" * 2000, "values": {}}
    results.add([("first", found, 0.0)])
    pages = results._database.execute("pragma page_count").fetchone()[0]
    results._database.execute(f"pragma max_page_count = {pages}")
    with pytest.raises(OSError, match="full") as error:
        results.add([(f"point {i}", found, 0.0) for i in range(100)])
    assert error.value.errno == errno.ENOSPC and error.value.filename == str(path)
    assert results.known() == {"first"}
    results.close()


def test_a_results_file_that_cannot_be_written_is_no_damaged_one(tmp_path):
    path = tmp_path / "study.sqlite"
    path.mkdir()
    with pytest.raises(OSError, match="unable to open"):
        study_results.Results(path, "figures")


def test_only_one_program_writes(write, tmp_path):
    path = write(SMALL)
    results = tmp_path / "study.sqlite"
    store = study_results.Results(results, "x")
    try:
        with pytest.raises(UsageError, match="another program writes"):
            study_runs.run(path)
    finally:
        store.close()


def test_answers_by_other_figures_are_not_mixed(write, tmp_path):
    path = write(SMALL)
    study_results.Results(tmp_path / "study.sqlite", "older").close()
    with pytest.raises(UsageError, match="other figures"):
        study_runs.run(path)
    (tmp_path / "no.sqlite").write_text("this is no database, but a text of some length" * 40)
    with pytest.raises(UsageError, match="no results file"):
        study_runs.run(path, tmp_path / "no.sqlite")


@pytest.mark.parametrize("ask", ["training", "plan", "recommend"])
def test_every_question_can_be_a_study(write, ask):
    fixed = {
        "training": "chips = 64\nglobal_batch = 64\n",
        "plan": "chips = 64\ntokens = 1e12\nglobal_batch = 64\nintervals = false\n",
        "recommend": "users = 1000\n",
    }[ask]
    path = write(
        f'[study]\nask = "{ask}"\n[axes]\nmachine = ["h100", "b200"]\n'
        f'[fixed]\nmodel = "llama3-8b"\n{fixed}'
    )
    outcome = study_runs.run(path, processes=1)
    assert outcome.counts["answered"] == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[study", "not TOML"),
        ("[studies]", r"\[study\] with ask"),
        ('[study]\nask = "serving"\nmodels = ["llama3-8b"]', r"models, which is of \[axes\]"),
        ('[study]\nask = "riddle"', "study.ask"),
        ('[study]\nask = "serving"\nname = 1', "and not name"),
        ('[study]\nask = "serving"\n[axes]\nmodel = "x"', "a list"),
        ('[study]\nask = "serving"\n[axes]\nmodel = []', "a list"),
        ('[study]\nask = "serving"\n[axes]\nmodel = ["x", "x"]', "twice"),
        ('[study]\nask = "serving"\n[axes]\nmodel = ["x"]', "machine"),
        (SMALL + 'price = "own"', "and fixed"),
        (SMALL + "users = 3", "no option users"),
        (SMALL.replace("[256]", str(list(range(1, 500_000)))), "points"),
        ("axes = 3", "section"),
    ],
)
def test_a_study_that_is_wrong_is_refused(write, text, message):
    with pytest.raises(UsageError, match=message):
        studies.read_study(write(text))


def test_progress_tells_what_is_left():
    assert study_runs.progress(250, 1000, 10) == (
        "250 of 1,000 points (25 %), 10 s, about 30 s left"
    )


def test_points_are_asked_by_a_dask_cluster_that_loses_a_worker(write, tmp_path):
    distributed = pytest.importorskip("distributed")
    path = write(STUDY.replace('"resnet-50"', '"gpt-oss-20b"'))
    with distributed.LocalCluster(
        n_workers=3, threads_per_worker=1, processes=True, dashboard_address=None, host="127.0.0.1"
    ) as cluster:
        pids = [worker.pid for worker in cluster.workers.values()]
        killed = []

        def kill_one(text):
            if not killed:
                killed.append(pids[0])
                os.kill(pids[0], signal.SIGKILL)

        address = cluster.scheduler_address
        outcome = study_runs.run(path, cluster=address, tell=kill_one)
    assert killed
    assert outcome.left == 0
    assert outcome.counts["answered"] == outcome.study.size
    with pytest.raises(UsageError, match="no Dask scheduler"):
        study_runs.run(path, tmp_path / "b.sqlite", cluster="tcp://127.0.0.1:9")


def test_a_point_is_a_text_that_names_it():
    study = studies.Study("serving", {"machine": ["h100"], "model": ["a"]}, {"input": 3})
    assert json.loads(study.points()[0]) == {
        "ask": "serving",
        "machine": "h100",
        "model": "a",
        "input": 3,
    }
