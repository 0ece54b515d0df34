"""The tests of the command share command_line.py."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture
def trainyard(tmp_path):
    """Runs the command to its end in an empty directory."""
    from command_line import run

    return lambda *arguments, **options: run(*arguments, **{"cwd": tmp_path} | options)
