"""Flags of AWS's graph compiler (neuronx-cc), as the compilations of this process get them."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping

from trainyard import settings

CASTS = ("none", "matmult", "all")
CAST_TYPES = ("bf16", "fp16", "tf32", "fp8_e4m3")
MATMUL_FORMATS = ("as-typed", "mxfp8")
DIVISIONS = ("where-it-matters", "fast", "exact")


def in_force(
    auto_cast: str | None = None,
    auto_cast_type: str | None = None,
    matmul_format: str | None = None,
    precision: str | Mapping[str, str] | None = None,
    division: str | None = None,
) -> str:
    """What NEURON_CC_FLAGS says, then the settings, then the call; later ones count."""
    return " ".join(
        part
        for part in (
            os.environ.get("NEURON_CC_FLAGS", ""),
            settings.current().compiler_flags,
            written(auto_cast, auto_cast_type, matmul_format, precision, division),
        )
        if part
    )


def written(
    auto_cast: str | None = None,
    auto_cast_type: str | None = None,
    matmul_format: str | None = None,
    precision: str | Mapping[str, str] | None = None,
    division: str | None = None,
) -> str:
    """The flags as text."""
    given = {
        "--auto-cast": auto_cast,
        "--auto-cast-type": auto_cast_type,
        "--matmul-format": matmul_format,
        "--precision": by_class(precision),
        "--division": division,
    }
    return " ".join(f"{flag}={value}" for flag, value in given.items() if value is not None)


def by_class(precision: str | Mapping[str, str] | None) -> str | None:
    """ "weights=mxfp8,gradients=bf16" of text, or of a dict of classes."""
    if isinstance(precision, Mapping):
        return ",".join(f"{name}={value}" for name, value in precision.items())
    return precision


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The flags as options of a subcommand."""
    parser.add_argument(
        "--auto-cast",
        choices=CASTS,
        help="of tensor programs: compute what is float32 in another type: nothing, products of "
        "matrices, or everything (default: NEURON_CC_FLAGS, else none)",
    )
    parser.add_argument(
        "--auto-cast-type",
        choices=CAST_TYPES,
        help="the type of --auto-cast (default: NEURON_CC_FLAGS, else bf16)",
    )
    parser.add_argument(
        "--matmul-format",
        choices=MATMUL_FORMATS,
        help="of tensor programs: compute products of two matrices in this format, their operands "
        "quantised on the machine (default: as-typed)",
    )
    parser.add_argument(
        "--precision",
        metavar="CLASS=FORMAT,...",
        help="of tensor programs: formats of products' operands by what they are: weights, "
        "activations, gradients, kv_cache; bf16, fp16, tf32, fp8_e4m3, fp8_e5m2 (both also with "
        "_scaled behind), mxfp8, as-typed; weights also mxfp8_stored, mxfp4_stored, sparse_4_16: "
        "stored so before the first run; optimizer_state (bf16, fp16, fp8_e4m3, fp8_e5m2), which "
        "lies so in memory",
    )
    parser.add_argument(
        "--division",
        choices=DIVISIONS,
        help="of tensor programs: which quotients in float32 are corrected to be exact where "
        "float32 holds them: those that are compared, rounded or returned, none, or all "
        "(default: NEURON_CC_FLAGS, else where-it-matters)",
    )


def of_arguments(options: argparse.Namespace) -> str:
    """The flags that a subcommand was given."""
    return written(
        options.auto_cast,
        options.auto_cast_type,
        options.matmul_format,
        options.precision,
        options.division,
    )
