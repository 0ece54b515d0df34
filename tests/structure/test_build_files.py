"""Do the files that set up and build Trainyard agree with each other?"""

import json
import re
import shutil
import subprocess
import tomllib

import pytest
from sources import ROOT, repository_files, text

PRESETS = json.loads((ROOT / "CMakePresets.json").read_text())
CONFIGURE = [preset["name"] for preset in PRESETS["configurePresets"] if not preset.get("hidden")]


def test_the_promised_presets_exist():
    assert {"dev", "release", "asan", "tsan", "fuzz"} <= set(CONFIGURE)


def test_cmake_accepts_the_presets():
    listing = subprocess.run(
        ["cmake", "--list-presets=all", "."], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout
    assert all(f'"{name}"' in listing for name in CONFIGURE)


def test_every_build_and_test_preset_names_a_configure_preset():
    for kind in ("buildPresets", "testPresets"):
        for preset in PRESETS[kind]:
            assert preset.get("configurePreset") in CONFIGURE


def test_make_check_runs_all_cpp_tests_and_fuzz_targets():
    script = (ROOT / "tools/check.sh").read_text()
    named = set(
        re.findall(r"\w+", " ".join(re.findall(r"^(?:folders|targets)=(.*)$", script, re.M)))
    )
    tests = re.findall(r"^trainyard_test\((\w+)", (ROOT / "tests/CMakeLists.txt").read_text(), re.M)
    fuzz = (ROOT / "tests/fuzz/CMakeLists.txt").read_text()
    targets = re.findall(r"^trainyard_fuzz\((\w+)", fuzz, re.M)
    has_sources = {name for name in tests if list((ROOT / "tests" / name).glob("*.cpp"))}
    assert named - {"folders"} == has_sources | set(targets)


# What a Debian package of headers is for: an #include of ours.
HEADERS = {
    "libbenchmark-dev": "benchmark/benchmark.h",
    "libfmt-dev": "fmt/format.h",
    "libgmock-dev": "gmock/gmock.h",
    "libgtest-dev": "gtest/gtest.h",
    "libhwy-dev": "hwy/highway.h",
    "libmpfr-dev": "mpfr.h",
    "libopenblas-dev": "cblas.h",
    "libtomlplusplus-dev": "toml++/toml.h",
    "libzstd-dev": "zstd.h",
    "nlohmann-json3-dev": "nlohmann/json.hpp",
}


def test_every_package_of_headers_is_used():
    listed = (ROOT / "tools/apt-packages.txt").read_text().splitlines()
    headers = {line for line in listed if line.endswith("-dev")}
    assert headers - {"python3-dev"} == HEADERS.keys()  # that one is what nanobind includes
    sources = [path for path in repository_files() if path.suffix in {".cpp", ".h"}]
    included = {name for path in sources for name in re.findall(r"#include <(.+)>", text(path))}
    assert set(HEADERS.values()) <= included


def requirement_lines() -> list[str]:
    lists = sorted((ROOT / "tools").glob("*requirements.txt"))
    lines = [line for path in lists for line in path.read_text().splitlines()]
    return [re.sub(r" --hash=sha256:[0-9a-f]{64}$", "", line) for line in lines]


def test_every_python_requirement_is_pinned():
    for line in requirement_lines():
        assert line.startswith("#") or re.fullmatch(r"[\w.-]+==[\w.]+", line), line


def test_the_pinned_versions_satisfy_pyproject():
    from packaging.requirements import Requirement

    pinned = dict(
        line.lower().replace("_", "-").split("==") for line in requirement_lines() if "==" in line
    )
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    for line in project["project"]["dependencies"] + project["build-system"]["requires"]:
        requirement = Requirement(line)
        assert requirement.specifier.contains(pinned[requirement.name.lower().replace("_", "-")]), (
            line
        )


@pytest.mark.parametrize(
    "path",
    [str(path) for path in repository_files() if path.suffix == ".sh"] + ["tools/step", ".ci/run"],
)
def test_scripts_parse_and_may_be_run(path: str):
    subprocess.run(["sh", "-n", ROOT / path], check=True)
    assert (ROOT / path).stat().st_mode & 0o111, f"{path} is not executable"


def test_make_help_names_the_promised_targets():
    make = shutil.which("make")
    assert make is not None
    listing = subprocess.run(
        [make, "-C", ROOT, "help"], check=True, capture_output=True, text=True
    ).stdout
    targets = ("demo", "test", "check", "fidelity", "bench", "fast", "clean")
    assert set(targets) <= set(re.findall(r"^  make (\w+) +\S", listing, re.M))
    told = re.search(r"make check .*: (about an hour|about \d+ minutes);", listing)
    assert told is not None
    assert f"make check` takes {told[1]}" in (ROOT / "ARCHITECTURE.md").read_text()
