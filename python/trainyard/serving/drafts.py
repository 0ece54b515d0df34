"""Tokens that are guessed ahead, for a step that verifies several at once.

A guess is taken only where the model chooses the same token, so that answers are those without
guesses; a guess that is wrong costs time alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from trainyard.usage import UsageError

LONGEST = 3  # tokens of an n-gram that is looked for, and fewer where it is not found
TOKENS_MAX = 16


@dataclass(frozen=True)
class Draft:
    """How tokens are guessed: `layers` 0: the tokens that followed the last ones before; else by
    so many first layers of the model itself."""

    tokens: int = 0
    layers: int = 0

    @staticmethod
    def parse(text: str) -> Draft:
        """Of "ngram:4" or "layers-6:4": how, and tokens of a step."""
        match = re.fullmatch(r"(?:ngram|layers-([0-9]{1,3})):([0-9]{1,3})", text)
        tokens = int(match[2]) if match else 0
        layers = int(match[1]) if match and match[1] else 0
        if not match or not 1 <= tokens <= TOKENS_MAX or (match[1] and not layers):
            raise UsageError(
                f"{text!r} is no draft: write ngram:4 or layers-6:4, up to {TOKENS_MAX} tokens"
            )
        return Draft(tokens, layers)


def by_ngrams(tokens: Sequence[int], many: int) -> list[int]:
    """Up to so many tokens that followed the latest earlier place of the last three, two or one."""
    for length in range(min(LONGEST, len(tokens) - 1), 0, -1):
        last = list(tokens[-length:])
        for at in range(len(tokens) - length - 1, -1, -1):
            if list(tokens[at : at + length]) == last:
                return list(tokens[at + length : at + length + many])
    return []
