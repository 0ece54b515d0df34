"""Takes the pictures of the page that documents show: the attention example, light and dark.

    PYTHONPATH=build/release/python python tools/page_pictures.py

Needs Chromium (apt-get install chromium) and Pillow. Fonts differ between hosts, so no test
compares the pictures; take them again when the page changes its looks.
"""

from __future__ import annotations

import io
import sys
import tempfile
from pathlib import Path

import ml_dtypes
import numpy as np
from PIL import Image

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "docs/pictures"
TOKENS, HEAD = 2048, 128
# Some work in the middle of the run, selected, so that its facts are in the picture.
SELECT = "trainyard.select(1, trainyard.rowNear(1, 0.47))"


def main() -> int:
    """Writes view-light.png and view-dark.png."""
    sys.path[:0] = [str(ROOT / "examples"), str(ROOT / "tests/view")]
    from attention import attention
    from browser import opened
    from trainyard import view

    shape = {"q": (HEAD, TOKENS), "k": (HEAD, TOKENS), "v": (TOKENS, HEAD)}
    inputs = {name: np.zeros(size, ml_dtypes.bfloat16) for name, size in shape.items()}
    result = attention.bench(**inputs, values=False, record=True)
    result.ask(advice=True, interval=True)
    with tempfile.TemporaryDirectory() as folder, opened(1280, 780) as page:
        path = Path(folder) / "page.html"
        path.write_text(view.page_of(view.document_of([view.of_result(result)])))
        for theme in ("light", "dark"):
            page.call("Page.navigate", url="about:blank")
            page.open(f"{path.as_uri()}#theme={theme}")
            page.ask(SELECT)
            picture = Image.open(io.BytesIO(page.picture())).convert("RGB")
            picture.quantize(128, dither=Image.Dither.NONE).save(
                FOLDER / f"view-{theme}.png", optimize=True
            )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
