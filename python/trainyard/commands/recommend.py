"""trainyard recommend: how many chips of which machine a service needs."""

from __future__ import annotations

import argparse

from trainyard.commands import exit_codes, given, output

NAME = "recommend"
HELP = "say how many chips of each machine a service needs, which is cheapest, and why not fewer"
EXAMPLES = (
    (
        "trainyard recommend llama3-70b --users 10000 --slo tpot=30ms,ttft=500ms",
        "every machine for a chat service with 20 questions an hour from each user",
    ),
    (
        "trainyard recommend deepseek-v3 --on trn3-gen2,gb300-nvl72 --users 100000 --isl 4096 "
        "--osl 512 --cache fp8 --drafts 1 --acceptance 0.8",
        "wide expert parallelism, a cache in fp8, one token drafted of which 80 % are taken",
    ),
    (
        "trainyard recommend llama3-70b --on trn2,h100 --rate 50 --power-cap 100 --aggregated",
        "within 100 kW, prompts and decoding on the same chips",
    ),
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds this subcommand's arguments."""
    add = parser.add_argument
    add("model", help="a name (see trainyard compare --list) or a config.json")
    add("--on", default="", metavar="A,B,C", help="the machines; all")
    add("--users", type=float, metavar="N", help="of the service")
    add("--questions-per-hour", type=float, default=20.0, metavar="N", help="of each user; 20")
    add("--rate", type=float, metavar="N", help="requests a second, in place of users")
    add("--slo", default="ttft=500ms,tpot=30ms", help="limits of a request: ttft and tpot")
    add("--share", type=float, metavar="N", help="of requests that keep them; 0.99")
    add("--isl", type=float, default=1024, metavar="TOKENS", help="of a prompt; 1024")
    add("--osl", type=float, default=128, metavar="TOKENS", help="of an answer; 128")
    add("--weights", metavar="FORMAT", help="bf16, fp8 or fp4")
    add("--cache", metavar="FORMAT", help="of the KV cache: bf16, fp8 or fp4; bf16")
    add("--tp", type=int, metavar="N", help="chips that share each layer; else all are tried")
    add("--dp", type=int, metavar="N", help="groups that share the experts; else all are tried")
    add("--chunk", type=float, metavar="TOKENS", help="of a prompt in a step; 512")
    add("--max-num-seqs", type=float, metavar="N", help="requests at once in a group; 256")
    add("--drafts", type=float, metavar="N", help="tokens drafted in a step; 0")
    add("--acceptance", type=float, metavar="P", help="of a drafted token; 0")
    ways = parser.add_mutually_exclusive_group()
    ways.add_argument(
        "--disaggregated", action="store_true", help="prompts on replicas of their own; else both"
    )
    ways.add_argument("--aggregated", action="store_true", help="never so")
    add("--power-cap", type=float, metavar="KW", help="that all chips may draw from the grid")
    add("--price", metavar="BASIS", help="own, on_demand, spot, contract, ...; own")
    add("--region", metavar="NAME", help="a region of the price list")
    add("--set", action="append", metavar="KEY=NUMBER", dest="settings", help="override a figure")
    add("--json", action="store_true", help="machine-readable output")
    parser.set_defaults(names={"input": "isl", "output": "osl", "requests_max": "max_num_seqs"})


def run(options: argparse.Namespace) -> int:
    """Runs the subcommand."""
    from trainyard.planner import recommendations

    given.check_ranges(options, {"rate": (1e-9, 1e9), "power_cap": (1e-6, 1e12)})
    asked = {
        name: value
        for name in ("share", "weights", "cache", "tp", "dp", "chunk", "drafts", "acceptance")
        if (value := getattr(options, name)) is not None
    }
    found = recommendations.recommend(
        options.model,
        options.on,
        options.users,
        options.slo,
        options.questions_per_hour,
        options.rate,
        None if options.power_cap is None else 1e3 * options.power_cap,
        True if options.disaggregated else False if options.aggregated else None,
        input=options.isl,
        output=options.osl,
        requests_max=options.max_num_seqs,
        price=options.price,
        region=options.region,
        settings=options.settings,
        **asked,
    )
    if options.json:
        output.write_json("trainyard.recommendation/1", found.as_dict())
    else:
        print(found)
    return exit_codes.OK if found.fewest else exit_codes.DOES_NOT_FIT
