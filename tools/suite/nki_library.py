"""What nki-library's own simulation mode needs besides Trainyard; nothing in its tree changes.

Its harness imports a simulator under the name nki_cpu_simulator (glue/ has it, as an alias of our
nki), tools of AWS that no numeric test uses (stubs), and two modules that are not in the
repository (stubs too).
"""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from suite import drawing, kept, nki_library_data, nki_library_ranks, nki_library_references, stubs

_TOOLS = (
    "aws_embedded_metrics",
    "boto3",
    "botocore",
    "debugpy",
    "fabric2",
    "paramiko",
    "plotext",
    "pytest_html",
)
_NOT_PUBLISHED = ("test.utils.perf_analysis_private", "test.utils.scripts")


def arguments(checkout: str, orders: dict[str, Any]) -> list[str]:
    """The options of its test program."""
    scratch = Path(orders["scratch"])
    if orders["all"]:
        os.environ["NKILIB_SIMULATION_RUN_ALL"] = "1"
    return [
        "-c",
        f"{checkout}/test/pytest.ini",
        "-o",
        f"artifacts_dir={scratch / 'artifacts'}",
        f"--output-directory={scratch / 'output'}",
        "--test-mode=simulation",
        f"--platform-target={orders['machine']}",
        "--force-local-cleanup",
    ]


def left_out(item: pytest.Item) -> bool:
    """Whether its default subset leaves the case out as slow."""
    return any(
        "slow simulation test" in str(mark.kwargs.get("reason", ""))
        for mark in item.iter_markers("skip")
    )


class _Mend:
    """Gives the harness what its simulation mode reads but never sets (a defect of tag 2.29)."""

    @pytest.hookimpl(trylast=True)
    def pytest_configure(self, config: pytest.Config) -> None:
        from test.utils.test_orchestrator import Orchestrator

        if not hasattr(Orchestrator, "_compiled_kernel"):
            Orchestrator._compiled_kernel = None
        # Files of the inputs, for a machine elsewhere: gigabytes, and nothing here reads them.
        Orchestrator.__dump_kernel_inputs__ = lambda *_: {}
        single = Orchestrator._run_simulator_inference
        Orchestrator._run_simulator_inference = nki_library_ranks.of_ranks(single)
        store = kept.Store()
        drawing.install(store)
        nki_library_data.install(store)
        nki_library_references.install()

    @pytest.hookimpl
    def pytest_collection_finish(self) -> None:
        nki_library_references.install_in_tests()


def prepare(orders: dict[str, Any]) -> object:
    """Installs the stubs and chooses the machine; returns the plugin for pytest."""
    import nki

    # Its references are of NKI 0.3, where the scale of an MX block was half of today's. And on
    # Trainium3 its kernels clip FP8 tiles after the cast, at 448 (qkv_cte.py): casts saturate.
    overflow = "saturate" if orders["machine"] == "trn3" else "infinity"
    policies = ["mx_scale_rule=ocp", f"cast_overflow={overflow}"]
    # Its simulator gives every tensor memory of its own, on which kernels that multiply unwritten
    # rows by zeros depend; the checks want to see them.
    if not orders["checks"]:
        policies.append("unwritten=zero")
    # The simulator of NKI 0.3 kept bfloat16 and FP8 as float32, which its references count on.
    os.environ.setdefault("NKI_PRECISE_FP", "0")
    nki.use_machine(orders["machine"], *(f"policy.{one}" for one in policies))
    stubs.install((*_TOOLS, *_NOT_PUBLISHED))
    if importlib.util.find_spec("neuronxcc.starfish") is None:
        import neuron_dtypes

        for name in ("neuronxcc.starfish", "neuronxcc.starfish.support"):
            sys.modules[name] = ModuleType(name)
        sys.modules["neuronxcc.starfish.support.dtype"] = neuron_dtypes
    return _Mend()
