"""The pages of docs/tutorial as programs: every `python` block is run, in order, in one namespace.

A `text` block that directly follows a `python` block is what the block prints.
"""

import contextlib
import io
import re
from dataclasses import dataclass
from pathlib import Path

FENCE = re.compile(r"^```(\w*)\n(.*?)^```\n", re.MULTILINE | re.DOTALL)


@dataclass
class Block:
    """One fenced block of a page."""

    language: str
    text: str
    start: int  # offsets of the text in the page
    end: int


def blocks_of(page: str) -> list[Block]:
    """All fenced blocks of a page in order."""
    found = []
    for match in FENCE.finditer(page):
        found.append(Block(match[1], match[2], match.start(2), match.end(2)))
    return found


def printed_by(block: Block, line: int, path: Path, namespace: dict) -> str:
    """Runs a block that has `line` lines of its page before it, which places in messages count."""
    code = compile("\n" * line + block.text, path.name, "exec")
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(code, namespace)  # the pages are ours
    return "".join(line.rstrip() + "\n" for line in out.getvalue().splitlines())


def written_again(path: Path) -> str:
    """The page with every `text` block after a `python` block as it is printed now."""
    page = path.read_text()
    blocks = blocks_of(page)
    namespace = {"__name__": path.stem}
    result, at = "", 0
    for block, following in zip(blocks, [*blocks[1:], None], strict=True):
        if block.language != "python":
            continue
        line = (result + page[at : block.start]).count("\n")
        printed = printed_by(block, line, path, namespace)
        between = page[block.end : following.start] if following else ""
        if following and following.language == "text" and between == "```\n\n```text\n":
            result += page[at : following.start] + printed
            at = following.end
        elif printed:
            raise ValueError(f"{path.name}:{line} prints, but no text block shows it")
    return result + page[at:]
