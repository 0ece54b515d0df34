"""What PyTorch programs ask for and the machine does not do: one error, with place and way out."""

from __future__ import annotations


class TorchError(RuntimeError):
    """An operator or an option that is not supported. Attributes: label, place, found, fix."""

    def __init__(self, label: str, rule: str, place: str, found: str, fix: str) -> None:
        super().__init__(f"{label}: {rule}\n  at: {place}\n  found: {found}\n  fix: {fix}")
        self.label = label
        self.place = place
        self.found = found
        self.fix = fix


class Refusal(Exception):
    """Raised by an operator's lowering, which knows no place: what it found, and a way round."""

    def __init__(self, found: str, fix: str) -> None:
        super().__init__(found)
        self.found = found
        self.fix = fix
