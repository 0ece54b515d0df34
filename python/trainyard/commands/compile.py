"""trainyard compile: what the compiler makes of tensor programs, pass by pass."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import trainyard
from trainyard import alternatives, compilations, explanations
from trainyard.commands import output, scripts
from trainyard.compilations import Collector, Compilation, Dump, prepared_note
from trainyard.files import write_whole
from trainyard.product_ways import DividedFunction

NAME = "compile"
HELP = "compile tensor programs, and show what each pass of the compiler does"
EXAMPLES = (
    ("trainyard compile model.mlir", "what a StableHLO program becomes"),
    (
        "trainyard compile --dump-after recognize-functions --only layer script.py",
        "what the pass left of one function that the script hands to jax.jit",
    ),
    ("trainyard compile --time-passes model.mlir", "where compiling spends its time"),
    (
        "trainyard compile --explain --only layer script.py",
        "where the function's time goes by fused operations, and why it is tiled so",
    ),
    (
        "trainyard compile --emit binary --output model.typrog model.mlir",
        "the program in a file, for trainyard isa disassemble",
    ),
)
SUFFIXES = {"module": ".mlir", "program": ".txt", "binary": ".typrog"}


class _ListPasses(argparse.Action):
    """Prints the passes and ends, as --help does."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        print("\n".join(_list()))
        parser.exit()


class _Legality(argparse.Action):
    """Prints what becomes of each operation and ends, as --help does."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        from trainyard import legality

        print("\n".join(legality.lines()))
        parser.exit()


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds this subcommand's arguments."""
    parser.add_argument(
        "--list-passes", nargs=0, action=_ListPasses, help="print the passes in order, and end"
    )
    parser.add_argument(
        "--legality",
        nargs=0,
        action=_Legality,
        help="print what becomes of each operation of StableHLO on each type of elements, and end",
    )
    parser.add_argument(
        "--dump-after",
        action="append",
        default=[],
        metavar="PASS",
        help="print the program as this pass leaves it: StableHLO, or instructions; 'all': behind "
        "every pass; up to the pass that fails, if one does; may be repeated",
    )
    parser.add_argument(
        "--time-passes", action="store_true", help="print how long each pass took on this host"
    )
    parser.add_argument(
        "--emit",
        choices=tuple(SUFFIXES),
        help="print what is lowered (StableHLO) or the compiled programs, or write these in their "
        "binary form (docs/formats/program.md)",
    )
    parser.add_argument(
        "--output",
        metavar="FILE",
        help="where --emit writes; of several programs, the later ones get a number",
    )
    parser.add_argument(
        "--explain",
        action="store_true",
        help="run it on the simulated machine, and print for each group of fused operations its "
        "time, the unit that bounds it, its bytes, why its tiles are as they are, and what other "
        "choices of the compiler would take; of programs for several devices also what each "
        "product of matrices would take if it were divided otherwise",
    )
    parser.add_argument(
        "--no-alternatives",
        dest="alternatives",
        action="store_false",
        help="of --explain: leave out what groups would take if the compiler chose otherwise, for "
        "which each kind of region is timed alone in every way",
    )
    parser.add_argument(
        "--only",
        metavar="FUNCTION",
        help="of a script: this function alone, by its name (layer, or jit_layer as JAX calls it)",
    )
    scripts.add_arguments(parser)


def run(options: argparse.Namespace) -> int:
    """Runs the subcommand."""
    _check(options)
    collector = Collector(options.dump_after, options.explain)
    try:
        outcome = scripts.execute(
            options, compiles=collector, checks=False, timed=options.explain, record=options.explain
        )
    except trainyard.InputError:  # of a program in a file
        if not options.json:
            _print_unfinished(collector.unfinished())
        raise
    unfinished = collector.unfinished() if outcome.failure else []
    chosen = _chosen(collector.compilations, options.only, failed=outcome.failure is not None)
    if options.emit and options.output:
        _write(options, chosen)
    divided = _divided(collector, options)
    if options.explain and options.alternatives:
        for each in (*chosen, *divided):
            each.look_for_alternatives()
    if options.json:
        error = outcome.failure.as_dict() if outcome.failure else None
        functions = [each.as_dict() for each in chosen]
        dumps = [each.as_dict() for each in unfinished]
        output.write_json(
            "trainyard.compile/1",
            {
                "functions": functions,
                "divided": [each.as_dict() for each in divided],
                "dumps_of_failed": dumps,
                "error": error,
            },
        )
    else:
        for each in chosen:
            print("\n".join(_shown(options, each)))
        for each in divided:
            print("\n".join(each.lines()), end="\n" if each.products else "")
        _print_unfinished(unfinished)
        _tell_passes_that_did_not_run(options.dump_after, chosen, unfinished)
    outcome.complain()
    return outcome.code


def _tell_passes_that_did_not_run(
    wanted: list[str], compiled: list[Compilation], unfinished: list[Dump]
) -> None:
    ran = {dump.after for each in compiled for dump in each.dumps}
    ran |= {dump.after for dump in unfinished}
    if missing := [name for name in wanted if name != "all" and name not in ran]:
        names = ", ".join(missing)
        print(f"trainyard: of these programs none goes through {names}", file=sys.stderr)


def _check(options: argparse.Namespace) -> None:
    names = [each.name for each in compilations.passes()]
    for wanted in options.dump_after:
        if wanted not in (*names, "all"):
            raise trainyard.UsageError(
                f"there is no pass {wanted}; there are: {', '.join(names)}", "dump_after"
            )
    if ".py:" in options.script:
        raise trainyard.UsageError(
            "tensor programs are compiled here; a kernel's program is written by "
            "trainyard run --save-programs DIR FILE:KERNEL"
        )
    if options.output and not options.emit:
        raise trainyard.UsageError("--output is where --emit writes: add --emit binary, for one")
    if options.emit == "binary" and not options.output:
        raise trainyard.UsageError("--emit binary needs --output FILE")


def _chosen(compiled: list[Compilation], only: str | None, *, failed: bool) -> list[Compilation]:
    if failed:
        return [each for each in compiled if only is None or each.name in (only, f"jit_{only}")]
    if not compiled:
        raise trainyard.UsageError(
            "no tensor program was compiled: the script hands none to jax.jit"
        )
    if only is None:
        return compiled
    chosen = [each for each in compiled if each.name in (only, f"jit_{only}")]
    if not chosen:
        names = dict.fromkeys(each.name for each in compiled)
        raise trainyard.UsageError(f"there is no function {only}; there are: {', '.join(names)}")
    return chosen


def _divided(collector: Collector, options: argparse.Namespace) -> list[DividedFunction]:
    """The functions that were divided over several devices, each once."""
    found = {each.name: each for each in collector.divided}
    wanted = (options.only, f"jit_{options.only}")
    return [each for name, each in found.items() if options.only is None or name in wanted]


def _list() -> Iterator[str]:
    passes = compilations.passes()
    width = max(len(each.name) for each in passes)
    for of, text in (("module", "on the tensor program"), ("program", "on each program")):
        yield f"{text}:"
        yield from (f"  {p.name:<{width}}  {p.summary}" for p in passes if p.of == of)


def _shown(options: argparse.Namespace, compiled: Compilation) -> Iterator[str]:
    yield from _dumped(compiled.dumps)
    if options.emit and not options.output:
        yield "\n".join(_texts(options.emit, compiled))
    if options.time_passes:
        yield from _times(compiled)
    for number, groups in enumerate(compiled.explained):
        part = f" (program {number})" if len(compiled.explained) > 1 else ""
        yield from explanations.lines(f"{compiled.name}{part}", groups, alternatives.lines)
    if compiled.explained and (note := compilations.shares_note(compiled.shares)):
        yield f"  values between operations {note}"
    if not (options.dump_after or options.emit or options.time_passes or options.explain):
        yield _summary(compiled)


def _dumped(dumps: list[Dump]) -> Iterator[str]:
    """Each text, once: passes often leave a program as it was."""
    before = ""
    for dump in dumps:
        head = f"// --- after {dump.after}: {dump.program}"
        yield f"{head}, unchanged" if dump.text == before else f"{head}\n{dump.text}"
        before = dump.text


def _print_unfinished(dumps: list[Dump]) -> None:
    if dumps:
        print("\n".join(_dumped(dumps)), flush=True)


def _summary(compiled: Compilation) -> str:
    routines = ", ".join(f"{operation} ({place})" for operation, _, place in compiled.routines)
    return (
        f"{compiled.name}: {output.count(len(compiled.programs), 'program')}, "
        f"{output.count(compiled.instructions, 'instruction')}, compiled in "
        f"{compiled.milliseconds:.1f} ms"
        + (f"; routines of GpSimd: {routines}" if routines else "")
        + (f"; {prepared_note(compiled.prepared)}" if compiled.prepared else "")
    )


def _times(compiled: Compilation) -> Iterator[str]:
    total = compiled.milliseconds
    yield f"{compiled.name}: {total:.2f} ms in passes on this host"
    yield f"  {'pass':<22} {'runs':>5} {'ms':>10} {'share':>8}"
    for name, runs, ms in compiled.times:
        yield f"  {name:<22} {runs:5} {ms:10.3f} {100 * ms / total if total else 0:6.1f} %"


def _texts(kind: str, compiled: Compilation) -> list[str]:
    if kind == "module":
        return [compiled.module]
    return [text for text, _ in compiled.programs]


def _write(options: argparse.Namespace, chosen: list[Compilation]) -> None:
    contents: list[bytes] = []
    for each in chosen:
        if options.emit == "binary":
            contents += [binary for _, binary in each.programs]
        else:
            contents += [text.encode() for text in _texts(options.emit, each)]
    first = Path(options.output)
    for number, content in enumerate(contents):
        path = first.with_suffix(f".{number}{first.suffix}") if number else first
        write_whole(path, content)
        print(f"wrote {path}", file=sys.stderr)
