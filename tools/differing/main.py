"""The command line of tools/differential.

Draws programs of JAX by a seed, runs each on the simulated device in both modes, and compares the
results with an evaluation in float64. What differs, is refused or ends the process is reduced and
printed as a script. Goes on behind what the results hold.
"""

from __future__ import annotations

import argparse
import json
import select
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

from differing import worker

MODES = ("machine", "reference")
LIMIT = 120  # seconds of one program


def arguments(given: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="differential", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="the number of the first program")
    parser.add_argument("--count", type=int, default=1_000_000, help="how many at most")
    parser.add_argument("--seconds", type=float, default=600, help="when to stop")
    parser.add_argument(
        "--only", type=int, action="append", help="these numbers, with their source"
    )
    parser.add_argument("--mode", choices=MODES, help="that one alone")
    parser.add_argument(
        "--reduce-seconds", type=float, default=60, help="for each finding; 0: none"
    )
    parser.add_argument("--output", type=Path, help="JSON lines, added to; what is there is kept")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args(given)


class Worker:
    """A process that judges one program after the other, and is replaced when one ends it."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None

    def judge(self, request: dict[str, Any]) -> dict[str, Any]:
        process = self._started()
        assert process.stdin and process.stdout
        process.stdin.write(json.dumps(request) + "\n")
        process.stdin.flush()
        ready, _, _ = select.select([process.stdout], [], [], LIMIT)
        line = process.stdout.readline() if ready else ""
        if line:
            return json.loads(line)
        self.close()
        words = f"the process ended with {process.returncode}" if ready else "longer than the limit"
        finding = {"mode": "any", "kind": "error", "result": 0, "words": words, "label": words}
        return {"end": "judged", "findings": [finding]}

    def _started(self) -> subprocess.Popen[str]:
        if self._process is None:
            self._process = subprocess.Popen(
                [sys.executable, "-W", "ignore", sys.argv[0], "--worker"],
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


def numbers_done(path: Path | None) -> tuple[set[int], list[dict[str, Any]]]:
    """What is there already; the last line may be cut."""
    if path is None or not path.exists():
        return set(), []
    text = path.read_text()
    if text and not text.endswith("\n"):
        path.write_text(text[: text.rfind("\n") + 1])
    found = [json.loads(line) for line in text.splitlines() if line.endswith("}")]
    return {each["number"] for each in found}, found


def show(options: argparse.Namespace, own: Worker, number: int, found: dict[str, Any]) -> None:
    """A script for the first finding of a program, as small as it gets."""
    from differing.programs import program, script
    from differing.reducing import reduced

    finding = found["findings"][0]
    modes = MODES if finding["mode"] == "any" else (finding["mode"],)

    def shows(smaller: Any) -> bool:
        said = own.judge({"program": smaller.to_json(), "modes": modes})
        return any(each["label"] == finding["label"] for each in said["findings"])

    small = reduced(program(options.seed, number), shows, options.reduce_seconds)
    said = own.judge({"program": small.to_json(), "modes": modes})["findings"]
    words = said[0]["words"] if said else finding["words"]
    found["script"] = script(small, modes[0], f"{finding['label']}\n{words[:600]}")
    print(f"--- {options.seed}:{number} {found['words']}\n{found['script']}", flush=True)


def run(options: argparse.Namespace) -> list[dict[str, Any]]:
    done, results = numbers_done(options.output)
    last = time.monotonic() + options.seconds
    wanted = options.only or range(options.first, options.first + options.count)
    own = Worker()
    modes = (options.mode,) if options.mode else MODES
    for number in wanted:
        if number in done and not options.only:
            continue
        if time.monotonic() > last and not options.only:
            break
        found = {"number": number}
        found |= own.judge({"seed": options.seed, "number": number, "modes": modes})
        if options.only:
            tell(options.seed, number, found)
        if found["findings"] and options.reduce_seconds:
            found.setdefault("words", "")
            show(options, own, number, found)
        results.append(found)
        if options.output:
            with options.output.open("a") as file:
                file.write(json.dumps(found) + "\n")
    own.close()
    return results


def tell(seed: int, number: int, found: dict[str, Any]) -> None:
    from differing.programs import program

    print(program(seed, number).source())
    print(json.dumps(found, indent=1))


def report(results: list[dict[str, Any]]) -> int:
    """How many programs were judged, and what differs; how many differ."""
    judged = [each for each in results if each["end"] == "judged"]
    differ = [each for each in judged if each["findings"]]
    others = Counter(each["end"].split(":")[0] for each in results if each["end"] != "judged")
    print(f"{len(judged)} programs judged, {len(differ)} with findings; {dict(others)}")
    for each in differ:
        for finding in each["findings"][:1]:
            print(f"  {each['number']}: {finding['label'][:60]} | {each.get('words', '')}")
    return len(differ)


def main(given: list[str] | None = None) -> int:
    options = arguments(given)
    if options.worker:
        worker.main()
        return 0
    import os

    os.environ["JAX_PLATFORMS"] = "cpu"
    return 1 if report(run(options)) else 0
