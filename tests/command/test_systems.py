"""Do the commands run kernels on several chips, show every topology, and refuse what makes no
sense?
"""

import pytest

KERNEL = """
import nki, nki.collectives as ncc, nki.isa as nisa, nki.language as nl
from nki.collectives import ReplicaGroup

@nki.jit
def summed(x):
    here = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
    out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
    nisa.dma_copy(dst=here, src=x)
    group = ReplicaGroup([list(range(16))])
    ncc.all_reduce(srcs=[here], dsts=[out], replica_group=group, op=nl.add)
    return out
"""
GEN2 = ("--machine", "trn3-gen2", "--ranks", "16")
ONE_CHIP = ("--set", "sled.size=1", "--set", "rack.size=1", "--set", "twin.size=1")
INPUT = "x=float32[128,64]"


@pytest.fixture
def kernel(tmp_path):
    path = tmp_path / "kernel.py"
    path.write_text(KERNEL)
    return f"{path}:summed"


def test_time_of_two_chips_names_what_went_between_them(trainyard, kernel):
    done = trainyard("time", *GEN2, kernel, INPUT)
    assert done.code == 0
    assert "Between chips: 2 chips, 1 of which do what another one does" in done.out
    assert "sled link out and 3 alike" in done.out
    assert "between chips in 2 steps" in done.out
    (result,) = trainyard("time", *GEN2, "--no-fold", "--json", kernel, INPUT).data["kernels"]
    assert result["links"]["chips_run"] == 2
    assert ["system", "trn3-gen2"] in [
        list(item) for item in result["report"]["run"]["more"].items()
    ]


def test_a_profile_of_two_chips_is_written(trainyard, kernel, tmp_path):
    done = trainyard("profile", *GEN2, "--output", tmp_path / "out", kernel, INPUT)
    assert done.code == 0
    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    suffixes = ("details.json", "json", "links.json", "pftrace", "tytrace")
    assert names == [f"summed.{suffix}" for suffix in suffixes]


def test_faults_come_from_a_file(trainyard, kernel, tmp_path):
    path = tmp_path / "faults.txt"
    path.write_text("link:1.sled@0us=down  # the only way to the second chip\n")
    done = trainyard("time", *GEN2, "--fault", f"@{path}", kernel, INPUT)
    assert done.code == 5
    assert "chip 1, sled link in is down" in done.err
    assert "8 more wait" in done.err
    assert "run without this fault" in done.err


@pytest.mark.parametrize(
    ("command", "text"),
    [
        (("time", "--ranks", "16"), "name a system of several chips"),
        (("time", "--fault", "chip:0@0us=down"), "faults need a timed run on a system"),
        (("run", *GEN2, "--fault", "chip:0@0us=down"), "faults need a timed run on a system"),
        (("time", *GEN2, "--fault", "cable"), "fabric.fault"),
        (("time", *GEN2, "--fault", "@missing.txt"), "cannot be read"),
        (("time", *GEN2, "--fault", "seed:x"), "is no seed"),
        (("time", *GEN2, "--ranks", "0"), "--ranks is 1 to"),
        (("time", *GEN2, *ONE_CHIP), "system.ranks"),
        (("time", *GEN2, "--set", "rack.size=0"), "machine.range"),
    ],
)
def test_what_makes_no_sense_is_said(trainyard, kernel, command, text):
    done = trainyard(*command, kernel, INPUT)
    assert done.code in (2, 3)
    assert text in done.out + done.err
    assert "Traceback" not in done.err


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("trn1-server", "bisection"),
        ("trn2-ultraserver", "64 chips"),
        ("trn3-cluster", "efa"),
        ("trn4", "Trainium4"),
        ("trn3", "collective cores"),
        ("b200", "level 1: 8 members, 900 GB/s"),
        ("tpu7", "level 1: 9216 members"),
    ],
)
def test_every_machine_has_a_topology(trainyard, name, text):
    done = trainyard("machine", "show", name, "--topology")
    assert done.code == 0
    assert text in done.out
    assert trainyard("machine", "show", name, "--topology", "--json").data


def test_trn4_is_a_bracket(trainyard):
    figures = trainyard("machine", "show", "trn4", "--json").data["figures"]
    links = [one for one in figures if one["key"].endswith(".link")]
    assert len(links) == 3
    assert all(one["kind"] == "assumed" and one["low"] != one["high"] for one in links)
