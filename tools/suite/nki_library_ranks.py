"""Cases of nki-library on several ranks, which its simulation mode cannot run: it knows one rank.

Inputs are the same for all ranks, or made for each by a PerRankLazyInputGenerator; outputs go where
its validator looks for those of a rank, output_worker_R.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy as np

Inference = Callable[[Any, Any], str | None]


def of_ranks(single: Inference) -> Inference:
    """The harness's simulated inference, `single`, for any number of ranks."""

    def run(orchestrator: Any, case: Any) -> str | None:
        ranks = case.inference_args.collective_ranks
        if ranks == 1 and not hasattr(case.kernel_input, "for_rank"):
            return single(orchestrator, case)
        from test.utils.common_dataclasses import INF_ARTIFACT_DIR_NAME, normalize_golden_output
        from test.utils.exceptions import InferenceException

        folder = os.path.join(  # noqa: PTH118 (the harness's own paths are strings)
            orchestrator.fs_config.artifacts_output_directory_path, INF_ARTIFACT_DIR_NAME
        )
        try:
            for rank, outputs in enumerate(_simulate(case, ranks)):
                goldens = normalize_golden_output(case.validation_args.golden_output, rank)
                place = os.path.join(folder, f"output_worker_{rank}") if ranks > 1 else folder  # noqa: PTH118
                orchestrator.__dump_tensors__(place, _named(outputs, goldens), lambda name: name)
        except Exception as error:
            raise InferenceException(str(error)) from error
        return folder

    return run


def _simulate(case: Any, ranks: int) -> list[Any]:
    """What the kernel returns on each rank."""
    import nki

    os.environ["NKI_NC_VERSION"] = case.compiler_input.platform_target.get_nc_gen()
    given = case.kernel_input
    inputs = [given.for_rank(r) if hasattr(given, "for_rank") else given for r in range(ranks)]
    named = [{k.removesuffix(".must_alias_input"): v for k, v in one.items()} for one in inputs]
    kernel = nki.simulate(case.kernel_func)[case.compiler_input.logical_nc_config]
    return kernel.run_ranks(named)[0]


def _named(outputs: Any, goldens: dict[str, Any]) -> dict[str, np.ndarray]:
    """The outputs of one rank by the names of their references."""
    listed = list(outputs) if isinstance(outputs, (list, tuple)) else [outputs]
    pairs = zip(goldens.items(), listed, strict=True)
    return {name: np.asarray(output, dtype=golden.dtype) for (name, golden), output in pairs}
