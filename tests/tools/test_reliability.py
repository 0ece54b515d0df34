"""Do the tools that look for our own faults see one when it is there, and none in a good run?"""

import importlib
import random
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))

from reliability import determinism, injection, soak, trials
from reliability.injection import COMMANDS, KINDS, Case


@pytest.fixture(scope="module")
def cases(tmp_path_factory):
    made = {}

    def case(name):
        if name not in made:
            made[name] = Case(COMMANDS[name], tmp_path_factory.mktemp(name))
        return made[name]

    return case


def spread(calls, most=3):
    """Some of the numbers from 1 to `calls`: the first, the last, and between."""
    return sorted({1 + round(i * (calls - 1) / (most - 1)) for i in range(most)}) if calls else []


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", COMMANDS)
def test_files_are_whole_and_the_end_is_explained(cases, name, kind):
    case = cases(name)
    assert case.wanted.operations >= 4, "the commands write files"
    wrong = [
        f"{kind} at call {at} of {case.calls(kind)}: {one}"
        for at in spread(case.calls(kind))
        for one in case.problems(kind, at)
    ]
    assert not wrong, "\n".join(wrong)


# A command that opens its file before it knows what to write, and says nothing when that fails.
CARELESS = """
import sys
try:
    with open("out.txt", "w") as file:
        file.write("half of it")
        file.flush()
        file.write(", and the rest")
except OSError:
    sys.exit(74)
"""


def test_a_careless_command_is_found(tmp_path, monkeypatch):
    (tmp_path / "careless.py").write_text(CARELESS)
    plain = injection.subprocess.run

    def run(arguments, **options):
        if "trainyard" in arguments:
            arguments = [sys.executable, "-B", str(tmp_path / "careless.py")]
        return plain(arguments, **options)

    monkeypatch.setattr(injection.subprocess, "run", run)
    case = Case((), tmp_path / "case")
    found = [one for at in range(1, case.calls("full") + 1) for one in case.problems("full", at)]
    assert any("neither as before nor whole" in one for one in found)
    assert any("does not say what happened" in one for one in found)
    assert any("neither as before" in one for one in case.problems("killed", case.calls("killed")))


def test_a_short_soak(capsys):
    code = soak.main(["--seed", "3", "--seconds", "20"])
    told = capsys.readouterr().out
    assert code == 0, told
    assert "seed 3: " in told and ", 0 failed" in told


def test_a_trial_is_the_same_when_it_is_replayed(monkeypatch, capsys):
    drawn = []

    def fails_at_times(draw, folder):
        drawn.append(draw.random())
        return ["it is above a half"] if drawn[-1] > 0.5 else []

    monkeypatch.setattr(soak, "TRIALS", {"one": fails_at_times})
    assert soak.main(["--seed", "1", "--seconds", "60", "--failures-max", "3"]) == 1
    lines = [line for line in capsys.readouterr().out.splitlines() if "--replay" in line]
    assert len(lines) == 3
    first = drawn.copy()
    for line in lines:
        place = line.split()[-1]
        assert soak.main(["--replay", place]) == 1
        assert drawn[-1] == first[int(place.split(":")[1])]


def test_damage_is_damage_and_follows_from_the_seed():
    content = bytes(range(256)) * 4
    made = [trials.damaged(content, random.Random(seed)) for seed in range(50)]
    assert made == [trials.damaged(content, random.Random(seed)) for seed in range(50)]
    assert sum(one != content for one in made) >= 45
    trials.damaged(b"", random.Random(0))  # nothing to damage is no error


def test_what_is_damaged_could_be_read_before(tmp_path, monkeypatch):
    seen = {}
    for sample in trials._samples(tmp_path / "samples"):
        seen.setdefault(sample.suffix, sample)
    assert set(seen) == set(trials.READERS)
    monkeypatch.setattr(trials, "damaged", lambda content, draw: content)
    monkeypatch.setattr(trials, "READ", {0})
    for suffix, sample in seen.items():
        monkeypatch.setattr(trials, "_samples", lambda folder, sample=sample: (sample,))
        run = tmp_path / f"run{suffix}"
        run.mkdir()
        assert trials.corruption(random.Random(0), run) == [], suffix


def test_times_and_traces_are_the_same_in_other_environments(tmp_path):
    first, elsewhere, one_thread, *_ = determinism.environments(str(tmp_path))
    wanted = determinism.hashes(first, with_jax=False)
    assert len(wanted.hashes) == 29, wanted.why_not
    for other in (elsewhere, one_thread):
        assert determinism.hashes(other, with_jax=False) == wanted, other.name


def test_a_difference_and_what_cannot_be_compared_are_said(monkeypatch, capsys):
    module = importlib.reload(determinism)
    here, there, absent = (module.Environment(name) for name in ("here", "there", "absent"))
    results = {
        "here": module.Found({"a": "1", "b": "2"}),
        "there": module.Found({"a": "1", "b": "3"}),
        "absent": module.Found(why_not="not installed"),
    }
    monkeypatch.setattr(module, "environments", lambda folder: [here, there, absent])
    monkeypatch.setattr(module, "hashes", lambda one, with_jax: results[one.name])
    assert module.main([]) == 1
    told = capsys.readouterr().out
    assert "there: 2 programs, b differ" in told
    assert "absent: not compared: not installed" in told


def test_ctrl_c_while_python_starts_is_no_fault_of_ours():
    starting = 'File "<frozen importlib.util>", line 14, in <module>\nKeyboardInterrupt\n'
    ours = 'File "/x/trainyard/__main__.py", line 3, in <module>\nKeyboardInterrupt\n'
    assert trials._was_starting(1, starting)
    assert not trials._was_starting(1, ours)
    assert not trials._was_starting(70, starting)
    wrapped = (
        "KeyboardInterrupt\n\nThe above exception was the direct cause of the following:\n"
        '  File "/x/trainyard/sources.py", line 8, in {}\n'
        "RuntimeError: Error calling __set_name__ on 'cached_property' instance 'a' in 'B'\n"
    )
    assert trials._was_starting(1, wrapped.format("<module>"))
    assert not trials._was_starting(1, wrapped.format("read"))
