"""Ways to compute a product: does the compiler take the one that is fastest on the machine?"""

from __future__ import annotations

import numpy as np
import pytest
from trainyard import model

jax = pytest.importorskip("jax")
jnp = jax.numpy

A = jax.ShapeDtypeStruct((1024, 1024), jnp.bfloat16)
B = jax.ShapeDtypeStruct((1024, 2048), jnp.bfloat16)


@pytest.fixture
def compiled(monkeypatch, tmp_path):
    """Compiles the product as TRAINYARD_TUNE says, with a cache folder of its own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))

    def compile_as(tune=None):
        if tune is None:
            monkeypatch.delenv("TRAINYARD_TUNE", raising=False)
        else:
            monkeypatch.setenv("TRAINYARD_TUNE", tune)
        return model.compile(jnp.matmul, A, B)

    return compile_as


def explained(one):
    [[(_, how, _)]] = one._core.groups
    return how


def test_nothing_is_timed_unless_asked(compiled, tmp_path):
    assert "alone" not in explained(compiled())
    assert not (tmp_path / "trainyard").exists()


def test_the_fastest_way_is_taken_and_kept(compiled, tmp_path):
    usual = compiled("0")
    found = compiled("1")
    assert "alone, by time: tiles of" in explained(found)
    assert found.time().seconds <= usual.time().seconds
    lines = (tmp_path / "trainyard" / "scores").read_text().splitlines()
    assert lines[0] == "trainyard scores 1"
    assert len(lines) == 2
    kept = compiled()
    assert explained(kept) == explained(found)
    assert kept.time().seconds == found.time().seconds
    assert explained(compiled("0")) == explained(usual)


def test_another_way_gives_the_same_bits(compiled, tmp_path):
    random = np.random.default_rng(0)
    a, b = (random.normal(size=s.shape).astype(jnp.bfloat16) for s in (A, B))
    expected = compiled("0")(a, b)
    compiled("1")
    file = tmp_path / "trainyard" / "scores"
    head, line = file.read_text().splitlines()
    key, *times = line.split()
    sizes = set()
    for way in range(len(times)):
        said = [key, *("1" if each == way else "2" for each in range(len(times)))]
        file.write_text("\n".join([head, " ".join(said), ""]))  # this one is the fastest
        other = compiled()
        sizes.add(other.instructions)
        assert np.array_equal(other(a, b).view(np.uint16), expected.view(np.uint16))
    assert len(sizes) > 1


@pytest.mark.parametrize("content", ["", "trainyard scores 0\n1 2 3\n", "trainyard scores 1\nx\n"])
def test_a_file_of_something_else_is_not_used(compiled, tmp_path, content):
    file = tmp_path / "trainyard" / "scores"
    file.parent.mkdir()
    file.write_text(content)
    assert "alone" not in explained(compiled())
