"""What do notebooks and prompts show, and are the pictures right?"""

import re
from xml.etree import ElementTree

import ml_dtypes
import nki
import nki.isa as nisa
import nki.language as nl
import numpy as np
import pytest
import trainyard
from trainyard import plots

X = np.ones((128, 512), ml_dtypes.bfloat16)
SVG = "{http://www.w3.org/2000/svg}"


@nki.jit
def product(x):
    """x.T @ x."""
    tile = nl.load(x)
    sums = nl.ndarray((128, 512), nl.float32, buffer=nl.psum)
    nisa.nc_matmul(dst=sums, stationary=tile[:, 0:128], moving=tile)
    out = nl.ndarray((128, 512), nl.float32, buffer=nl.shared_hbm)
    nl.store(out, nl.copy(sums))
    return out


@pytest.fixture(scope="module")
def recorded():
    return product.run(X, timed=True, record=True)[1]


def pictures(page: str) -> list[ElementTree.Element]:
    return [ElementTree.fromstring(one) for one in re.findall(r"<svg.*?</svg>", page, re.DOTALL)]


def test_texts_name_what_they_are(recorded):
    assert repr(recorded).startswith("Result(product on trn3: ")
    assert f"bound by {recorded.bound}" in repr(recorded)
    assert repr(product) == "Kernel(product(x))"
    assert repr(product[2]) == "Kernel(product(x), grid=2)"
    program = recorded.instances[0].program
    assert repr(program) == f"Program(product, {len(program)} instructions, compiled)"
    assert repr(trainyard.load_machine("trn2")).startswith("Machine(trn2: ")


def test_a_result_shows_tables_and_pictures(recorded):
    page = recorded._repr_html_()
    assert all(
        text in page for text in ("<table>", "tensor", "nc_matmul", "bytes read", "DMA engines")
    )
    assert len(pictures(page)) == 2
    assert len(pictures(product.bench(X)._repr_html_())) == 2  # shares in place of a timeline
    assert "Findings" not in page and not pictures(product.run(X)[1]._repr_html_())


def test_findings_are_shown():
    @nki.jit
    def kernel(x):
        out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
        nisa.dma_copy(dst=out[0:64], src=x[0:64])
        return out

    with pytest.warns(UserWarning, match=r"memory\.output"):
        result = kernel.run(X)[1]
    assert "memory.output" in result._repr_html_()


def test_kernels_programs_and_machines_have_pages(recorded):
    assert "x.T @ x" in product._repr_html_() and "product(x)" in product._repr_html_()
    page = recorded.instances[0].program._repr_html_()
    assert "nc_matmul" in page and "<details>" in page
    machine = trainyard.load_machine("trn3")
    page = machine._repr_html_()
    assert all(f">{one['key']}<" in page for one in machine.provenance())


def test_text_is_escaped():
    page = plots.timeline([("a<b", "working", 0.0, 1.0)], 1.0, "x & <y>")
    assert "a&lt;b" in page and "x &amp; &lt;y&gt;" in page
    ElementTree.fromstring(page)


def test_a_timeline_has_the_time_that_a_track_worked():
    rows = [
        ("tensor", "working", 0.0, 30.0),
        ("tensor", "semaphore", 30.0, 90.0),
        ("tensor", "idle", 90.0, 100.0),
        ("vector", "idle", 0.0, 100.0),
    ]
    picture = ElementTree.fromstring(plots.timeline(rows, 100.0, "t"))
    wide = {
        rect.find(f"{SVG}title").text: float(rect.get("width"))
        for rect in picture.iter(f"{SVG}rect")
        if rect.find(f"{SVG}title") is not None
    }
    assert wide == {"tensor: working": 180.0, "tensor: semaphore": 360.0}


def test_the_tracks_of_a_run_are_in_its_timeline(recorded):
    picture = ElementTree.fromstring(recorded.timeline_svg())
    shown = {text.text for text in picture.iter(f"{SVG}text")}
    worked = {row["track"] for row in recorded.timeline if row["reason"] == "working"}
    engines = {track for track in worked if re.fullmatch(r"dma\d+", track)}
    assert engines and worked - engines <= shown and f"DMA engines ({len(engines)})" in shown
    with pytest.raises(ValueError, match="record=True"):
        product.bench(X).timeline_svg()


def roofline(intensity, reached):
    report = {
        "roofline": {
            "flop_per_hbm_byte": intensity,
            "ridge": 100.0,
            "teraflops": reached,
            "teraflops_peak": 50.0,
        }
    }
    picture = plots.roofline(report, "t")
    point = ElementTree.fromstring(picture).find(f"{SVG}circle")
    return float(point.get("cx")), float(point.get("cy"))


def test_a_roofline_is_logarithmic_and_a_faster_run_stands_higher():
    (left, low), (right, high) = roofline(200.0, 5.0), roofline(200.0, 20.0)
    assert left == right and low > high
    assert roofline(250.0, 5.0)[0] > left
    assert plots.roofline({"roofline": {}}, "t") is None


def test_the_command_writes_pictures(tmp_path, recorded):
    script = tmp_path / "k.py"
    script.write_text(
        "import nki, nki.language as nl, numpy as np\n"
        "@nki.jit\n"
        "def doubled(x):\n"
        "    out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)\n"
        "    nl.store(out, nl.add(nl.load(x), nl.load(x)))\n"
        "    return out\n"
        "doubled(np.ones((128, 8), np.float32))\n"
    )
    from trainyard.__main__ import main

    assert main(["profile", "--plot", "--output", str(tmp_path), str(script)]) in (0, None)
    assert (tmp_path / "doubled.timeline.svg").read_text().startswith("<svg")
    assert not (tmp_path / "doubled.roofline.svg").exists()  # no matrix arithmetic
