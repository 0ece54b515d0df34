#!/usr/bin/env python3
"""Looks whether each C++ file of src compiles by itself, as it does in a build without unity files.

A unity build hides an include that is missing. Takes a build folder that has been configured
without one, compiles nothing in it, and prints what the compiler says of the files that fail.
"""

import argparse
import json
import os
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path


def syntax_only(command: str) -> list[str]:
    """The compile command without its launcher and output: it only looks for errors."""
    words = shlex.split(command)
    compiler = next(i for i, word in enumerate(words) if Path(word).name in ("c++", "g++"))
    words = words[compiler:]
    output = words.index("-o")
    del words[output : output + 2]
    words.remove("-c")
    return [*words, "-fsyntax-only"]


def problem_of(entry: dict[str, str]) -> str:
    """What the compiler says of a file; empty where it compiles."""
    command = syntax_only(entry["command"])
    ran = subprocess.run(command, cwd=entry["directory"], capture_output=True, text=True)
    return "" if ran.returncode == 0 else f"{entry['file']}\n{ran.stderr}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=Path, help="a configured build folder, such as build/dev")
    parser.add_argument("--under", default="src/", help="the files whose path begins with this")
    given = parser.parse_args()
    root = Path(__file__).resolve().parent.parent
    entries = json.loads((given.build / "compile_commands.json").read_text())
    entries = [e for e in entries if e["file"].startswith(str(root / given.under))]
    if not entries:
        print(f"compile_alone: {given.build} compiles no file under {given.under}", file=sys.stderr)
        return 1
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        problems = [problem for problem in pool.map(problem_of, entries) if problem]
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"{len(entries)} files, {len(problems)} that do not compile by themselves")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
