"""What a run of the server is measured by, in the names and the JSON of `vllm bench serve`.

TTFT: from the arrival to the first token. TPOT excludes the first token:
(latency - TTFT) / (tokens - 1). ITL: between two tokens. All of the simulated clock.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from trainyard import _core
from trainyard.usage import UsageError

PERCENTILES = (50, 90, 95, 99)
FINISHED, REJECTED = 3, 5  # as serving::State has them
UNITS = {"": 1e-3, "ms": 1e-3, "s": 1.0, "us": 1e-6}


@dataclass(frozen=True)
class Slo:
    """What a request must keep to count: seconds at most, None where nothing is asked."""

    ttft: float | None = None
    tpot: float | None = None
    e2el: float | None = None

    @staticmethod
    def parse(text: str) -> Slo:
        """Of "ttft=500ms,tpot=30ms", or "ttft:500 tpot:30" (ms) as vLLM has it."""
        found: dict[str, float] = {}
        for word in re.split(r"[,\s]+", text.strip()):
            match = re.fullmatch(r"(ttft|tpot|e2el)[=:]([0-9.]+)(ms|us|s|)", word)
            if not match or match[1] in found or not _is_number(match[2]):
                raise UsageError(
                    f"{word!r} is no service level: write ttft=500ms,tpot=30ms, or e2el=10s",
                    "slo",
                )
            found[match[1]] = float(match[2]) * UNITS[match[3]]
        return Slo(**found)

    def __str__(self) -> str:
        parts = {name: one for name, one in vars(self).items() if one is not None}
        return ", ".join(f"{name} <= {one * 1e3:g} ms" for name, one in parts.items()) or "none"


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text)) and float(text) > 0
    except ValueError:
        return False


class Records:
    """The records of requests as arrays, times in seconds."""

    def __init__(self, columns: dict[str, tuple[str, bytes]]) -> None:
        self.columns = {name: np.frombuffer(held, kind) for name, (kind, held) in columns.items()}
        done = self.columns["state"] == FINISHED
        self.completed = int(done.sum())
        self.failed = int((~done).sum())
        self.arrival, first, self.end = (
            self.columns[name][done] / _core.TICKS_PER_SECOND
            for name in ("arrival", "first_token", "end")
        )
        self.queue = self.columns["first_scheduled"][done] / _core.TICKS_PER_SECOND - self.arrival
        self.prompt, self.output = (self.columns[name][done] for name in ("prompt", "output"))
        self.ttft = first - self.arrival
        self.e2el = self.end - self.arrival
        several = self.output > 1
        self.tpot = (self.end - first)[several] / (self.output[several] - 1)
        self._several = several

    def good(self, slo: Slo) -> int:
        """Requests that keep all that is asked; one that failed does not."""
        keeps = np.ones(self.completed, bool)
        if slo.ttft is not None:
            keeps &= self.ttft <= slo.ttft
        if slo.e2el is not None:
            keeps &= self.e2el <= slo.e2el
        if slo.tpot is not None:
            keeps[self._several] &= self.tpot <= slo.tpot
        return int(keeps.sum())

    @property
    def most_at_once(self) -> int:
        """Requests between arrival and end at the same time."""
        if not self.completed:
            return 0
        moments = np.concatenate([self.arrival, self.end])
        steps = np.concatenate([np.ones(self.completed), -np.ones(self.completed)])
        order = np.lexsort((steps, moments))
        return int(np.cumsum(steps[order]).max())


def bench(run: Any, slo: Slo, detailed: bool = False) -> dict[str, Any]:
    """A run of the planned engine as `vllm bench serve --save-result` writes it."""
    records = Records(run.records())
    start = records.arrival.min() if records.completed else 0.0
    duration = run.end / _core.TICKS_PER_SECOND - start
    read, written = int(records.prompt.sum()), int(records.output.sum())
    result: dict[str, Any] = {
        "duration": duration,
        "completed": records.completed,
        "failed": records.failed,
        "total_input_tokens": read,
        "total_output_tokens": written,
        "request_throughput": records.completed / duration,
        "request_goodput": records.good(slo) / duration,
        "output_throughput": written / duration,
        "total_token_throughput": (read + written) / duration,
        "max_output_tokens_per_s": float(run.tokens_per_second_max),
        "max_concurrent_requests": records.most_at_once,
    }
    for name, values in (("ttft", records.ttft), ("tpot", records.tpot)):
        result |= spread(name, values)
    result |= _gaps(run)
    result |= spread("e2el", records.e2el)
    if detailed:
        result["input_lens"], result["output_lens"] = (
            column.tolist() for column in (records.prompt, records.output)
        )
        result["start_times"] = records.arrival.tolist()
        result["ttfts"], result["latencies"] = records.ttft.tolist(), records.e2el.tolist()
    return result


def spread(name: str, seconds: np.ndarray) -> dict[str, float]:
    """Mean, median, deviation and percentiles in milliseconds; 0 of nothing, as vLLM has it."""
    ms = seconds * 1e3 if len(seconds) else np.zeros(1)
    found = {"mean": ms.mean(), "median": np.median(ms), "std": ms.std()}
    found |= {f"p{share}": np.percentile(ms, share) for share in PERCENTILES}
    return {f"{key}_{name}_ms": float(value) for key, value in found.items()}


def _gaps(run: Any) -> dict[str, float]:
    per_ms = _core.TICKS_PER_SECOND / 1e3
    found = {
        "mean": run.gap_mean,
        "median": run.gap_quantile(0.5),
        "std": run.gap_deviation,
    } | {f"p{share}": run.gap_quantile(share / 100) for share in PERCENTILES}
    return {f"{key}_itl_ms": ticks / per_ms for key, ticks in found.items()}


def block(result: dict[str, Any]) -> list[str]:
    """The block "Serving Benchmark Result" that vLLM prints."""
    lines = [f"{' Serving Benchmark Result ':=^50}"]
    counts = (
        ("Successful requests:", "completed", "d"),
        ("Failed requests:", "failed", "d"),
        ("Benchmark duration (s):", "duration", ".2f"),
        ("Total input tokens:", "total_input_tokens", "d"),
        ("Total generated tokens:", "total_output_tokens", "d"),
        ("Request throughput (req/s):", "request_throughput", ".2f"),
        ("Request goodput (req/s):", "request_goodput", ".2f"),
        ("Output token throughput (tok/s):", "output_throughput", ".2f"),
        ("Peak output token throughput (tok/s):", "max_output_tokens_per_s", ".2f"),
        ("Peak concurrent requests:", "max_concurrent_requests", "d"),
        ("Total token throughput (tok/s):", "total_token_throughput", ".2f"),
    )
    lines += [f"{title:<40} {result[name]:<{form}}" for title, name, form in counts]
    for name, title in (
        ("ttft", "Time to First Token"),
        ("tpot", "Time per Output Token (excl. 1st token)"),
        ("itl", "Inter-token Latency"),
        ("e2el", "End-to-end Latency"),
    ):
        lines.append(f"{title:-^50}")
        for key in ("mean", "median", "p99"):
            label = f"{key.capitalize()} {name.upper()} (ms):"
            lines.append(f"{label:<40} {result[f'{key}_{name}_ms']:<.2f}")
    return [*lines, "=" * 50]
