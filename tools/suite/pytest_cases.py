"""The tests of a checkout as cases: pytest collects them once, our pool runs them."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from typing import Any

import pytest

from suite import outcome

_RAISED = pytest.StashKey[Any]()


class _OnlySession:
    """Stands for the next item; says that only the session itself is still needed."""

    def __init__(self, session: pytest.Session) -> None:
        self._session = session

    def listchain(self) -> list[Any]:
        return [self._session]


class Plugin:
    """Replaces pytest's loop over the collected items by `serve(ids, run)`."""

    def __init__(
        self,
        checkout: str,
        serve: Callable[[list[str], Callable[[int], dict[str, Any]]], None],
        left_out: Callable[[pytest.Item], bool],
    ) -> None:
        self._checkout, self._serve, self._left_out = checkout, serve, left_out
        self.served = False
        self.unread: list[tuple[str, dict[str, Any]]] = []  # files that could not be imported

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(self, collector: pytest.Collector) -> Any:
        report = yield
        raised = getattr(getattr(report, "call", None), "excinfo", None)
        if report.failed and raised is not None:
            record = outcome.of_exception(raised.value, self._checkout).as_record()
            if _lacks_its_own(raised.value, self._checkout):
                record["status"] = "skip"
            self.unread.append((report.nodeid, record))
        return report

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo) -> Any:
        report = yield
        item.stash.setdefault(_RAISED, []).append((report, call.excinfo))
        return report

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        items = [item for item in session.items if not self._left_out(item) and not _is_empty(item)]
        items.sort(key=lambda item: item.nodeid)
        following = _OnlySession(session)

        def run(index: int) -> dict[str, Any]:
            item = items[index]
            _seed()
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            return self._record(item)

        self._serve([item.nodeid for item in items], run)
        self.served = True
        return True

    def _record(self, item: pytest.Item) -> dict[str, Any]:
        """What became of an item that has run: its first failed phase, else skip, else pass."""
        for report, raised in item.stash.get(_RAISED, []):
            if report.skipped:
                return {"status": "skip", "reason": _why(report)}
            if report.failed:
                if raised is None:  # an unexpected pass of a strict xfail
                    return {
                        "status": "error",
                        "reason": str(report.longrepr),
                        "cause": "strict xfail",
                    }
                return outcome.of_exception(raised.value, self._checkout).as_record()
        return {"status": "pass"}


def _seed() -> None:
    """The random numbers of a case do not depend on those that ran before it."""
    random.seed(0)
    for module, seed in (("numpy.random", "seed"), ("torch", "manual_seed")):
        if module in sys.modules:
            getattr(sys.modules[module], seed)(0)


def _lacks_its_own(error: BaseException, checkout: str) -> bool:
    """Whether a file imports a module that belongs to its checkout, and is not there."""
    while error.__cause__ is not None:
        error = error.__cause__
    name = getattr(error, "name", None) if isinstance(error, ModuleNotFoundError) else None
    package = sys.modules.get(name.split(".")[0]) if name else None
    places = [*getattr(package, "__path__", ()), getattr(package, "__file__", None) or ""]
    return any(str(place).startswith(checkout + "/") for place in places)


def _is_empty(item: pytest.Item) -> bool:
    """Whether pytest made the item up for a test without any parameters."""
    return any(
        "empty parameter set" in str(mark.kwargs.get("reason", ""))
        for mark in item.iter_markers("skip")
    )


def _why(report: pytest.TestReport) -> str:
    if hasattr(report, "wasxfail"):
        return f"xfail: {report.wasxfail}"
    return str(report.longrepr[-1]) if isinstance(report.longrepr, tuple) else "skipped"
