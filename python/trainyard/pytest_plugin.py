"""The pytest plug-in: kernels that a test calls are checked, and what is found is in its report.

Installed with Trainyard (entry point `trainyard`); where it is not, `-p trainyard.pytest_plugin`.

An error raises a Fault in the test, as it does anywhere. Warnings and notes make a test fail when
`--trainyard-fail-on`, the ini option `trainyard_fail_on` or the marker says so:

    @pytest.mark.trainyard(fail_on="warning", suppress=("dma",), checks=True)

Conditions on the simulated time and on what else a report tells make a test fail too; relative ones
compare with a baseline file, which `--trainyard-write-baseline` writes:

    @pytest.mark.trainyard(fail_if="time>230us")
    pytest --trainyard-fail-if 'time>+2%' --trainyard-baseline times.json
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

import trainyard
from trainyard import differences, findings, settings, tracebacks
from trainyard.differences import conditions, sources
from trainyard.files import write_whole

if TYPE_CHECKING:
    from trainyard.result import Result

MARKER = (
    "trainyard(fail_on='error', suppress=(), checks=True, fail_if=()): how the kernels that the "
    "test calls are checked; fail_on: the least severity of a finding that fails the test; "
    "fail_if: conditions that do, as 'time>230us' or, against the baseline, 'time>+2%'"
)
COUNT = pytest.StashKey[list[int]]()
TIMED = pytest.StashKey[list[dict[str, Any]]]()
BASELINE = pytest.StashKey[list[differences.Run]]()
_KEPT = ("run", "duration_ns", "as_written_ns", "ticks_per_ns", "bound", "speed_of_light", "energy")
_KEPT_ROWS = ("tracks", "traffic", "lines", "mnemonics")


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options of the command line and of the ini file."""
    group = parser.getgroup("trainyard")
    group.addoption(
        "--trainyard-fail-on",
        choices=findings.SEVERITIES,
        help="the lowest severity of a finding that fails a test (default: error)",
    )
    group.addoption(
        "--trainyard-suppress",
        action="append",
        default=[],
        metavar="ID",
        help="do not report a check or a family of checks; may be repeated",
    )
    group.addoption("--trainyard-no-checks", action="store_true", help="run kernels without checks")
    group.addoption(
        "--trainyard-fail-if",
        action="append",
        default=[],
        metavar="CONDITION",
        help="time kernels, and fail a test where one of its kernel calls meets this: "
        + conditions.GRAMMAR.replace("%", "%%"),
    )
    group.addoption(
        "--trainyard-baseline", metavar="FILE", help="what relative conditions compare with"
    )
    group.addoption(
        "--trainyard-write-baseline",
        metavar="FILE",
        help="time all kernels, and write the baseline for later runs there",
    )
    parser.addini("trainyard_fail_if", "as --trainyard-fail-if", type="linelist", default=[])
    parser.addini("trainyard_fail_on", "as --trainyard-fail-on", default="error")
    parser.addini("trainyard_suppress", "as --trainyard-suppress", type="args", default=[])


def pytest_configure(config: pytest.Config) -> None:
    """Makes the marker known; refuses what no check is called."""
    config.addinivalue_line("markers", MARKER)
    config.stash[COUNT] = [0, 0]
    config.stash[TIMED] = []
    chosen = _policy(config)
    if chosen.fail_on not in findings.SEVERITIES:
        raise pytest.UsageError(f"trainyard_fail_on is one of {', '.join(findings.SEVERITIES)}")
    if unknown := findings.unknown_ids(chosen.suppress):
        raise pytest.UsageError(f"trainyard: there is no check {unknown[0]}")
    if (path := config.getoption("trainyard_baseline")) is not None:
        try:
            config.stash[BASELINE] = differences.runs_of(path)
        except trainyard.UsageError as error:
            raise pytest.UsageError(f"trainyard: {error}") from None


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
    fail_if: tuple[conditions.Condition, ...]


def _policy(config: pytest.Config, marker: pytest.Mark | None = None) -> _Policy:
    """What the ini file says, then the command line, then the marker."""
    given = _given(marker) if marker is not None else {}
    fail_on = config.getoption("trainyard_fail_on") or config.getini("trainyard_fail_on")
    suppress = (*config.getini("trainyard_suppress"), *config.option.trainyard_suppress)
    return _Policy(
        fail_on=given.get("fail_on", fail_on),
        suppress=(*suppress, *given.get("suppress", ())),
        checks=given.get("checks", not config.getoption("trainyard_no_checks")),
        fail_if=_conditions(
            *config.getini("trainyard_fail_if"),
            *config.option.trainyard_fail_if,
            *given.get("fail_if", ()),
        ),
    )


def _conditions(*texts: str) -> tuple[conditions.Condition, ...]:
    """Conditions as values. Raises pytest.UsageError for one that is not understood."""
    try:
        return tuple(conditions.parsed(texts))
    except trainyard.UsageError as error:
        raise pytest.UsageError(f"trainyard: {error}") from None


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
    if "fail_if" in given:
        given["fail_if"] = _strings("fail_if", "conditions", given["fail_if"])
    return given


def _strings(name: str, what: str, given: Any) -> tuple[str, ...]:
    """One text, or several."""
    texts = (given,) if isinstance(given, str) else given
    if not isinstance(texts, (tuple, list, set, frozenset)) or not all(
        isinstance(one, str) for one in texts
    ):
        raise pytest.UsageError(f"{name} is {what}, not {given!r}")
    return tuple(texts)


def _ids(suppress: Any) -> tuple[str, ...]:
    """One id of a check, or several."""
    ids = _strings("suppress", "ids of checks", suppress)
    if unknown := findings.unknown_ids(ids):
        raise pytest.UsageError(f"there is no check {unknown[0]}; see trainyard explain")
    return ids


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
    if policy.fail_if or item.config.getoption("trainyard_write_baseline"):
        changes["timed"] = True
    try:
        with settings.using(**changes):
            outcome = yield
    except Exception as error:
        raise error.with_traceback(tracebacks.of_the_user(error.__traceback__))  # noqa: B904 (the same one)
    finally:
        found += [one | {"kernel": result.name} for result in results for one in result.findings]
        _tell(item, phase, found, len(results))
    if bad := findings.at_least(found, policy.fail_on):
        texts = "\n".join(findings.describe(one) for one in bad)
        pytest.fail(f"trainyard found {findings.summary(bad)}\n{texts}", pytrace=False)
    if "timed" in changes:
        _judge(item, phase, policy.fail_if, results)
    return outcome


def _judge(
    item: pytest.Item,
    phase: str,
    wanted: tuple[conditions.Condition, ...],
    results: list[Result],
) -> None:
    """Fails the test where a kernel call meets a condition; keeps the times for a baseline."""
    test = item.nodeid if phase == "call" else f"{item.nodeid} ({phase})"
    timed = [one for one in results if one.runs[0].timed]
    calls = [(one.name, one.report, test) for one in timed]
    item.config.stash[TIMED] += [
        {"test": test, "kernel": kernel, "report": _kept(report)} for kernel, report, _ in calls
    ]
    runs = sources.numbered(calls, test)
    ran = {run.kernel for run in runs}
    concerned = [one for one in wanted if one.kernel in ran or (ran and not one.kernel)]
    judged = differences.judge(concerned, runs, item.config.stash.get(BASELINE, None))
    if bad := [f"{one.run.title}: {one.condition.text}: {one.why}" for one in judged if one.holds]:
        pytest.fail("\n".join(["trainyard: conditions hold", *bad]), pytrace=False)


def _kept(report: dict[str, Any]) -> dict[str, Any]:
    """What a baseline keeps of a report: what a diff reads."""
    return {key: report[key] for key in (*_KEPT, *_KEPT_ROWS) if key in report}


def _tell(item: pytest.Item, phase: str, found: list[findings.Finding], calls: int) -> None:
    count = item.config.stash[COUNT]
    count[0] += calls
    count[1] += len(findings.at_least(found, "warning"))
    if found:
        texts = "\n".join(f"{one['kernel']}: {findings.describe(one)}" for one in found)
        item.add_report_section(phase, "trainyard", texts)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Writes the baseline where one is asked for; a worker of pytest-xdist hands over its part."""
    path = session.config.getoption("trainyard_write_baseline")
    if path is None:
        return
    timed = session.config.stash[TIMED]
    if (output := getattr(session.config, "workeroutput", None)) is not None:
        output["trainyard"] = json.dumps(timed)
        return
    document = {
        "schema": "trainyard.baseline/1",
        "kernels": sorted(timed, key=lambda one: one["test"]),
    }
    write_whole(path, f"{json.dumps(document, indent=1)}\n".encode())


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Takes what a worker of pytest-xdist timed."""
    timed = getattr(node, "workeroutput", {}).get("trainyard")
    if timed is not None:
        node.config.stash[TIMED] += json.loads(timed)


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """One line, where kernels were run and something is likely wrong."""
    calls, likely = config.stash[COUNT]
    if likely:
        terminalreporter.write_line(
            f"trainyard: {calls} kernel call{'s' if calls != 1 else ''} checked, {likely} "
            f"warning{'s' if likely != 1 else ''} (--trainyard-fail-on warning makes them fail)"
        )
