"""trainyard serve: an OpenAI API on simulated chips, on this computer only."""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import re
import signal
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import trainyard
from trainyard.commands import exit_codes

NAME = "serve"
HELP = "serve a model over OpenAI's API with simulated times: a small one computed, any planned"
EXAMPLES = (
    ("trainyard serve", "SmolLM2-135M-Instruct on http://127.0.0.1:8000/v1"),
    (
        "trainyard serve random-2x64 --port 8001 --cache-blocks 256",
        "random weights, at once; another port, a cache of 4,096 tokens",
    ),
    (
        "trainyard serve llama3-70b --planned --on trn3-gen2 --tp 4 --pace real",
        "times of a 70B on four chips, as they pass; the tokens are placeholders",
    ),
)
NEEDS = ("fastapi", "uvicorn", "prometheus_client")
KEY = "TRAINYARD_API_KEY"
ENCODERS = "of /v1/embeddings: all-MiniLM-L6-v2 or random-encoder-LAYERSxWIDTH; all-MiniLM-L6-v2"
LORA = "an adapter as peft writes it, served as the model NAME; may be repeated"
FAULT = (
    "core@2s=down, for ever, or core@2s=down+500ms, of the simulated clock; of several replicas "
    "replica:1@2s=down; may be repeated"
)
READERS = "replicas besides, which read prompts and send the cache to the others; 0"
PATIENCE = "for a client to send a request or to read an answer, of the wall clock; 60"
ORIGINS = "of web pages whose scripts may ask: http://localhost:3000, several, or *; none"
HOST_US = "of the simulated clock, that the host's scheduler takes in each step; 0"
PACE = "give tokens as their time passes: real, or a factor of it; at once without"
EP = "whole experts on each core: yes, no, auto (the faster); no, planned auto"
EP_FLAG = "--ep yes, as vLLM calls it"
TP = "chips, or cores of a computed model, that divide it; planned the planner's choice"
DP = "groups of tp that have requests of their own and share the experts; likewise"
DRAFT = "guess tokens: ngram:TOKENS, or layers-L:TOKENS by the first L layers of the model"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds this subcommand's arguments."""
    add = parser.add_argument
    add(
        "model",
        nargs="?",
        default="SmolLM2-135M-Instruct",
        help="SmolLM2-135M-Instruct, a folder with config.json and safetensors, or "
        "random-LAYERSxWIDTH; with --planned a name (trainyard compare --list) or a config.json",
    )
    add("--port", type=int, default=8000, metavar="N", help="of 127.0.0.1; 8000, 0: a free one")
    add("--served-model-name", metavar="NAME", help="that clients know the model by; its own")
    add(
        "--weights", default="", metavar="FORMAT", help="in memory: fp8, mxfp8 or mxfp4; as --dtype"
    )
    add("--cache", default="", metavar="FORMAT", help="of the KV cache: fp8_e4m3; as --dtype")
    add("--max-num-seqs", type=int, metavar="N", help="requests in a step; 8, planned 256")
    add("--tp", "--tensor-parallel-size", type=int, metavar="N", help=TP)
    add("--dp", "--data-parallel-size", type=int, metavar="N", help=DP)
    add("--ep", metavar="HOW", help=EP)
    flag = "--enable-expert-parallel"
    add(flag, action="store_const", const="yes", dest="ep", help=EP_FLAG)
    add("--context", type=int, metavar="TOKENS", help="of a request; 1024, planned 8192")
    add("--queue", type=int, default=2048, metavar="N", help="requests that may wait; 2048")
    add("--replicas", type=int, default=1, metavar="N", help="of the model, behind a router; 1")
    add("--readers", type=int, default=0, metavar="N", help=READERS)
    add("--routing", default="least", metavar="HOW", help="least, round-robin, random or prefix")
    add("--pace", metavar="HOW", help=PACE)
    add("--allowed-origins", metavar="ORIGINS", help=ORIGINS)
    add("--store", metavar="FILE", help="keep finished answers in FILE, also when it is killed")
    add("--fault", action="append", default=[], metavar="FAULT", help=FAULT)
    add("--host-us", type=float, default=0.0, metavar="US", help=HOST_US)
    add("--patience", type=float, default=60.0, metavar="S", help=PATIENCE)
    add("--swap", action="store_true", help="preempt by copying to the host; else by recomputing")
    add("--timeout", type=float, default=600.0, metavar="S", help="of the wall clock; 600")
    add("--grace", type=int, default=10, metavar="S", help="for answers under way at the end; 10")
    add("--start-after", type=int, default=0, metavar="N", help="stand still until N requests came")
    _add_computed(parser.add_argument_group("of a model that is computed").add_argument)
    _add_planned(parser.add_argument_group("of one that is planned").add_argument)


def _add_computed(add: Any) -> None:
    add("--machine", help="a machine file or name (trn3); one core of it serves, or --cores")
    add("--dtype", help="of the weights: float32 or bfloat16; float32")
    add("--cores", type=int, metavar="N", help="that divide the model between them; 1")
    add("--chips", type=int, metavar="N", help="whose devices --cores are; 1")
    add("--cache-blocks", type=int, metavar="N", help="of 16 tokens; 128")
    add("--embeddings", metavar="MODEL", help=ENCODERS)
    add("--lora", action="append", default=[], metavar="NAME=FOLDER", help=LORA)
    add("--draft", metavar="HOW", help=DRAFT)
    add("--seed", type=int, metavar="N", help="of random weights; 0")


def _add_planned(add: Any) -> None:
    add("--planned", action="store_true", help="times of any model; its tokens are placeholders")
    add("--on", metavar="MACHINE", help="one of the compared machines; trn3-gen2")
    add("--tokenizer", metavar="FILE", help="tokenizer.json, to count a prompt's tokens by")
    add("--answer-tokens", type=int, metavar="N", help="after which an answer ends; 256")
    add("--price", metavar="BASIS", help="own, on_demand, spot, contract, ...; own")


def run(options: argparse.Namespace) -> int:
    """Runs the subcommand until it is told to end."""
    _check_installed(NEEDS if options.planned else (*NEEDS, "jax"))
    import uvicorn

    from trainyard.serving import engines, losses, pace, patience, server

    engines.complete(options)
    _check(options)
    lost = tuple(losses.Loss.parse(text) for text in options.fault)
    losses.check(lost, options.replicas + options.readers)
    clock = pace.Pace.parse(options.pace) if options.pace else None
    engine: Any
    if options.planned:
        engine = engines.planned(options)
        usd, name = engine.usd_per_hour, engine.told
    else:
        engine = engines.computed(options)
        usd, name = engines.price_of(options), engine.model.name
        if clock:
            engines.check_pace(engine, clock)
    app = server.create_app(
        engine,
        server.Options(
            api_key=os.environ.get(KEY) or None,
            timeout=options.timeout,
            waiting_max=options.queue,
            start_after=options.start_after,
            created=int(time.time()),
            usd_per_hour=usd,
            encoder=options.embeddings or "",
            store=Path(options.store) if options.store else None,
            losses=lost,
            replicas=options.replicas,
            readers=options.readers,
            routing=options.routing,
            pace=clock,
            origins=origins_of(options.allowed_origins),
        ),
    )
    if options.replicas > 1 or options.readers:
        name = f"{name}, {options.replicas} replica{'s'[: options.replicas > 1]}"
    if options.readers:
        name = f"{name}, {options.readers} reader{'s'[: options.readers > 1]} of prompts"
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
    running = _make_server(config, name)
    running.run()
    if not running.started:
        return exit_codes.USAGE  # uvicorn has said why, as that the port is taken
    ends = {signal.SIGTERM: exit_codes.TERMINATED, signal.SIGINT: exit_codes.INTERRUPTED}
    return ends.get(running.ended_by, exit_codes.OK)


def _check_installed(names: Sequence[str]) -> None:
    missing = [name for name in names if importlib.util.find_spec(name) is None]
    if missing:
        raise trainyard.UsageError(
            f"serve needs {', '.join(missing)}, which is not installed: pip install "
            "'trainyard[serve]'"
        )


def _check(options: argparse.Namespace) -> None:
    from trainyard.serving import bounds, encoder, several

    bounds.check("host_us", options.host_us, "--host-us")
    for name, low, high in (
        ("port", 0, 65535),
        ("cache_blocks", 1, 65536),
        ("cores", 1, 1152),
        ("tp", 1, 1152),
        ("dp", 1, 1152),
        ("chips", 1, 288),
        ("max_num_seqs", 1, 4096 if options.planned else 128),
        ("answer_tokens", 1, 1 << 20),
        ("context", 32, 1 << 20),
        ("replicas", 1, 256),
        ("readers", 0, 256),
        ("queue", 1, 1 << 20),
        ("start_after", 0, 1 << 20),
        ("grace", 0, 3600),
        ("seed", 0, 2**63 - 1),
    ):
        if (value := getattr(options, name)) is not None and not low <= value <= high:
            raise trainyard.UsageError(
                f"--{name.replace('_', '-')} is {low} to {high}, not {value}"
            )
    if options.embeddings not in (None, encoder.DEFAULT) and not encoder.is_there(
        options.embeddings
    ):
        raise trainyard.UsageError(f"--embeddings is {encoder.FORMS}, not {options.embeddings}")
    if options.routing not in several.ROUTINGS:
        raise trainyard.UsageError(
            f"--routing is {', '.join(several.ROUTINGS)}, not {options.routing}"
        )
    for name in ("timeout", "patience"):
        if not 0 < (seconds := getattr(options, name)) <= 1e6:
            raise trainyard.UsageError(f"--{name} is above 0, up to 1e6, not {seconds}")


def origins_of(text: str | None) -> tuple[str, ...]:
    """Of --allowed-origins: with commas between, or the JSON list that vLLM takes. Raises
    UsageError."""
    if text is None:
        return ()
    try:
        found = json.loads(text) if text.startswith("[") else text.split(",")
    except ValueError:
        found = []
    for one in found or [text]:
        if not isinstance(one, str) or not re.fullmatch(r"\*|[a-z][a-z0-9+.-]*://[^/\s,*]+", one):
            raise trainyard.UsageError(
                "--allowed-origins is *, or scheme://host:port without a path, with commas "
                f"between several, not {text}"
            )
    return tuple(found)


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
