"""Prometheus metrics of the server by vLLM's names, in simulated seconds.

`vllm:*_seconds` are of the simulated clock; `trn3_sim_wall_seconds_total` is how long the host
computed. Needs prometheus_client.
"""

from __future__ import annotations

from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from trainyard import _core

SECONDS = (
    *(0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1.0, 2.5, 5.0, 7.5),
    *(10.0, 20.0, 40.0, 80.0, 160.0, 640.0, 2560.0),
)
TOKEN_SECONDS = (
    *(0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1.0, 2.5, 5.0, 7.5, 10.0),
    *(20.0, 40.0, 80.0),
)
LATENCY_SECONDS = (
    *(0.3, 0.5, 0.8, 1.0, 1.5, 2.0, 2.5, 5.0, 10.0, 15.0, 20.0, 30.0, 40.0, 50.0, 60.0, 120.0),
    *(240.0, 480.0, 960.0, 1920.0, 7680.0),
)
TOKENS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000)
STEP_TOKENS = (1, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384)
LABELS = ("model_name", "engine")


class Metrics:
    """One server's registry."""

    def __init__(self, model: str, settings: dict[str, Any], usd_per_hour: float | None) -> None:
        self.registry = CollectorRegistry()
        self._labels = {"model_name": model, "engine": "0"}
        self._usd_per_hour = usd_per_hour
        self.running = self._gauge("vllm:num_requests_running", "in a step")
        self.waiting = self._gauge("vllm:num_requests_waiting", "to be admitted")
        self.cache = self._gauge("vllm:kv_cache_usage_perc", "of its blocks, 1 is all")
        self._counters = {
            name: self._counter(f"vllm:{name}", help)
            for name, help in (
                ("prompt_tokens", "that were computed of prompts"),
                ("generation_tokens", "that were generated"),
                ("num_preemptions", "of running requests"),
                ("prefix_cache_queries", "tokens that were looked for"),
                ("prefix_cache_hits", "tokens that were found"),
                ("admission_rejections", "requests that were refused"),
                ("spec_decode_num_drafts", "rows of a step with guessed tokens"),
                ("spec_decode_num_draft_tokens", "that were guessed"),
                ("spec_decode_num_accepted_tokens", "that were guessed right"),
            )
        }
        self._success = Counter(
            "vllm:request_success",
            "that ended",
            (*LABELS, "finished_reason"),
            registry=self.registry,
        )
        self._histograms = {
            name: self._histogram(f"vllm:{name}", buckets)
            for name, buckets in (
                ("time_to_first_token_seconds", SECONDS),
                ("inter_token_latency_seconds", TOKEN_SECONDS),
                ("request_time_per_output_token_seconds", TOKEN_SECONDS),
                ("e2e_request_latency_seconds", LATENCY_SECONDS),
                ("request_queue_time_seconds", LATENCY_SECONDS),
                ("request_inference_time_seconds", LATENCY_SECONDS),
                ("request_prefill_time_seconds", LATENCY_SECONDS),
                ("request_decode_time_seconds", LATENCY_SECONDS),
                ("request_prompt_tokens", TOKENS),
                ("request_generation_tokens", TOKENS),
                ("request_params_n", (1, 2, 5, 10, 20)),
                ("request_params_max_tokens", TOKENS),
                ("request_num_preemptions", (0, 1, 2, 5, 10)),
                ("iteration_tokens_total", STEP_TOKENS),
            )
        }
        info = Gauge(
            "vllm:cache_config_info",
            "of the KV cache",
            (*LABELS, *settings),
            registry=self.registry,
        )
        info.labels(**self._labels, **{name: str(one) for name, one in settings.items()}).set(1)
        self._simulated = self._counter("trn3_sim_time_seconds", "of the simulated clock, busy")
        self._joules = self._counter("trn3_energy_joules", "of the simulated core")
        self._usd = self._counter("trn3_cost_usd", "of the simulated core while it is busy")
        self._wall = self._counter("trn3_sim_wall_seconds", "of the host, computing steps")
        self.lag = self._gauge("trn3_sim_lag_seconds", "of the host behind its pace")
        self.losses = self._counter("trn3_device_losses", "of the simulated core")
        self.failed_steps = self._counter("trn3_failed_steps", "whose requests were refused")
        self._seen: dict[str, int] = {}

    def _gauge(self, name: str, help: str) -> Any:
        return Gauge(name, help, LABELS, registry=self.registry).labels(**self._labels)

    def _counter(self, name: str, help: str) -> Any:
        return Counter(name, help, LABELS, registry=self.registry).labels(**self._labels)

    def _histogram(self, name: str, buckets: tuple[float, ...]) -> Any:
        words = name.partition(":")[2].replace("_", " ")
        made = Histogram(name, words, LABELS, buckets=buckets, registry=self.registry)
        return made.labels(**self._labels)

    def observe(self, name: str, value: float) -> None:
        """One value of the histogram `vllm:<name>`."""
        self._histograms[name].observe(value)

    def step(self, server: Any, seconds: float, joules: float, wall: float, tokens: int) -> None:
        """After each step: the scheduler's counters, and what the step took."""
        self.look(server)
        if tokens:
            self.observe("iteration_tokens_total", tokens)
        self._wall.inc(wall)
        self.spend(seconds, joules)

    def look(self, server: Any) -> None:
        """At the scheduler's gauges and counters, which requests that end without a step change."""
        scheduler = server.scheduler
        self.running.set(scheduler.running)
        self.waiting.set(scheduler.waiting)
        self.cache.set(scheduler.used_blocks / server.engine.limits.pages)
        counters = scheduler.counters()
        for ours, theirs in (
            ("prompt_tokens", "prompt_tokens"),
            ("generation_tokens", "generated_tokens"),
            ("num_preemptions", "preemptions"),
            ("prefix_cache_queries", "prefix_queries"),
            ("prefix_cache_hits", "prefix_hits"),
            ("admission_rejections", "rejections"),
        ):
            self._counters[ours].inc(counters[theirs] - self._seen.get(theirs, 0))
        self._seen |= counters
        for name, total in (
            ("spec_decode_num_drafts", server.drafts),
            ("spec_decode_num_draft_tokens", server.guessed),
            ("spec_decode_num_accepted_tokens", server.accepted),
        ):
            self._counters[name].inc(total - self._seen.get(name, 0))
            self._seen[name] = total

    def spend(self, seconds: float, joules: float) -> None:
        """The device was busy for so long."""
        self._simulated.inc(seconds)
        self._joules.inc(joules)
        if self._usd_per_hour is not None:
            self._usd.inc(seconds * self._usd_per_hour / 3600)

    def end(self, record: dict[str, Any], reason: str) -> None:
        """A request that ended, with its record."""
        self._success.labels(**self._labels, finished_reason=reason).inc()
        if record["first_token"] < 0:
            return

        def between(first: str, last: str) -> float:
            return (record[last] - record[first]) / _core.TICKS_PER_SECOND

        self.observe("time_to_first_token_seconds", between("arrival", "first_token"))
        self.observe("e2e_request_latency_seconds", between("arrival", "end"))
        self.observe("request_queue_time_seconds", between("arrival", "first_scheduled"))
        self.observe("request_inference_time_seconds", between("first_scheduled", "end"))
        self.observe("request_prefill_time_seconds", between("first_scheduled", "first_token"))
        self.observe("request_decode_time_seconds", between("first_token", "end"))
        if record["output"] > 1:
            mean = between("first_token", "end") / (record["output"] - 1)
            self.observe("request_time_per_output_token_seconds", mean)
        self.observe("request_prompt_tokens", record["prompt"])
        self.observe("request_generation_tokens", record["output"])
        self.observe("request_num_preemptions", record["preemptions"])

    def text(self) -> bytes:
        """For GET /metrics."""
        return generate_latest(self.registry)
