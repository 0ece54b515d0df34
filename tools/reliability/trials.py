"""The trials of tools/soak: each is drawn by a random generator and says what does not hold."""

from __future__ import annotations

import itertools
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path

from trainyard.commands import exit_codes

from reliability import documents, injection
from reliability.injection import KERNELS, ROOT, X

Trial = Callable[[random.Random, Path], list[str]]

# Of a command whose input is damaged: it may still be read.
READ = {
    exit_codes.OK,
    exit_codes.FINDINGS,
    exit_codes.USAGE,
    exit_codes.INVALID_INPUT,
    exit_codes.DOES_NOT_FIT,
    exit_codes.FAULT,
}


def _command(*arguments: str, folder: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-B", "-m", "trainyard", *arguments],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


def _ended(process: subprocess.Popen[bytes], allowed: set[int], seconds: float = 300) -> list[str]:
    """What is wrong about how a command ends."""
    try:
        err = process.communicate(timeout=seconds)[1].decode(errors="replace")
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return [f"it still runs after {seconds:.0f} s"]
    found = []
    if process.returncode not in allowed and not _was_starting(process.returncode, err):
        found.append(
            f"exit code {process.returncode}; {sorted(allowed)} are explained: {err[-800:]}"
        )
    if "internal error" in err or "this is a bug of Trainyard" in err:
        found.append(f"an internal error: {err[-800:]}")
    return found


def _was_starting(code: int, err: str) -> bool:
    """Whether Ctrl-C ended Python itself, which had taken signals over but run no code of ours.

    Modules of ours may have been on their way in: CPython 3.11 says RuntimeError where Ctrl-C comes
    while a class is made, and ends with 1.
    """
    if code != 1 or "KeyboardInterrupt" not in err:
        return False
    last = err.rstrip().rpartition("\n")[2]
    frames = [line for line in err.splitlines() if line.startswith("  File ")]
    if last.startswith("RuntimeError: Error calling __set_name__"):
        return all("trainyard" not in line or line.endswith(", in <module>") for line in frames)
    return last == "KeyboardInterrupt" and "trainyard" not in err


# --- Random programs ---


def program(draw: random.Random, folder: Path) -> list[str]:
    """A few random JAX operations give the CPU's values on the machine."""
    seed = draw.randrange(10**6)
    script = ROOT / "tests/model/random_programs.py"
    done = subprocess.run(
        [sys.executable, "-B", str(script), str(seed), str(seed + 4)],
        cwd=folder,
        env=os.environ | {"JAX_PLATFORMS": "cpu"},
        capture_output=True,
        text=True,
        timeout=600,
    )
    if done.returncode == 0:
        return []
    return [f"{script.name} {seed} {seed + 4}: {done.stdout[-800:]}{done.stderr[-800:]}"]


# --- Faults ---


@cache
def _case(name: str, folder: Path) -> injection.Case:
    return injection.Case(injection.COMMANDS[name], folder / name)


def fault(draw: random.Random, folder: Path) -> list[str]:
    """A command whose disk, memory or process fails at some call leaves whole files."""
    name, kind = draw.choice(sorted(injection.COMMANDS)), draw.choice(injection.KINDS)
    case = _case(name, folder.parent / "cases")
    at = draw.randint(1, max(1, case.calls(kind)))
    return [f"{name}, {kind} at call {at}: {one}" for one in case.problems(kind, at)]


# --- Damaged files ---

# Commands that read a file, by its suffix; {} is its name.
READERS: dict[str, tuple[str, ...]] = {
    ".tytrace": ("report", "{}"),
    ".typrog": ("isa", "disassemble", "{}"),
    ".mlir": ("graph", "summary", "{}"),
    ".bc": ("graph", "summary", "{}"),
    ".toml": ("machine", "show", "{}"),
    ".json": ("fit", "{}", "--on", "trn2"),
    ".npy": ("run", f"{KERNELS}:double", "x={}"),
}


@cache
def _samples(folder: Path) -> tuple[Path, ...]:
    """A file of each kind that commands read."""
    folder.mkdir(parents=True, exist_ok=True)
    for arguments in (
        ("profile", "--output", ".", f"{KERNELS}:double", "x=float32[128,64]"),
        ("run", "--save-programs", ".", f"{KERNELS}:double", "x=float32[128,64]"),
    ):
        process = _command(*arguments, folder=folder)
        err = process.communicate()[1].decode()
        if process.returncode != 0:
            raise RuntimeError(f"{arguments} exits with {process.returncode}: {err}")
    import numpy as np

    np.save(folder / "x.npy", np.ones((128, 64), np.float32))
    made = [folder / "double.tytrace", folder / "double.typrog", folder / "x.npy"]
    corpus = ROOT / "tests/fuzz/corpus"
    others = (
        sorted((ROOT / "tests/programs/stablehlo").rglob("*.mlir"))[::40],
        sorted((corpus / "artifact").glob("*.bc")),
        sorted((corpus / "model").glob("*.json")),
        (ROOT / "machines/trn3.toml", ROOT / "machines/trn1.toml"),
    )
    return (*made, *itertools.chain(*others))


def damaged(content: bytes, draw: random.Random) -> bytes:
    """The bytes with a few changed, cut off, doubled or moved."""
    data = bytearray(content)
    for _ in range(draw.randint(1, 4)):
        at = draw.randrange(len(data)) if data else 0
        what = draw.randrange(5)
        if what == 0 and data:
            data[at] ^= 1 << draw.randrange(8)
        elif what == 1:
            del data[at:]
        elif what == 2:
            del data[at : at + draw.randint(1, 16)]
        elif what == 3:
            data[at:at] = data[at : at + draw.randint(1, 64)]
        else:
            data[at : at + 1] = bytes([draw.choice([0, 0x7F, 0xFF, 0x22, 0x2D, 0x39])])
    return bytes(data)


def corruption(draw: random.Random, folder: Path) -> list[str]:
    """A damaged file is read, or refused in words."""
    sample = draw.choice(_samples(folder.parent / "samples"))
    file = folder / f"damaged{sample.suffix}"
    file.write_bytes(damaged(sample.read_bytes(), draw))
    if sample.suffix == ".toml":  # a machine extends others of its folder
        for other in (ROOT / "machines").glob("*.toml"):
            shutil.copy(other, folder)
    command = [part.format(file.name) for part in READERS[sample.suffix]]
    found = _ended(_command(*command, folder=folder), READ)
    return [f"{' '.join(command)}, damaged from {sample}: {one}" for one in found]


def document(draw: random.Random, folder: Path) -> list[str]:
    """A document with odd values is answered, or refused in words."""
    name = draw.choice(sorted(documents.DOCUMENTS))
    one = documents.DOCUMENTS[name]
    text = one.text(documents.damaged(one.content, draw))
    (folder / one.file).write_text(text, encoding="utf-8")
    command = [part.format(one.file) for part in one.command]
    found = _ended(_command(*command, folder=folder), READ)
    return [f"{' '.join(command)}: {text[:500]}: {problem}" for problem in found]


# --- Ctrl-C ---


def interrupt(draw: random.Random, folder: Path) -> list[str]:
    """Ctrl-C at any time ends a command soon, and leaves no half of a file."""
    name = draw.choice(["time", "profile", "check", "run"])
    process = _command(name, f"{KERNELS}:slow", X, folder=folder)
    after = draw.uniform(0.05, 3.0)
    time.sleep(after)
    process.send_signal(signal.SIGINT)
    # Before Python takes signals over the system's default ends it.
    found = _ended(process, {exit_codes.OK, exit_codes.INTERRUPTED, -signal.SIGINT}, 60)
    found += [f"{path.name} is left" for path in folder.rglob("*.partial")]
    return [f"{name}, Ctrl-C after {after:.2f} s: {one}" for one in found]


TRIALS: dict[str, Trial] = {
    "program": program,
    "fault": fault,
    "corruption": corruption,
    "document": document,
    "interrupt": interrupt,
}
