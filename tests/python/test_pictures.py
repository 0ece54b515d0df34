"""Are the pictures of the README those of the example as it runs today?"""

import runpy
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_pictures_are_fresh_and_shown():
    drawn = runpy.run_path(str(ROOT / "tools/pictures.py"))["pictures"]()
    readme = (ROOT / "README.md").read_text()
    assert len(drawn) == 2
    for path, text in drawn.items():
        assert path.read_text() == text, "run: python tools/pictures.py (or make docs)"
        assert f"({path.relative_to(ROOT)})" in readme
