"""Runs the cases of a checkout; started by main.py in the suite's Python, never imported by it.

Takes its orders as JSON in the first argument and exits with 0 when every case has a record.
"""

from __future__ import annotations

import importlib
import json
import os
import signal
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any


def choose(ids: list[str], orders: dict[str, Any]) -> dict[int, float]:
    """The cases to run: those whose id holds a filter, thinned out.

    Each with the number of cases it stands for: those that were there for each one chosen, of its
    test function.
    """
    wanted = [
        i
        for i, case in enumerate(ids)
        if not orders["filter"] or any(text in case for text in orders["filter"])
    ]
    there = Counter(function_of(ids[i]) for i in wanted)
    if orders["each"]:
        wanted = of_each_function(wanted, ids, orders["each"])
    chosen = wanted[:: orders["sample"]]
    left = Counter(function_of(ids[i]) for i in chosen)
    return {i: there[function_of(ids[i])] / left[function_of(ids[i])] for i in chosen}


def function_of(case: str) -> str:
    """The test function of a case: what stands before "["."""
    return case.split("[")[0]


def of_each_function(wanted: list[int], ids: list[str], count: int) -> list[int]:
    """At most `count` cases, evenly spread, of every test function."""
    groups: dict[str, list[int]] = {}
    for i in wanted:
        groups.setdefault(function_of(ids[i]), []).append(i)
    chosen: list[int] = []
    for group in groups.values():
        n = min(count, len(group))
        chosen += [group[(2 * k + 1) * len(group) // (2 * n)] for k in range(n)]
    return sorted(chosen)


def spread(chosen: list[int]) -> list[int]:
    """The same cases in an order whose every beginning is an even sample of all of them.

    So a run that was stopped says something of the whole; the order is that of reversed bits.
    """
    bits = max(1, (len(chosen) - 1).bit_length())
    order = sorted(range(len(chosen)), key=lambda i: int(f"{i:0{bits}b}"[::-1], 2))
    return [chosen[i] for i in order]


def serve_cases(orders: dict[str, Any]) -> Callable[..., None]:
    """The function that runs a list of cases in the pool and writes their records."""
    from suite import pool, results

    def serve(ids: list[str], run: Callable[[int], dict[str, Any]]) -> None:
        path = Path(orders["results"])
        records = results.read(path) if orders["resume"] else {}
        done = {case for case, one in records.items() if one["status"] not in orders["again"]}
        weights = choose(ids, orders)
        chosen = [i for i in spread(list(weights)) if ids[i] not in done]
        if not chosen:
            return
        print(f"{len(ids)} cases, {len(chosen)} to run, {orders['jobs']} at a time", flush=True)
        writer = results.Writer(path, len(chosen), orders["verbose"])

        def report(index: int, record: dict[str, Any]) -> None:
            about = {"case": ids[index], "machine": orders["machine"]}
            writer.add({**about, "stands_for": round(weights[index], 2), **record})

        limits = pool.Limits(orders["timeout"], orders["own_timeout"], orders["memory"])
        workers = pool.Pool(run, orders["jobs"], limits, orders["log"], orders["scratch"])
        workers.run(chosen, report)

    return serve


def main() -> int:
    """Runs what the orders say."""
    orders = json.loads(sys.argv[1])
    checkout = orders["checkout"]
    sys.path.append(str(Path(__file__).parent / "glue"))  # last: an installed original wins
    for folder in reversed(orders["on_path"]):
        sys.path.insert(0, folder)
    os.chdir(orders["scratch"])
    _end_with_parent()
    from trainyard import settings

    from suite import clock, older

    clock.watch_kernels()
    if orders["older"]:
        older.accept()
    with settings.using(checks=orders["checks"]):
        return _run(checkout, orders, serve_cases(orders))


def _run(checkout: str, orders: dict[str, Any], serve: Callable) -> int:
    code = 0
    if orders["kernels"]:
        from suite import kernel_cases

        code = kernel_cases.run(checkout, orders, serve)
    if orders["cases"] or orders["scripts"]:
        _run_listed(checkout, orders, serve)
    if orders["tests"]:
        glue = importlib.import_module(f"suite.{orders['glue']}") if orders["glue"] else None
        code = max(code, _run_pytest(checkout, orders, serve, glue))
    return code


def _run_listed(checkout: str, orders: dict[str, Any], serve: Callable) -> None:
    """Runs the cases that a module of ours lists for this kind of checkout."""
    from suite import kernel_cases, scripts

    root = Path(checkout)
    commands = tuple(tuple(command) for command in orders["scripts"])
    listed = scripts.cases(root, commands)
    if orders["cases"]:
        listed += importlib.import_module(f"suite.{orders['cases']}").cases(root)
    kernel_cases.serve_cases(listed, checkout, serve)


def _end_with_parent() -> None:
    """Ends this process group when the command ends, however it ends."""
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os.killpg(0, signal.SIGKILL)

    threading.Thread(target=watch, daemon=True).start()


def _run_pytest(checkout: str, orders: dict[str, Any], serve: Callable, glue: Any) -> int:
    import pytest

    from suite.pytest_cases import Plugin

    # Cases run in a loop of our own, so pytest's last line would say that no tests ran: -qq.
    arguments = ["-qq", "-s", "-p", "no:cacheprovider", f"--rootdir={checkout}", *orders["tests"]]
    left_out = glue.left_out if glue else lambda item: False
    plugin = Plugin(checkout, serve, left_out)
    plugins: list[Any] = [plugin]
    if glue:
        arguments += glue.arguments(checkout, orders)
        plugins.append(glue.prepare(orders))
    else:
        arguments += ["--continue-on-collection-errors"]
    code = pytest.main(arguments, plugins)
    serve([node for node, _ in plugin.unread], lambda i: plugin.unread[i][1])
    return 0 if code in (0, 1, 2, 5) and plugin.served else 2


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
    from suite.refusal import told

    code = told("nki_suite", main)
    sys.stdout.flush()
    os._exit(code)  # the interpreter's end has nothing to do for us and much to say about leaks
