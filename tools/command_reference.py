"""Writes docs/reference/command.md and docs/man/trainyard.1 from the command's own definitions.

  PYTHONPATH=build/release/python python tools/command_reference.py [--check]

With --check it writes nothing and exits with 1 when a page is out of date.
"""

# ruff: noqa: E501  the text is Markdown, whose tables have no other place to break

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from trainyard import __main__, commands
from trainyard.commands import environment, exit_codes
from trainyard.shell import man_page, parsed

ROOT = Path(__file__).resolve().parents[1]

HEAD = """\
# The command trainyard

Made from the command's own definitions by `tools/command_reference.py`; do not edit.

`trainyard COMMAND [options] SCRIPT [arguments of the script]`. A script runs as it does in Python, except that `import nki` is
Trainyard's package; each kernel that it calls is simulated. `FILE.py:KERNEL` runs one kernel instead, on inputs given as

| input | means |
|---|---|
| `NAME=DTYPE[SHAPE]` | random data: `q=bfloat16[128,512]`; standard normal, integers 0 to 99; `bf16`, `fp16`, `fp32`, `tf32` for short |
| `NAME=FILE.npy` | an array in NumPy's format |
| `NAME=DTYPE:FILE.npy` | the same as DTYPE; needed for `bfloat16` and the like, whose name NumPy's format does not keep |
| `NAME=VALUE` | an integer, a float, True, False, None, or else a string |

Quote inputs with brackets, so that the shell does not expand them.

**What goes where.** Results go to stdout; progress, warnings and errors to stderr. With `--json`, stdout is one JSON document, and
what the script prints goes to stderr. If stderr is a terminal, progress is shown once a kernel has run for a second;
`--progress` and `--no-progress` override this. Reports are printed and files written as each kernel call finishes, so Ctrl-C,
SIGTERM, `--timeout` and failures keep those of earlier calls; the first three print the line that the run was at and the iteration of
each loop. A file is written whole or not at all. If a script fails, the traceback shows only the script's own lines;
`TRAINYARD_TRACEBACK=full` in the environment also shows Trainyard's.

## Exit codes

| code | meaning |
|---|---|
"""

ENVIRONMENT = """\
## Environment variables

| variable | meaning |
|---|---|
"""

DOCUMENTS = """\
## JSON documents

The first field, `schema`, is a name and a version. The version rises when a field is removed or changes its meaning.

| schema | of | fields |
|---|---|---|
| `trainyard.results/1` | `run`, `time`, `profile` | `command`; `kernels`: for each finished call `kernel`, `machine`, `instructions` (a list, by core), `findings` (as of `trainyard.check/1`) and, when timed, `time_ns`, `bound`, `report` ([report.md](../formats/report.md)); `warnings`: a list of texts about settings and what-ifs that change no result; `jax`: null, or of a script that ran JAX programs `machine`, `programs` (a list of `name`, `launches`, `device_ns`, `routine_ns`, `joules`, `instructions`, `refusals`, `routines`, `weights_prepared`, `is_part`: computed by the devices of one of `devices`), `devices` (programs of several devices, each once: `name`, `devices`, `is_estimate`: nothing ran, `cost_analysis()` asked, `launches`, `ns`, `computing_ns`, `collectives_ns`, `exposed_ns`, `joules`, `dollars`; of a device `hbm_bytes`, `argument_bytes`, `between_bytes`, `early_bytes`; `held`: what it holds at most, a list of `bytes`, `what`, `place`; `entries`: bodies and collectives, a list of `kind`, `what`, `place`, `count`, `bytes`, `devices`, `stride`, `algorithm`, `busiest`, `busiest_share`, `ns` (alone), `waited_ns`, `on_path_ns`), `device_ns`, `launch_ns`, `copy_ns`, `copies_in`, `copies_out` (`count`, `bytes`); `error`; of `time --baseline`, `baseline` (the fields of `trainyard.diff/1`), and with `--fail-if` `conditions` as there |
| `trainyard.diff/1` | `diff` | `kernels`: for each call that both runs have `kernel`, `kernel_before`, `call`, `time_ns`, `as_written_ns`, `speed_of_light`, `bound`, `notes` (what else differed, as the machine), `waits` (`track`, `reason`, `ns`), `bytes` (`memory`, `direction`, `bytes`), `lines` and `instructions` (`place_before`, `place_after`, `source`, `mnemonics`, `executions`, `busy_ns`, `waiting_ns`, of recorded runs `critical_path_ns`); every number as `before`, `after`, `difference`; `only_before`, `only_after`; `conditions`: a list of `kernel`, `call`, `condition`, `holds`, `value`, `limit`, `why` |
| `trainyard.baseline/1` | the pytest plug-in | `kernels`: for each call `test`, `kernel` and the parts of its `report` that a diff reads |
| `trainyard.check/1` | `check` | `kernels` (how many calls finished), `findings`: a list of `severity`, `category` (of checks at run time), `label`, `rule`, `place`, `found`, `fix`, `count` (how often at the same lines) and `sides`: a list of `role`, `actor`, `what`, `place`, `time_ns`, `run`; `error` |
| `trainyard.checks/1` | `explain` | `checks`: a list of `id`, `family`, `severity`, `stage`, `title`, `rule`, `why`, `source`, `fix`, `example` |
| `trainyard.trace/1` | `report` | `run`, `duration_ns`, `duration_ticks`, `ticks_per_ns`, `bound`, `tracks`, `lines` of [report.md](../formats/report.md) |
| `trainyard.error/1` | any command that fails before it has results | `error` |
| `trainyard.machines/1` | `machine list` | `machines` |
| `trainyard.machine/1` | `machine show` | `name`, `title`, `hash`, `figures`: a list of `key`, `value`, `unit`, `kind`, `source` |
| `trainyard.figure/1` | `machine explain` | `machine`, `figure` |
| `trainyard.fit/1` | `fit` | `model`, `machine`; `serving` and `training`, each with `asked` and `alternatives` (`what`, `plan`, `memory` with its `parts`, `batch_max`) and `workload` |
| `trainyard.comparison/1` | `compare` | `model`, `phase`, `asked`, `machines`: for each `plan`, `workload`, `memory`, `phases`, `price`, `frontier`, `values` (by name `low`, `value`, `high`, `unit`, `moved_by`), `unknown` (keys of figures that nobody has published), with `--exact` `exact` (by phase `parts`, `computing`, `collective`, `seconds`, each also `analytic`, and `notes`; or `why`) and, where layers were simulated, `values` by them, `analytic` (those of the same plan by the analytic model, as are `phases` and `frontier`) and `tried`: the simulated choices, the analytic model's first, a list of `plan`, `workload`, `phases` (by name `computing` and `collective` in seconds, or `why`), `analytic` and `simulated` (values by name), `is_compared`, `is_fast_enough`, `is_chosen`; or `error` |
| `trainyard.names/1` | `compare --list` | `models`, `machines` |
| `trainyard.cost/1` | `cost` | `what`, `values`, `unknown`, `rates` (a list of `key`, `low`, `value`, `high`, `unit`, `kind`, `date`, `source`) |
| `trainyard.claims/1` | `claims` | `claims`: a list of `id`, `claim`, `figure`, `against`, `who`, `how` and `answers`: a list of `method`, `verdict`, `text`, `ours`, `low`, `high`, `unit`, `claimed`, `hinges` |
| `trainyard.compile/1` | `compile` | `functions`: for each `name`, `programs` (how many), `instructions`, `routines`, `weights_prepared` (how many are stored in another format before the first run), `passes` (a list of `pass`, `runs`, `ms`: on this host), `dumps` (a list of `after`, `program`, `text`), `groups` (with `--explain` of each program a list of `operations`, `places`, `mnemonics`, `how`, `begin_ns`, `end_ns`, `busy_ns` by unit, `bound`, `bound_share`, `instructions`, `bytes_read`, `bytes_written`, `alone_ns` (the region alone), `alternatives` (a list of `words`, `ns`: the region alone with another choice)); `error` |
| `trainyard.isa/1` | `isa list` | `instructions` |
| `trainyard.migrate/1` | `migrate` | `written`, `findings`: a list of `line`, `column`, `kind` ("change", "note", "refused"), `old`, `text` |
| `trainyard.instruction/1` | `isa show` | `instruction` |

`error` is null or `kind` (`usage`, `input`, `fault`, `script`, `interrupted`, `timeout`, `terminated`, `output`, `internal`), `exit_code`, `message` (the text that
also goes to stderr) and `violations`: a list of `label`, `rule`, `place`, `found`, `fix`.
"""


def _subparsers(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            return dict(action.choices)
    return {}


def _name(action: argparse.Action) -> str:
    if not action.option_strings:
        return f"`{action.metavar or action.dest}{' ...' if action.nargs == 'A...' else ''}`"
    value = ""
    if action.nargs != 0:
        value = " " + (
            "{" + ",".join(action.choices) + "}"
            if action.choices
            else action.metavar or action.dest.upper()
        )
    return ", ".join(f"`{option}{value}`" for option in action.option_strings)


def _rows(parser: argparse.ArgumentParser) -> Iterator[str]:
    """A table row for each argument, positional ones first."""
    actions = [a for a in parser._actions if not isinstance(a, argparse._HelpAction)]
    for action in sorted(actions, key=lambda a: bool(a.option_strings)):
        if not isinstance(action, argparse._SubParsersAction):
            text = (action.help or "").replace("%%", "%").replace("|", "\\|")
            yield f"| {_name(action)} | {text} |"


def _table(parser: argparse.ArgumentParser) -> list[str]:
    rows = list(_rows(parser))
    return ["", "| argument | meaning |", "|---|---|", *rows] if rows else []


def page() -> str:
    """The whole page."""
    lines = [HEAD.rstrip("\n")]
    lines += [f"| {code} | {meaning} |" for code, meaning in exit_codes.MEANINGS.items()]
    parsers = _subparsers(__main__.make_parser())
    for command in commands.ALL:
        parser = parsers[command.NAME]
        lines += ["", f"## trainyard {command.NAME}", "", parser.description]
        lines += _table(parser)
        for name, action in _subparsers(parser).items():
            lines += ["", f"### trainyard {command.NAME} {name}", "", f"{action.description}"]
            lines += _table(action)
        lines += ["", "```sh"]
        for example, what in command.EXAMPLES:
            lines += [f"# {what}", example]
        lines += ["```"]
    lines += ["", ENVIRONMENT.rstrip("\n")]
    lines += [f"| `{name}` | {meaning} |" for name, meaning in environment.VARIABLES.items()]
    return "\n".join([*lines, "", DOCUMENTS.rstrip("\n"), ""])


def man() -> str:
    """The man page."""
    return man_page.man_page(parsed.command_of(__main__.make_parser()))


PAGES = {ROOT / "docs/reference/command.md": page, ROOT / "docs/man/trainyard.1": man}


def main() -> int:
    """Writes the pages, or checks them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="only say whether it is up to date")
    if not parser.parse_args().check:
        for path, make in PAGES.items():
            path.parent.mkdir(exist_ok=True)
            path.write_text(make())
        return 0
    stale = [
        path for path, make in PAGES.items() if not path.is_file() or path.read_text() != make()
    ]
    for path in stale:
        print(f"{path} is out of date; run: python tools/command_reference.py", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
