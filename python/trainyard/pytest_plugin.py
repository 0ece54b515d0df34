"""The pytest plug-in: kernels that a test calls are checked, and what is found is in its report.

Installed with Trainyard (entry point `trainyard`); from a checkout `-p trainyard.pytest_plugin`.

An error raises a Fault in the test, as it does anywhere. Warnings and notes make a test fail when
`--trainyard-fail-on`, the ini option `trainyard_fail_on` or the marker says so:

    @pytest.mark.trainyard(fail_on="warning", suppress=("dma",), checks=True)
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Any

import pytest

from trainyard import findings, settings
from trainyard.commands import failures

if TYPE_CHECKING:
    from trainyard.result import Result

MARKER = (
    "trainyard(fail_on='error', suppress=(), checks=True): how the kernels that the test calls are "
    "checked; fail_on: the least severity of a finding that fails the test"
)
COUNT = pytest.StashKey[list[int]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options of the command line and of the ini file."""
    group = parser.getgroup("trainyard")
    group.addoption(
        "--trainyard-fail-on",
        choices=findings.SEVERITIES,
        help="the least severity of a finding that fails a test (default: error)",
    )
    group.addoption(
        "--trainyard-suppress",
        action="append",
        default=[],
        metavar="ID",
        help="do not report a check or a family of checks; may be repeated",
    )
    group.addoption("--trainyard-no-checks", action="store_true", help="run kernels without checks")
    parser.addini("trainyard_fail_on", "as --trainyard-fail-on", default="error")
    parser.addini("trainyard_suppress", "as --trainyard-suppress", type="args", default=[])


def pytest_configure(config: pytest.Config) -> None:
    """Makes the marker known; refuses what no check is called."""
    config.addinivalue_line("markers", MARKER)
    config.stash[COUNT] = [0, 0]
    chosen = _policy(config)
    if chosen.fail_on not in findings.SEVERITIES:
        raise pytest.UsageError(f"trainyard_fail_on is one of {', '.join(findings.SEVERITIES)}")
    if unknown := findings.unknown_ids(chosen.suppress):
        raise pytest.UsageError(f"trainyard: there is no check {unknown[0]}")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Refuses markers that say what no marker can."""
    for item in items:
        if marker := item.get_closest_marker("trainyard"):
            try:
                _policy(config, marker)
            except pytest.UsageError as error:
                raise pytest.UsageError(f"{item.nodeid}: {error}") from None


@dataclass(frozen=True)
class _Policy:
    fail_on: str
    suppress: tuple[str, ...]
    checks: bool


def _policy(config: pytest.Config, marker: pytest.Mark | None = None) -> _Policy:
    """What the ini file says, then the command line, then the marker."""
    given = _given(marker) if marker is not None else {}
    fail_on = config.getoption("trainyard_fail_on") or config.getini("trainyard_fail_on")
    suppress = (*config.getini("trainyard_suppress"), *config.getoption("trainyard_suppress"))
    return _Policy(
        fail_on=given.get("fail_on", fail_on),
        suppress=(*suppress, *given.get("suppress", ())),
        checks=given.get("checks", not config.getoption("trainyard_no_checks")),
    )


def _given(marker: pytest.Mark) -> dict[str, Any]:
    """What a marker says. Raises UsageError where it says it wrongly."""
    given = dict(marker.kwargs)
    if marker.args or not given.keys() <= _Policy.__dataclass_fields__.keys():
        wrong = [*map(repr, marker.args), *(given.keys() - _Policy.__dataclass_fields__.keys())]
        raise pytest.UsageError(f"the marker is {MARKER.partition(':')[0]}; it has no {wrong[0]}")
    if given.get("fail_on", "error") not in findings.SEVERITIES:
        known = ", ".join(findings.SEVERITIES)
        raise pytest.UsageError(f"fail_on is one of {known}, not {given['fail_on']!r}")
    if not isinstance(given.get("checks", True), bool):
        raise pytest.UsageError(f"checks is True or False, not {given['checks']!r}")
    if "suppress" in given:
        given["suppress"] = _ids(given["suppress"])
    return given


def _ids(suppress: Any) -> tuple[str, ...]:
    """One id of a check, or several."""
    ids = (suppress,) if isinstance(suppress, str) else suppress
    if not isinstance(ids, (tuple, list, set, frozenset)) or not all(
        isinstance(one, str) for one in ids
    ):
        raise pytest.UsageError(f"suppress is ids of checks, not {suppress!r}")
    if unknown := findings.unknown_ids(ids):
        raise pytest.UsageError(f"there is no check {unknown[0]}; see trainyard explain")
    return tuple(ids)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Iterator[None]:
    """Checks the kernels that fixtures call before the test."""
    return (yield from _checked(item, "setup"))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Checks the kernels that the test calls."""
    return (yield from _checked(item, "call"))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item) -> Iterator[None]:
    """Checks the kernels that fixtures call after the test."""
    return (yield from _checked(item, "teardown"))


def _checked(item: pytest.Item, phase: str) -> Iterator[None]:
    """Checks the kernels of a phase of a test, and fails it on what the policy names."""
    policy = _policy(item.config, item.get_closest_marker("trainyard"))
    results: list[Result] = []
    changes: dict[str, Any] = {
        "listeners": [*settings.current().listeners, results.append],
        "suppress": (*settings.current().suppress, *policy.suppress),
        "checks": settings.current().checks and policy.checks,
    }
    found: list[findings.Finding] = []
    try:
        with settings.using(**changes):
            outcome = yield
    except Exception as error:
        raise error.with_traceback(_of_the_user(error.__traceback__))  # noqa: B904 (the same one)
    finally:
        found += [one | {"kernel": result.name} for result in results for one in result.findings]
        _tell(item, phase, found, len(results))
    if bad := findings.at_least(found, policy.fail_on):
        texts = "\n".join(findings.describe(one) for one in bad)
        pytest.fail(f"trainyard found {findings.summary(bad)}\n{texts}", pytrace=False)
    return outcome


def _of_the_user(traceback: TracebackType | None) -> TracebackType | None:
    """A traceback without Trainyard's own frames, unless the environment asks for all of them."""
    if traceback is None or os.environ.get("TRAINYARD_TRACEBACK") == "full":
        return traceback
    rest = _of_the_user(traceback.tb_next)
    if failures.is_ours(traceback.tb_frame.f_code.co_filename):
        return rest
    return TracebackType(rest, traceback.tb_frame, traceback.tb_lasti, traceback.tb_lineno)


def _tell(item: pytest.Item, phase: str, found: list[findings.Finding], calls: int) -> None:
    count = item.config.stash[COUNT]
    count[0] += calls
    count[1] += len(findings.at_least(found, "warning"))
    if found:
        texts = "\n".join(f"{one['kernel']}: {findings.describe(one)}" for one in found)
        item.add_report_section(phase, "trainyard", texts)


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """One line, where kernels were run and something is likely wrong."""
    calls, likely = config.stash[COUNT]
    if likely:
        terminalreporter.write_line(
            f"trainyard: {calls} kernel call{'s' if calls != 1 else ''} checked, {likely} "
            f"warning{'s' if likely != 1 else ''} (--trainyard-fail-on warning makes them fail)"
        )
