"""Are files written in one place of each language only, whole and never through a placed link?"""

import ast
import re
from collections.abc import Iterator

import pytest
from sources import cpp_sources, repository_files, text

# The one module, or file, that opens files for writing; a lock is opened, not written.
PYTHON_WRITER = "python/trainyard/files.py"
CPP_WRITERS = {"src/base/file.cpp", "src/base/file_lock.cpp"}

WRITING_CALLS = {
    "write_text", "write_bytes", "tofile", "savez", "savez_compressed",
    "savetxt", "mkstemp", "NamedTemporaryFile", "TemporaryFile", "copyfile", "copy2", "copytree",
    "mknod", "mkfifo", "fdopen", "FileHandler",
}  # fmt: skip
CPP_WRITING = re.compile(
    r"\b(?:ofstream|fstream|fopen|freopen|creat|mkstemp|mkostemp|tmpfile|copy_file)\b"
    r"|::open(?:at)?\(|\bO_CREAT\b|std::filesystem::rename"
)
CPP_INCLUDE = re.compile(r"^\s*#\s*include.*$|//.*$", re.MULTILINE)


def mode_of(call: ast.Call, position: int) -> str | None:
    """The mode that a call of open() gives; None where it is no literal."""
    given = [one.value for one in call.keywords if one.arg == "mode"] or call.args[position:][:1]
    if not given:
        return "r"
    value = given[0].value if isinstance(given[0], ast.Constant) else None
    return value if isinstance(value, str) else None


def is_null_device(call: ast.Call) -> bool:
    return bool(call.args) and ast.unparse(call.args[0]) == "os.devnull"


def writes(call: ast.Call) -> bool:
    """Whether a call may open a file for writing."""
    function = call.func
    if isinstance(function, ast.Name) and function.id == "open":
        mode = mode_of(call, 1)
    elif not isinstance(function, ast.Attribute) or ast.unparse(function) == "webbrowser.open":
        return False
    elif ast.unparse(function) == "os.open":
        return not is_null_device(call)
    elif function.attr == "open":
        mode = mode_of(call, 0)
    else:
        numpy_save = ast.unparse(function) in ("np.save", "numpy.save", "json.dump", "pickle.dump")
        return function.attr in WRITING_CALLS or numpy_save
    return mode is None or bool(set(mode) & set("wax+"))


def writing_calls(source: str) -> Iterator[ast.Call]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and writes(node):
            yield node


def test_python_writes_files_in_one_module() -> None:
    found = [
        f"{path}:{call.lineno}: {ast.unparse(call.func)}"
        for path in repository_files()
        if path.parts[0] == "python" and path.suffix == ".py" and str(path) != PYTHON_WRITER
        for call in writing_calls(text(path))
    ]
    assert found == [], "use trainyard.files.write_whole"


def test_cpp_writes_files_in_one_place() -> None:
    found = [
        f"{path}: {match[0]}"
        for path in cpp_sources()
        if str(path) not in CPP_WRITERS
        for match in CPP_WRITING.finditer(CPP_INCLUDE.sub("", text(path)))
    ]
    assert found == [], "use base::write_file"


@pytest.mark.parametrize(
    "source",
    [
        "open(p, 'w')", "open(p, mode='ab')", "p.open('r+')", "open(p, m)", "p.write_text('')",
        "os.open(p, f)", "np.save(p, a)", "tempfile.NamedTemporaryFile()", "shutil.copyfile(a, b)",
    ],
)  # fmt: skip
def test_a_call_that_writes_is_seen(source: str) -> None:
    assert list(writing_calls(source))


@pytest.mark.parametrize(
    "source",
    [
        "open(p)", "p.open('rb')", "p.read_bytes()", "os.open(os.devnull, os.O_WRONLY)",
        "webbrowser.open(u)",
    ],
)  # fmt: skip
def test_a_call_that_reads_is_none(source: str) -> None:
    assert not list(writing_calls(source))


@pytest.mark.parametrize(
    "line", ["std::ofstream out(p);", "::open(p, O_CREAT)", "FILE* f = std::fopen(p, m);"]
)
def test_a_line_of_cpp_that_writes_is_seen(line: str) -> None:
    assert CPP_WRITING.search(CPP_INCLUDE.sub("", line))
