"""Does its recorder tell what ran here, and is a trace parsed only where somebody kept its file?"""

from sources import ROOT

READERS = {"commands/report.py", "differences/sources.py", "saved.py", "view/files.py"}


def test_the_core_parses_traces_in_one_place():
    found = {}
    for path in [*ROOT.glob("src/**/*.cpp"), *ROOT.glob("src/**/*.h")]:
        if path.parent.name != "trace":
            found[path.name] = path.read_text().count("TraceFile::parse(")
    assert {name: count for name, count in found.items() if count} == {"bind_session.cpp": 1}


def test_python_reads_traces_where_it_reads_files():
    package = ROOT / "python" / "trainyard"
    found = {
        str(path.relative_to(package))
        for path in package.glob("**/*.py")
        if "_core.trace_" in path.read_text()
    }
    assert found == READERS
