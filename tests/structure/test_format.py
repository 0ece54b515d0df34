"""Are C++ and Python formatted and free of lint?"""

import subprocess

from sources import ROOT


def test_clang_format_and_ruff_find_nothing():
    result = subprocess.run(["tools/lint.sh"], cwd=ROOT, capture_output=True, text=True)
    assert result.returncode == 0, (result.stdout + result.stderr)[
        -4000:
    ] + "\nmake format repairs most of it"
