"""trainyard graph: tensor programs (StableHLO artifacts) as text."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from trainyard.commands import output
from trainyard.commands.actions import Actions

NAME = "graph"
HELP = "show what a StableHLO artifact holds"
EXAMPLES = (
    ("trainyard graph show model.mlirbc", "the program as text, large constants cut short"),
    ("trainyard graph summary model.mlirbc", "its functions and the count of each operation"),
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds this subcommand's arguments."""
    actions = Actions(parser)
    show = actions.add("show", "the program as text")
    show.add_argument("file", help="a StableHLO portable artifact, as jax.export writes it")
    show.add_argument("--full", action="store_true", help="constants in full length")
    show.add_argument("--locations", action="store_true", help="with the source of each operation")
    summary = actions.add_document("summary", "functions, types and counts of operations")
    summary.add_argument("file", help="a StableHLO portable artifact")


def run(options: argparse.Namespace) -> int:
    """Runs the subcommand."""
    from trainyard import graph  # needs NumPy, which other commands start without

    module = graph.read_file(options.file)
    if options.action == "show":
        elements_max = 0 if options.full else 16
        print(module.text(elements_max=elements_max, locations=options.locations), end="")
        return 0
    document = {
        "name": module.name,
        "functions": module.functions(),
        "operations": module.op_counts(),
    }
    return output.show(options.json, "trainyard.graph/1", {"module": document}, _lines(document))


def _lines(document: dict) -> Iterator[str]:
    yield f"module {document['name']}"
    for function in document["functions"]:
        inputs, outputs = ", ".join(function["inputs"]), ", ".join(function["outputs"])
        yield f"  {function['name']}({inputs}) -> ({outputs})"
    yield "operations:"
    for name, count in sorted(document["operations"].items(), key=lambda item: -item[1]):
        yield f"  {count:6}  {name}"
