"""Serving: a million planned requests, decode steps of the exact engine beside the same model in
plain JAX on this CPU, and what the HTTP server adds to a request beside an endpoint that does
nothing.

Run as a script, prints the time and the memory of the million requests as JSON.
"""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from measure import cpu_seconds
from own_process import in_own_process, peak_bytes
from trainyard.serving import exact, llama, models, planned, replicas

BATCH, CONTEXT = 8, 256
ASKED, CLIENTS, TOKENS = 400, 8, 16
GIB = 2**30


def serve_million() -> dict[str, float]:
    """Requests of 128 tokens in the mean, to a 70B on four chips, at a rate that it holds."""
    load = planned.Load(isl=512, osl=128, spread=0.9, requests=1_000_000)
    replica = replicas.build(
        replicas.Asked("llama3-70b", "trn3-gen2", tp=4), 512, 128, load.longest
    )
    begin = time.process_time()
    served = planned.serve(replica, load, rate=12.0)
    seconds = time.process_time() - begin
    made = served.bench["total_output_tokens"]
    return {"seconds": seconds, "tokens": made, "bytes": peak_bytes()}


def million_rows() -> list[dict[str, Any]]:
    found = in_own_process(__file__)
    name = "serving, a million requests planned"
    return [
        {"name": name, "value": found["seconds"], "unit": "CPU s"},
        {
            "name": f"{name}: tokens",
            "value": found["tokens"] / found["seconds"] / 1e6,
            "unit": "M/CPU s",
        },
        {"name": f"{name}: memory", "value": found["bytes"] / GIB, "unit": "GiB"},
    ]


def decode_row() -> dict[str, Any]:
    """Tokens a second, of the exact engine and of the same step function by XLA's CPU compiler."""
    import jax

    model = models.load()
    engine = exact.Engine(model)
    pages = CONTEXT // engine.limits.block_tokens
    rows = [
        exact.Row([5 + i], CONTEXT - 8 - i, range(pages * i, pages * (i + 1))) for i in range(BATCH)
    ]
    engine.decode(rows)
    ours = cpu_seconds(lambda: engine.decode(rows))
    shape = engine.pool_shape
    with jax.default_device(jax.devices("cpu")[0]):
        step = jax.jit(partial(llama.decode, config=model.config))
        weights = {name: jax.numpy.asarray(value) for name, value in model.weights.items()}
        pools = [jax.numpy.zeros(shape, np.float32) for _ in range(2)]
        tables = np.array([list(row.table) for row in rows], np.int32)
        ids, starts = (
            np.array(one, np.int32)
            for one in ([row.ids[0] for row in rows], [row.start for row in rows])
        )
        run = partial(step, weights, *pools, tables, ids, starts)
        jax.block_until_ready(run())
        plain = cpu_seconds(lambda: jax.block_until_ready(run()))
    name = "serving, SmolLM2 decode, batch 8: values and time, beside JAX on this CPU"
    return {"name": name, "value": BATCH / ours, "unit": "tokens/s", "host_limit": BATCH / plain}


class Server:
    """`trainyard serve --planned` in a process of its own."""

    def __init__(self) -> None:
        command = [
            sys.executable,
            "-m",
            "trainyard",
            "serve",
            "llama3-70b",
            "--planned",
            "--tp",
            "4",
        ]
        self._process = subprocess.Popen(
            [*command, "--port", "0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        assert self._process.stdout is not None
        found = re.search(r"127\.0\.0\.1:(\d+)", self._process.stdout.readline())
        assert found, "the server has not started"
        self._port = int(found[1])

    def cpu_seconds(self) -> float:
        """That it has taken, but for its steps."""
        status = Path(f"/proc/{self._process.pid}/stat").read_text(encoding="ascii")
        fields = status.rpartition(")")[2].split()
        taken = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        metrics = self._ask(self.connection(), "GET", "/metrics").decode()
        steps = re.search(r"^trn3_sim_wall_seconds_total\{.*\} (\S+)$", metrics, re.M)
        assert steps
        return taken - float(steps[1])

    def connection(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self._port, timeout=60)

    @staticmethod
    def _ask(connection: Any, method: str, path: str, body: str | None = None) -> bytes:
        connection.request(method, path, body, {"content-type": "application/json"})
        answer = connection.getresponse()
        said = answer.read()
        assert answer.status == 200, said
        return said

    def overhead(self, method: str, path: str, body: dict[str, Any] | None) -> float:
        """Milliseconds of a processor for a request, of several clients at once."""
        text = None if body is None else json.dumps(body)

        def ask() -> None:
            connection = self.connection()
            for _ in range(ASKED // CLIENTS):
                self._ask(connection, method, path, text)

        begin = self.cpu_seconds()
        threads = [threading.Thread(target=ask) for _ in range(CLIENTS)]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
        return 1e3 * (self.cpu_seconds() - begin) / ASKED

    def close(self) -> None:
        self._process.send_signal(signal.SIGTERM)
        self._process.wait(timeout=60)


def overhead_rows() -> list[dict[str, Any]]:
    server = Server()
    body = {"messages": [{"role": "user", "content": "Why is the sky blue?"}], "max_tokens": TOKENS}
    try:
        server.overhead("POST", "/v1/chat/completions", body)  # what is imported at the first
        nothing = server.overhead("GET", "/health", None)
        whole = server.overhead("POST", "/v1/chat/completions", body)
        streamed = server.overhead("POST", "/v1/chat/completions", body | {"stream": True})
    finally:
        server.close()
    name = f"serving, the HTTP server's part of a request of {TOKENS} tokens"
    limit = {"unit": "CPU ms", "host_limit": nothing}
    return [
        {"name": f"{name}: whole", "value": whole} | limit,
        {"name": f"{name}: streamed", "value": streamed} | limit,
    ]


def rows() -> list[dict[str, Any]]:
    return [*million_rows(), decode_row(), *overhead_rows()]


if __name__ == "__main__":
    print(json.dumps(serve_million()))
