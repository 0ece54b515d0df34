"""trainyard serve: an OpenAI API on a simulated chip, on this computer only."""

from __future__ import annotations

import argparse
import importlib.util
import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

import trainyard
from trainyard.commands import exit_codes

NAME = "serve"
HELP = "serve a small model over OpenAI's API, computed on a simulated chip with simulated times"
EXAMPLES = (
    ("trainyard serve", "SmolLM2-135M-Instruct on http://127.0.0.1:8000/v1"),
    (
        "trainyard serve random-2x64 --port 8001 --cache-blocks 256",
        "random weights, at once; another port, a cache of 4,096 tokens",
    ),
)
NEEDS = ("fastapi", "uvicorn", "prometheus_client", "jax")
KEY = "TRAINYARD_API_KEY"
ENCODERS = "of /v1/embeddings: all-MiniLM-L6-v2 or random-encoder-LAYERSxWIDTH; all-MiniLM-L6-v2"
LORA = "an adapter as peft writes it, served as the model NAME; may be repeated"
FAULT = "core@2s=down, for ever, or core@2s=down+500ms, of the simulated clock; may be repeated"
PATIENCE = "for a client to send a request or to read an answer, of the wall clock; 60"
DRAFT = "guess tokens: ngram:TOKENS, or layers-L:TOKENS by the first L layers of the model"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds this subcommand's arguments."""
    add = parser.add_argument
    add(
        "model",
        nargs="?",
        default="SmolLM2-135M-Instruct",
        help="SmolLM2-135M-Instruct, a folder with config.json and safetensors, or "
        "random-LAYERSxWIDTH",
    )
    add(
        "--machine",
        default="trn3",
        help="a machine file or name (trn3); one core of it serves, or --cores",
    )
    add("--port", type=int, default=8000, metavar="N", help="of 127.0.0.1; 8000, 0: a free one")
    add("--dtype", default="float32", help="of the weights: float32 or bfloat16; float32")
    add("--weights", default="", metavar="FORMAT", help="in memory: mxfp8 or mxfp4; as --dtype")
    add("--cache", default="", metavar="FORMAT", help="of the KV cache: fp8_e4m3; as --dtype")
    add("--cores", type=int, default=1, metavar="N", help="that divide the model between them; 1")
    add("--cache-blocks", type=int, default=128, metavar="N", help="of 16 tokens; 128")
    add("--max-num-seqs", type=int, default=8, metavar="N", help="requests in a step; 8")
    add("--context", type=int, default=1024, metavar="TOKENS", help="of a request; 1024")
    add("--queue", type=int, default=2048, metavar="N", help="requests that may wait; 2048")
    add("--embeddings", default="all-MiniLM-L6-v2", metavar="MODEL", help=ENCODERS)
    add("--lora", action="append", default=[], metavar="NAME=FOLDER", help=LORA)
    add("--draft", default="", metavar="HOW", help=DRAFT)
    add("--store", metavar="FILE", help="keep finished answers in FILE, also when it is killed")
    add("--fault", action="append", default=[], metavar="FAULT", help=FAULT)
    add("--patience", type=float, default=60.0, metavar="S", help=PATIENCE)
    add("--swap", action="store_true", help="preempt by copying to the host; else by recomputing")
    add("--timeout", type=float, default=600.0, metavar="S", help="of the wall clock; 600")
    add("--grace", type=int, default=10, metavar="S", help="for answers under way at the end; 10")
    add("--start-after", type=int, default=0, metavar="N", help="stand still until N requests came")
    add("--seed", type=int, default=0, metavar="N", help="of random weights; 0")


def run(options: argparse.Namespace) -> int:
    """Runs the subcommand until it is told to end."""
    _check(options)
    import uvicorn

    from trainyard.serving import exact, losses, models, patience, server

    model = models.load(options.model, options.dtype, options.seed)
    engine = exact.Engine(
        model,
        options.machine,
        _limits(options),
        _adapted(options, model),
        options.cores,
        options.weights,
        options.cache,
    )
    engine.on_compile = lambda text: print(f"trainyard: {text}", file=sys.stderr, flush=True)
    app = server.create_app(
        engine,
        server.Options(
            api_key=os.environ.get(KEY) or None,
            timeout=options.timeout,
            waiting_max=options.queue,
            start_after=options.start_after,
            created=int(time.time()),
            usd_per_hour=_price_of(options),
            encoder=options.embeddings,
            store=Path(options.store) if options.store else None,
            losses=tuple(losses.Loss.parse(text) for text in options.fault),
        ),
    )
    config = uvicorn.Config(
        app,
        host="127.0.0.1",
        http=patience.protocol_of(options.patience),
        port=options.port,
        log_level="warning",
        timeout_graceful_shutdown=options.grace,
        limit_concurrency=options.queue + 64,
        lifespan="on",
    )
    running = _make_server(config, model.name)
    running.run()
    if not running.started:
        return exit_codes.USAGE  # uvicorn has said why, as that the port is taken
    ends = {signal.SIGTERM: exit_codes.TERMINATED, signal.SIGINT: exit_codes.INTERRUPTED}
    return ends.get(running.ended_by, exit_codes.OK)


def _check(options: argparse.Namespace) -> None:
    missing = [name for name in NEEDS if importlib.util.find_spec(name) is None]
    if missing:
        raise trainyard.UsageError(
            f"serve needs {', '.join(missing)}, which is not installed: pip install "
            "'trainyard[serve]'"
        )
    for name, low, high in (
        ("port", 0, 65535),
        ("cache_blocks", 1, 65536),
        ("cores", 1, 128),
        ("max_num_seqs", 1, 128),
        ("context", 32, 1 << 20),
        ("queue", 1, 1 << 20),
        ("start_after", 0, 1 << 20),
        ("grace", 0, 3600),
    ):
        if not low <= (value := getattr(options, name)) <= high:
            raise trainyard.UsageError(
                f"--{name.replace('_', '-')} is {low} to {high}, not {value}"
            )
    for name in ("timeout", "patience"):
        if not 0 < (seconds := getattr(options, name)) <= 1e6:
            raise trainyard.UsageError(f"--{name} is above 0, up to 1e6, not {seconds}")


def _adapted(options: argparse.Namespace, model: Any) -> list[Any]:
    from trainyard.serving import adapters

    named = [adapters.parse(text) for text in options.lora]
    taken = {model.name, options.embeddings}
    for name, _ in named:
        if name in taken:
            raise trainyard.UsageError(f"--lora: the name {name} is taken")
        taken.add(name)
    return [adapters.load(name, folder, model.config) for name, folder in named]


def _limits(options: argparse.Namespace) -> Any:
    from trainyard.serving import drafts, exact

    def doubled(first: int, last: int, times: int) -> tuple[int, ...]:
        found = [first]
        while found[-1] < last:
            found.append(found[-1] * times)
        return tuple(found)

    return exact.Limits(
        blocks=options.cache_blocks,
        batches=tuple(
            min(one, options.max_num_seqs) for one in doubled(1, options.max_num_seqs, 2)
        ),
        contexts=doubled(64, options.context, 4),
        waiting_max=options.queue,
        swaps=options.swap,
        draft=drafts.Draft.parse(options.draft) if options.draft else drafts.Draft(),
    )


def _price_of(options: argparse.Namespace) -> float | None:
    """USD an hour of the cores that serve: physical ones, of which a device of JAX may have two."""
    hourly = price(options.machine)
    if hourly is None or options.cores == 1:
        return hourly
    import jax

    cores = trainyard.load_machine(options.machine).cores
    return hourly * options.cores * cores / len(jax.devices("neuron"))


def price(machine: str) -> float | None:
    """USD an hour of one core: its share of a chip of the system in the price list."""
    from trainyard import _core
    from trainyard.planner.exact import MACHINES

    system = next((name for name, (chip, _) in MACHINES.items() if chip == machine), None)
    if system is None:
        return None
    plan = _core.ReplicaPlan()
    plan.model, plan.machine, plan.tp, plan.dp = "llama3-8b", system, 1, 1
    hourly = _core.describe_replica(plan, 1.0, 2.0)["usd_per_hour"]
    return None if hourly is None else hourly / trainyard.load_machine(machine).cores


def _make_server(config: Any, name: str) -> Any:
    """A server that says where it listens, once it does."""
    import uvicorn

    class Server(uvicorn.Server):
        ended_by = 0

        def handle_exit(self, sig: int, frame: Any) -> None:
            # uvicorn's own would raise the signal again behind an end in good order.
            if self.should_exit and sig == signal.SIGINT:
                self.force_exit = True
            self.should_exit, self.ended_by = True, sig

        async def startup(self, sockets: Any = None) -> None:
            await super().startup(sockets)
            if self.started:
                port = self.servers[0].sockets[0].getsockname()[1]
                print(f"{name} on http://127.0.0.1:{port}/v1 (Ctrl-C ends it)", flush=True)

    return Server(config)
