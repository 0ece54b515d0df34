"""Does cc-test print what nccom-test prints, and refuse what it cannot do?"""

import json
import resource
import xml.etree.ElementTree as ET

import pytest
from PIL import Image
from trainyard import Fabric, faults, load_system

SMALL = ("--machine", "trn2-server", "--lnc", "8", "-r", "16")


def rows(trainyard, *arguments):
    done = trainyard("cc-test", *arguments, "--json")
    assert done.err == ""
    return done.data["rows"]


def test_the_columns_are_those_of_nccom_test(trainyard):
    done = trainyard("cc-test", "allr", *SMALL, "-b", "1KiB", "-e", "1MiB", "-f", "32")
    assert done.code == 0
    for column in ("size(B)", "count(elems)", "time:avg(us)", "algbw(GB/s)", "busbw(GB/s)"):
        assert column in done.out
    assert "1 GB is 10^9 bytes, 1 GiB 2^30" in done.out
    assert [line.split()[0] for line in done.out.splitlines()[4:7]] == ["1024", "32768", "1048576"]


def test_a_barrier_has_no_elements(trainyard):
    (row,) = rows(trainyard, "barrier", *SMALL)
    assert (row["bytes"], row["elements"]) == (0, 0)
    assert row["time_us"] > 0


# The factors of nccom-test: 2 (n - 1) / n, (n - 1) / n, 1.
@pytest.mark.parametrize(
    ("operation", "factor"),
    [
        ("allr", 2 * 15 / 16),
        ("allg", 15 / 16),
        ("redsct", 15 / 16),
        ("alltoall", 15 / 16),
        ("permute", 1),
        ("sendrecv", 1),
    ],
)
def test_bus_bandwidth_has_the_factor_of_its_operation(trainyard, operation, factor):
    (row,) = rows(trainyard, operation, *SMALL, "-b", "1MiB", "-e", "1MiB")
    assert row["algbw"] == pytest.approx(row["bytes"] / row["time_us"] * 1e6)
    assert row["busbw"] == pytest.approx(row["algbw"] * factor)
    assert row["low_us"] <= row["time_us"] <= row["high_us"]
    assert row["bound_us"] <= row["time_us"]


@pytest.mark.parametrize("operation", ["allr", "allg", "redsct", "alltoall", "permute", "bcast"])
@pytest.mark.parametrize("dtype", ["fp32", "bf16", "uint8"])
def test_values_are_right(trainyard, operation, dtype):
    (row,) = rows(
        trainyard, operation, *SMALL, "-b", "64KiB", "-e", "64KiB", "-d", dtype, "--check"
    )
    assert row["check"] == "right"


def test_the_rejected_algorithms_are_shown_with_their_times(trainyard):
    (row,) = rows(trainyard, "allr", *SMALL, "-b", "1MiB", "-e", "1MiB")
    assert len(row["candidates"]) >= 3
    assert row["candidates"][0]["algorithm"] == row["algorithm"]
    assert min(c["time_us"] for c in row["candidates"]) == row["time_us"]


def test_what_nobody_folded_takes_the_same_time(trainyard):
    arguments = ("alltoall", *SMALL, "-b", "1MiB", "-e", "1MiB")
    (folded,) = rows(trainyard, *arguments)
    (single,) = rows(trainyard, *arguments, "--no-fold")
    assert single["time_us"] == pytest.approx(folded["time_us"], rel=1e-6)
    assert single["classes"] == 16 * 15 > folded["classes"]


def test_a_cut_cable_is_named_with_those_who_wait(trainyard):
    done = trainyard(
        "cc-test", "allr", "--lnc", "8", "-b", "1GiB", "--fault", "link:5.twin@10us=down"
    )
    assert done.code == 5
    assert "chip 5, twin link is down: rank 5 cannot reach rank 77" in done.out
    assert "waits for arrivals" in done.out
    row = next(line for line in done.out.splitlines() if " stuck" in line)
    assert row.split()[3] == "never"
    assert "from and to" not in done.out


def test_ranks_on_several_nodes_meet_over_the_network(trainyard):
    cluster = ("--machine", "trn2-cluster", "--lnc", "2", "-r", "8", "-b", "64MiB", "-e", "64MiB")
    (row,) = rows(trainyard, "alltoall", *cluster, "-N", "2")
    assert row["loads"][0]["kind"] == "efa link"
    (alone,) = rows(trainyard, "alltoall", *cluster)
    assert alone["time_us"] < row["time_us"]


def test_the_picture_is_svg_or_png(trainyard, tmp_path):
    drawn, painted = tmp_path / "plot.svg", tmp_path / "plot.png"
    for path in (drawn, painted):
        assert trainyard("cc-test", "allg", *SMALL, "-e", "64KiB", "--plot", path).code == 0
    assert ET.parse(drawn).getroot().tag == "{http://www.w3.org/2000/svg}svg"
    with Image.open(painted) as image:
        colors = image.convert("RGB").getcolors(1 << 20)
        assert image.size == (1440, 840)
    assert any(color == (0x2F, 0x6F, 0x9F) for _, color in colors), "the line is drawn"
    assert trainyard("cc-test", "allg", *SMALL, "--plot", tmp_path / "plot.gif").code == 2


def test_faults_come_from_files_and_seeds(trainyard, tmp_path):
    path = tmp_path / "faults.txt"
    path.write_text("# one cable\nlink:0.sled@1us=x0.1  # slow\n\n")
    big = ("--machine", "trn3-gen2", "--lnc", "8", "-r", "8", "-b", "16MiB", "-e", "16MiB")
    (healthy,) = rows(trainyard, "allg", *big)
    (slow,) = rows(trainyard, "allg", *big, "--fault", f"@{path}")
    assert slow["time_us"] > 2 * healthy["time_us"]
    system = load_system("trn3-gen2")
    assert faults.expanded(["seed:7*3"], system) == faults.expanded(["seed:7*3"], system)
    drawn = faults.expanded(["seed:8*200"], system)
    assert len(set(drawn)) > 50
    fabric = Fabric(system, 8)
    for fault in drawn:  # each is one that the network knows
        fabric.price("all_gather", 1024.0, [[0, 1]], "", True, [fault])


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("allr", "-r", "1153"), "trn3-gen2 has 1152 ranks"),
        (("sendrecv", "-r", "1"), "2 ranks or more"),
        (("allr", "-r", "0"), "2 ranks or more"),
        (("allr", "--machine", "trn3"), "it is a chip"),
        (("allr", *SMALL, "--fault", "lnk:3@1us=down"), "lnk, which is none of link"),
        (("allr", *SMALL, "--fault", "ecc:3@1us=corrected"), "a kernel's run"),
        (("allr", "--lnc", "3"), "fabric.ranks"),
        (("allr", "-b", "5x"), "is no size"),
        (("allr", "-f", "1"), "step factor"),
        (("allr", "-b", "2MiB", "-e", "1MiB"), "give 0 sizes"),
        (("allr", "-r", "8", "-N", "2"), "name a cluster"),
        (("allr", *SMALL, "--algorithm", "magic"), "fabric.algorithm"),
        (("allr", *SMALL, "--fault", "link:99.x@1us=down"), "fabric.fault"),
        (("allr", *SMALL, "--fault", "cable"), "fabric.fault"),
        (("allr", "--machine", "trn9"), "machine.not_found"),
        (("allr", *SMALL, "--set", "x.links=-1"), "machine.range"),
    ],
)
def test_what_cannot_be_done_is_said(trainyard, arguments, text):
    done = trainyard("cc-test", *arguments)
    assert done.code in (2, 3)  # a wrong command line, a wrong input
    assert text in done.out + done.err
    assert "Traceback" not in done.err


def test_a_topology_is_drawn(trainyard, tmp_path):
    path = tmp_path / "gen2.svg"
    done = trainyard("machine", "show", "trn3-gen2", "--topology", "--svg", path)
    assert done.code == 0
    assert "144 chips, 1152 cores" in done.out
    assert "bisection 8.29 TB/s" in done.out  # 72 cables of 2 x 64 GB/s, 90 % payload
    assert "rack: switch of 18" in path.read_text()


def test_lines_of_nccom_test_are_taken(trainyard, tmp_path):
    report = tmp_path / "report.json"
    done = trainyard(
        *("cc-test", "all_reduce", *SMALL, "-b", "1MiB", "-e", "1MiB", "-d", "fp8"),
        *("-n", "20", "-w", "5", "-t", "avg", "p99", "--show-algorithm", "--non-interactive"),
        *("--report-to-json-file", str(report)),
    )
    assert done.code == 0
    (row,) = json.loads(report.read_text())["rows"]
    assert row["elements"] == 1 << 20


def test_buffers_in_sbuf_take_less_time(trainyard):
    arguments = ("allr", "--machine", "trn3-gen2", "-r", "8", "-b", "64MiB", "-e", "64MiB")
    (hbm,) = rows(trainyard, *arguments)
    (sbuf,) = rows(trainyard, *arguments, "--sb2sb")
    assert sbuf["time_us"] < hbm["time_us"]


def test_groups_run_at_once(trainyard, tmp_path):
    path = tmp_path / "groups.json"
    path.write_text('{"replica_groups": [[[0, 2], [1, 3]]]}')
    arguments = ("allr", "--machine", "trn2-server", "--lnc", "8", "-b", "1MiB", "-e", "1MiB")
    (row,) = rows(trainyard, *arguments, "--custom-replica-groups", str(path))
    assert row["ranks"] == 2
    done = trainyard("cc-test", *arguments, "-r", "16", "--data-parallel-dimension", "4")
    assert "4 groups of 4 ranks of 8 cores" in done.out


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("{", "is not a JSON file of groups"),
        ('{"groups": []}', "has no groups"),
        ('{"replica_groups": [[0, 1], [2]]}', "same number of ranks"),
        ('{"replica_groups": [[0, "1"]]}', "has no groups"),
    ],
)
def test_bad_groups_get_one_error(trainyard, tmp_path, text, found):
    path = tmp_path / "groups.json"
    path.write_text(text)
    done = trainyard("cc-test", "allr", "--custom-replica-groups", str(path))
    assert done.code == 2
    assert found in done.err


def test_faults_are_told_with_what_they_change(trainyard):
    big = (*SMALL, "-b", "16MiB", "-e", "16MiB")
    slow = trainyard("cc-test", "allr", *big, "--fault", "link:5.x+@0us=x0.5")
    assert "fault link:5.x+@0us=x0.5" in slow.out
    assert "without the faults" in slow.out
    idle = trainyard("cc-test", "allr", *big, "--fault", "chip:7@1000ms=down")
    assert "the faults change nothing" in idle.out


def test_an_interval_moves_with_every_figure_that_has_a_range(trainyard):
    """Those of trn1-server are derived from public timings, and have their spread."""
    arguments = ("--machine", "trn1-server", "-r", "32", "-b", "1MiB", "-e", "1MiB")
    (row,) = rows(trainyard, "allr", *arguments)
    assert row["low_us"] < 0.95 * row["time_us"] and row["high_us"] > 1.05 * row["time_us"]
    assert "transport.ring_step" in trainyard("cc-test", "allr", *arguments).out


def test_sizes_are_whole_elements(trainyard):
    (row,) = rows(trainyard, "allr", *SMALL, "-b", "10", "-e", "10", "-d", "fp32")
    assert (row["bytes"], row["elements"]) == (8, 2)
    sizes = [
        one["bytes"] for one in rows(trainyard, "allr", *SMALL, "-b", "8", "-e", "18", "-i", "1")
    ]
    assert sizes == [8, 12, 16]
    done = trainyard("cc-test", "allr", *SMALL, "-b", "3", "-e", "64", "-d", "fp32")
    assert done.code == 2
    assert "an element of fp32 has 4 bytes" in done.err


def test_a_fault_may_be_seconds_away(trainyard):
    (row,) = rows(
        trainyard, "allr", *SMALL, "-b", "1KiB", "-e", "1KiB", "--fault", "chip:1@1s=down"
    )
    assert row["time_us"] == row["healthy_us"]


def test_a_bus_bandwidth_above_a_links_rate_is_explained(trainyard):
    wide = trainyard("cc-test", "allr", "--machine", "trn3-gen2", "-b", "1GiB", "-e", "1GiB")
    assert "a link's rate, are right" in wide.out
    small = trainyard("cc-test", "allr", *SMALL, "-b", "1KiB", "-e", "1KiB")
    assert "a link's rate" not in small.out


def test_a_topology_extends_a_shipped_one_from_any_folder(trainyard, tmp_path):
    mine = tmp_path / "mine.toml"
    mine.write_text(
        '[machine]\nname = "mine"\nextends = "trn2-server.toml"\n[transport]\n'
        'channel = { value = 10, unit = "GB/s", kind = "assumed", source = "a trial" }\n'
    )
    arguments = ("-r", "16", "--lnc", "8", "-b", "64MiB", "-e", "64MiB")
    (slow,) = rows(trainyard, "allr", "--machine", mine, *arguments)
    (fast,) = rows(trainyard, "allr", "--machine", "trn2-server", *arguments)
    assert slow["time_us"] > 1.1 * fast["time_us"]
    mine.write_text('[machine]\nname = "mine"\nextends = "trn9-server.toml"\n')
    done = trainyard("cc-test", "allr", "--machine", mine, *arguments)
    assert done.code == 3
    assert "no file" in done.err and "machine.extends" in done.err


def test_lines_of_many_servers_take_little_memory(trainyard):
    """20,160 chips took 3.8 GiB when every transfer of a stage was listed."""

    def limited():
        resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))

    arguments = ("--machine", "trn3-cluster", "--set", "efa.size=140", "--lnc", "8", "-r", "20160")
    for operation in ("allr", "allg", "redsct"):
        done = trainyard(
            "cc-test", operation, *arguments, "-b", "1GiB", "-e", "1GiB", "--json", before=limited
        )
        assert done.code == 0, done.err
        (row,) = done.data["rows"]
        assert row["bound_us"] <= row["time_us"]


def test_lines_are_those_of_every_rank(trainyard):
    """Over three servers, one rank's transfers laid out for all, and all of them."""
    arguments = ("--machine", "trn3-cluster", "--lnc", "8", "-r", "432", "--no-interval")
    for operation in ("allr", "allg"):
        size = ("-b", "64MiB", "-e", "64MiB", "--algorithm", "hierarchical")
        (one,) = rows(trainyard, operation, *arguments, *size)
        (every,) = rows(trainyard, operation, *arguments, *size, "--no-fold")
        assert one["time_us"] == pytest.approx(every["time_us"], rel=1e-9)
