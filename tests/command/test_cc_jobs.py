"""Does cc-test time parts that differ, jobs beside each other and a system that lost a chip?"""

import json
import xml.etree.ElementTree as ET

import pytest

RACK = ("--machine", "trn3-gen2", "--lnc", "8", "-b", "64MiB", "-e", "64MiB", "--no-interval")


def rows(trainyard, *arguments):
    done = trainyard("cc-test", *arguments, "--json")
    assert done.err == ""
    return done.data["rows"]


def counts(tmp_path, parts):
    path = tmp_path / "counts.json"
    path.write_text(json.dumps({"counts": parts}))
    return path


def test_equal_parts_take_what_an_all_to_all_takes(trainyard, tmp_path):
    (plain,) = rows(trainyard, "alltoall", *RACK, "-r", "4")
    (default,) = rows(trainyard, "alltoallv", *RACK, "-r", "4")
    (told,) = rows(
        trainyard, "alltoallv", *RACK, "-r", "4", "--counts", counts(tmp_path, [[7] * 4] * 4)
    )
    assert default["time_us"] == pytest.approx(plain["time_us"], rel=1e-6)
    assert told["time_us"] == pytest.approx(plain["time_us"], rel=1e-6)
    assert told["busbw"] == pytest.approx(plain["busbw"], rel=1e-6)


def test_the_largest_part_decides(trainyard, tmp_path):
    skewed = [[0, 8, 1, 1], [1, 0, 1, 1], [1, 1, 0, 1], [1, 1, 1, 0]]
    (even,) = rows(trainyard, "alltoallv", *RACK, "-r", "4")
    (skew,) = rows(trainyard, "alltoallv", *RACK, "-r", "4", "--counts", counts(tmp_path, skewed))
    # 0.8 of the buffer goes to one rank, over a channel of 4 x 44 GB/s, instead of a quarter.
    assert skew["time_us"] > 1.5 * even["time_us"]
    assert skew["time_us"] >= 0.8 * 64 * 2**20 / 176e9 * 1e6


@pytest.mark.parametrize(
    ("parts", "text"),
    [
        ([[1, 2], [3]], "1 numbers in a row of 2 ranks"),
        ([[0, -1], [1, 0]], "-1"),
        ([[0, 0], [0, 0]], "nothing that moves"),
        ([[0, 1, 1]] * 3, "3 rows, 2 ranks"),
        ([["a", 1], [1, 0]], "has no counts"),
    ],
)
def test_counts_that_are_none_are_refused(trainyard, tmp_path, parts, text):
    done = trainyard("cc-test", "alltoallv", *RACK, "-r", "2", "--counts", counts(tmp_path, parts))
    assert done.code in (2, 3)
    assert text in done.err


def test_a_job_beside_slows_what_shares_its_links(trainyard):
    cores = ("--lnc", "1", "-r", "32", "-b", "64MiB", "-e", "64MiB", "--no-interval")
    # Ranks 0 to 31 are the first sled's; the other job is in the second one, or spans both racks.
    (apart,) = rows(trainyard, "allg", *cores, "--beside", "alltoall:1MiB:32-63")
    assert apart["beside_us"] == pytest.approx(apart["time_us"], rel=1e-9)
    assert apart["beside"][0]["runs"] > 0
    custom = ("--lnc", "8", "-b", "256MiB", "-e", "256MiB", "--no-interval")
    (shared,) = rows(
        trainyard, "alltoall", *custom, "-r", "36", "--beside", "alltoall:256MiB:72-107"
    )
    assert shared["beside_us"] == pytest.approx(shared["time_us"], rel=1e-9)
    done = trainyard("cc-test", "allr", *RACK, "-r", "72", "--beside", "allg:1GiB:72-143")
    assert "beside the others" in done.out
    assert "all_gather of 1 GiB on 72 ranks from 72" in done.out


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("allr:1MiB", "write OP:SIZE:RANKS"),
        ("allx:1MiB:8-9", "write OP:SIZE:RANKS"),
        ("allr:1MiB:a-b", "no range of ranks"),
        ("allr:1MiB:3-9", "fabric.beside"),
        ("allr:1MiB:9-900", "fabric.group"),
    ],
)
def test_jobs_that_cannot_be_are_refused(trainyard, text, message):
    done = trainyard("cc-test", "allr", *RACK, "-r", "8", "--beside", text)
    assert done.code in (2, 3)
    assert message in done.err


def test_links_are_drawn_and_their_joules_told(trainyard, tmp_path):
    path = tmp_path / "links.svg"
    done = trainyard("cc-test", "allr", *RACK, "-r", "144", "--links", path, "--why")
    assert done.code == 0
    assert "links and switches take" in done.out
    drawing = ET.parse(path)
    rectangles = drawing.findall("{http://www.w3.org/2000/svg}rect")
    assert len(rectangles) > 144 * 5  # five ports a chip, all of them busy
    (row,) = rows(trainyard, "allr", *RACK, "-r", "144")
    assert row["link_joules_low"] < row["link_joules"] < row["link_joules_high"]
    done = trainyard("cc-test", "alltoallv", *RACK, "-r", "4", "--links", path)
    assert done.code == 2


def test_servers_of_trainium1_meet_over_efa(trainyard):
    cluster = ("--machine", "trn1-cluster", "--lnc", "2", "-b", "64MiB", "-e", "64MiB")
    (two,) = rows(trainyard, "allr", *cluster, "-r", "32", "-N", "2")
    (one,) = rows(trainyard, "allr", *cluster, "-r", "16")
    assert "efa link" in [load["kind"] for load in two["loads"]]
    assert two["time_us"] > 2 * one["time_us"]
