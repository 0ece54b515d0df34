"""A pytest plugin: appends a line of JSON for each test as it starts and as it ends.

So the outcomes up to a crash are known, and which test crashed. Set JAX_CASES_RECORD to the file,
JAX_CASES_SKIP to a file with the ids of tests that ran before.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

RECORD = Path(os.environ["JAX_CASES_RECORD"])
SKIP = Path(os.environ["JAX_CASES_SKIP"])


def _write(entry: dict[str, str]) -> None:
    with RECORD.open("a") as file:
        file.write(json.dumps(entry) + "\n")


def pytest_collection_modifyitems(config: Any, items: list[Any]) -> None:
    ran = set(SKIP.read_text().split("\n")) if SKIP.exists() else set()
    items[:] = [item for item in items if item.nodeid not in ran]


def pytest_runtest_logstart(nodeid: str) -> None:
    _write({"id": nodeid, "outcome": "started"})


def pytest_runtest_logreport(report: Any) -> None:
    if report.when == "call" or report.outcome != "passed":
        text = str(report.longrepr) if report.outcome == "failed" else ""
        _write({"id": report.nodeid, "outcome": report.outcome, "text": text[-6000:]})
