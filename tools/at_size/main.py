"""The command line of tools/programs_at_size.

Draws programs by a seed, compiles each for a device of two cores of Trainium3, in time only, and
counts how they end: compiled, refused for the device's memory where more is live than it holds
(counted apart from the compiler), or a fault of ours. Goes on behind what the results hold.
"""

from __future__ import annotations

import argparse
import json
import os
import select
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path
from queue import Empty, Queue
from typing import Any

from at_size import worker


def arguments(given: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="programs_at_size", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="the number of the first program")
    parser.add_argument("--count", type=int, default=2000, help="how many")
    parser.add_argument("--only", type=int, action="append", help="these numbers, with errors")
    parser.add_argument("--seconds", type=float, default=60, help="limit of one program")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    parser.add_argument("--output", type=Path, help="JSON lines, added to; what is there is kept")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args(given)


class Worker:
    """A process that compiles one program after the other, and is replaced when one ends it."""

    def __init__(self, options: argparse.Namespace) -> None:
        self._options = options
        self._process: subprocess.Popen[str] | None = None

    def compile(self, number: int) -> dict[str, Any]:
        process = self._started()
        assert process.stdin and process.stdout
        process.stdin.write(f"{number}\n")
        process.stdin.flush()
        ready, _, _ = select.select([process.stdout], [], [], self._options.seconds)
        line = process.stdout.readline() if ready else ""
        if line:
            return json.loads(line)
        self.close()
        end = f"ended with {process.returncode}" if ready else "longer than the limit"
        return {"number": number, "end": "refused", "cause": end}

    def _started(self) -> subprocess.Popen[str]:
        if self._process is None:
            command = [sys.executable, "-W", "ignore", sys.argv[0], "--worker"]
            self._process = subprocess.Popen(
                [*command, "--seed", str(self._options.seed)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
            )
        return self._process

    def close(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None


def compile_all(options: argparse.Namespace, numbers: list[int], told: Any) -> None:
    """Each number by one of the workers; `told` gets what came of it."""
    waiting: Queue[int] = Queue()
    for number in numbers:
        waiting.put(number)

    def work() -> None:
        own = Worker(options)
        try:
            while True:
                told(own.compile(waiting.get_nowait()))
        except Empty:
            own.close()

    threads = [threading.Thread(target=work) for _ in range(options.jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def kept_results(path: Path | None) -> list[dict[str, Any]]:
    """What is there already; the last line may be cut."""
    if path is None or not path.exists():
        return []
    text = path.read_text()
    if text and not text.endswith("\n"):
        path.write_text(text[: text.rfind("\n") + 1])
    lines = text.splitlines()
    found = []
    for line in lines:
        try:
            found.append(json.loads(line))
        except ValueError:
            continue
    return found


def report(results: list[dict[str, Any]]) -> None:
    ends = Counter(each["end"] for each in results)
    drawn = len(results) - ends["no program"]
    print(f"{drawn} programs: {ends['ok']} compiled, {ends['full']} need more memory than "
          f"the device has, {ends['refused']} refused")  # fmt: skip
    causes: dict[str, list[dict[str, Any]]] = {}
    for each in results:
        if each["end"] == "refused":
            causes.setdefault(each["cause"], []).append(each)
    for cause, of in sorted(causes.items(), key=lambda item: -len(item[1])):
        print(f"  {len(of):>4} {cause}")
        for each in of[:5]:
            print(f"         {each['number']}: {each.get('words', '')}")


def main(given: list[str] | None = None) -> int:
    options = arguments(given)
    if options.worker:
        worker.main(options.seed)
        return 0
    results = kept_results(options.output)
    done = {each["number"] for each in results}
    numbers = options.only or range(options.first, options.first + options.count)
    lock = threading.Lock()

    def told(found: dict[str, Any]) -> None:
        with lock:
            results.append(found)
            if options.output:
                with options.output.open("a") as file:
                    file.write(json.dumps(found) + "\n")
            if options.only:
                print(json.dumps(found, indent=1))

    compile_all(options, [n for n in numbers if n not in done or options.only], told)
    wanted = set(numbers)
    chosen = [each for each in results if each["number"] in wanted]
    report(chosen)
    return 1 if any(each["end"] == "refused" for each in chosen) else 0
