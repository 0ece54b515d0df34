"""Is the page in the wheel made from web/, and does it hold nothing that asks for a network?"""

import hashlib
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from trainyard import view
from trainyard.view import page

WEB = Path(__file__).resolve().parents[2] / "web"
# As sources.ts has them.
ROOTS = (
    "index.html",
    "package-lock.json",
    "package.json",
    "sources.ts",
    "src",
    "tsconfig.json",
    "vite.config.ts",
)


def hash_of_sources() -> str:
    files = []
    for root in ROOTS:
        path = WEB / root
        files += [one for one in path.rglob("*") if one.is_file()] if path.is_dir() else [path]
    made = hashlib.sha256()
    for file in sorted(str(file.relative_to(WEB)) for file in files):
        content = (WEB / file).read_bytes()
        made.update(f"{file}\n{len(content)}\n".encode() + content)
    return made.hexdigest()


def test_the_page_is_fresh():
    found = re.search('name="sources" content="([0-9a-f]+)"', page.template())
    assert found and found[1] == hash_of_sources(), "run: npm ci && npm run build, in web/"


@pytest.mark.skipif(
    not (WEB / "node_modules").is_dir() or shutil.which("npx") is None,
    reason="node and web/node_modules are not installed: npm ci in web/",
)
def test_a_new_build_is_the_same_page(tmp_path):
    made = tmp_path / "page.html"
    subprocess.run(
        ["npx", "vite", "build"],
        cwd=WEB,
        env=os.environ | {"PAGE": str(made)},
        check=True,
        capture_output=True,
        timeout=300,
    )
    assert made.read_text() == page.template()


@pytest.mark.skipif(
    not (WEB / "node_modules").is_dir() or shutil.which("npx") is None,
    reason="node and web/node_modules are not installed: npm ci in web/",
)
def test_the_types_hold_and_the_units_work():
    for command in (["npx", "tsc", "--noEmit"], ["npm", "test"], ["npm", "run", "format"]):
        done = subprocess.run(command, cwd=WEB, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stdout + done.stderr


def test_the_page_names_no_host():
    hosts = set(re.findall(r"https?://([^/\"'` )]+)", page.template()))
    assert hosts <= {"www.w3.org"}  # namespaces of SVG and MathML


def test_the_lock_names_no_registry():
    lock = (WEB / "package-lock.json").read_text()
    assert '"resolved"' not in lock
    assert "registry" not in lock


def test_equal_runs_give_equal_pages(attention):
    pages = {view.page_of(view.document_of([view.of_result(attention)])) for _ in range(2)}
    assert len(pages) == 1


def test_no_name_ends_the_element_that_holds_the_document(attention):
    run = view.of_result(attention) | {"name": "</script><script>alert(1)</script>"}
    text = view.page_of(view.document_of([run]))
    assert "alert(1)</script>" not in text.replace("&lt;", "")
