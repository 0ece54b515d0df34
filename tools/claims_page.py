"""Writes docs/claims.md: every public claim with our answer.

  PYTHONPATH=build/release/python python tools/claims_page.py [--check]

With --check it writes nothing and exits with 1 when the page is out of date.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from trainyard import claims
from trainyard.claims import pages

PAGE = Path(__file__).resolve().parents[1] / "docs/claims.md"


def page() -> str:
    """The whole page."""
    return pages.markdown({id: claims.answers(id) for id in claims.claims()})


def main() -> int:
    """Writes the page, or checks it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="only say whether it is up to date")
    if not parser.parse_args().check:
        PAGE.write_text(page())
        return 0
    if PAGE.is_file() and PAGE.read_text() == page():
        return 0
    print(f"{PAGE} is out of date; run: python tools/claims_page.py", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
