"""Formats of products' operands, and of an optimiser's state, in a part of a JAX program.

    from trainyard import precision

    with precision.using(weights="mxfp8", gradients="bf16"):
        y = x @ w

What is traced inside, and its gradient, gets the formats, over those of --precision. Classes and
formats are in docs/jax.md. On other platforms nothing changes.
"""

from __future__ import annotations

from contextlib import AbstractContextManager

from trainyard import _core, compiler_flags

__all__ = ["using"]


def using(**formats: str) -> AbstractContextManager[object]:
    """The formats of products that are traced inside: weights, activations, gradients, kv_cache;
    and of the state whose update is: optimizer_state.

    Of scopes in one another the inner one alone counts. Raises InputError "precision.formats" for
    classes and formats that do not exist.
    """
    from jax.experimental.xla_metadata import set_xla_metadata

    text = compiler_flags.by_class(formats) or ""
    _core.check_class_formats(text)
    return set_xla_metadata(trainyard_precision=text)
