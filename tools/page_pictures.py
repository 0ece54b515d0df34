"""Takes the pictures of the page that documents show: the attention example, light and dark, and
the first screen of each planted slowdown of tests/view/slowdowns.py.

    PYTHONPATH=build/release/python python tools/page_pictures.py

Needs Chromium (apt-get install chromium) and Pillow. Fonts differ between hosts, so no test
compares the pictures; take them again when the page changes its looks.
"""

from __future__ import annotations

import io
import sys
import tempfile
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
from PIL import Image

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "docs/pictures"
TOKENS, HEAD = 2048, 128
# Some work in the middle of the run, selected, so that its facts are in the picture.
SELECT = "trainyard.select(1, trainyard.rowNear(1, 0.47))"


def attention_result() -> Any:
    from attention import attention

    shape = {"q": (HEAD, TOKENS), "k": (HEAD, TOKENS), "v": (TOKENS, HEAD)}
    inputs = {name: np.zeros(size, ml_dtypes.bfloat16) for name, size in shape.items()}
    result = attention.bench(**inputs, values=False, record=True)
    result.ask(advice=True, interval=True)
    return result


def take(page: Any, result: Any, name: str, theme: str, after: str | None = None) -> None:
    from view_pages import page_at

    with tempfile.TemporaryDirectory() as folder:
        path = page_at(Path(folder) / "page.html", result)
        page.call("Page.navigate", url="about:blank")
        page.open(f"{path.as_uri()}#theme={theme}")
        if after is not None:
            page.ask(after)
        picture = Image.open(io.BytesIO(page.picture())).convert("RGB")
        picture.quantize(128, dither=Image.Dither.NONE).save(FOLDER / f"{name}.png", optimize=True)


def main() -> int:
    """Writes view-light.png, view-dark.png and slowdown-*.png."""
    sys.path[:0] = [str(ROOT / "examples"), str(ROOT / "tests/view")]
    import slowdowns
    from browser import opened

    result = attention_result()
    with opened(1280, 780) as page:
        for theme in ("light", "dark"):
            take(page, result, f"view-{theme}", theme, SELECT)
        for name, slow in slowdowns.results().items():
            take(page, slow, f"slowdown-{name.replace('_', '-')}", "light")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
