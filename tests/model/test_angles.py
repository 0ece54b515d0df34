"""Sines and cosines of angles of any size, beside float64."""

import jax.numpy as jnp
import numpy as np
import pytest
from trainyard import model

# Units in the last place of float32.
MOST = 2.0
FUNCTIONS = {"sin": (jnp.sin, np.sin), "cos": (jnp.cos, np.cos)}


def units(found, angles, function):
    """How far each result is from the true one."""
    true = function(angles.astype(np.float64))
    last = np.spacing(np.maximum(np.abs(true), 2.0**-120).astype(np.float32))
    return np.abs(found.astype(np.float64) - true) / last


def angles_of_all_sizes():
    random = np.random.default_rng(11)
    sizes = 2.0 ** random.uniform(-30, 127.9, 12_000) * random.choice([-1, 1], 12_000)
    near = np.arange(1, 4_000) * (np.pi / 2)  # what is left is small
    far = np.exp2(random.uniform(12, 45, 2_000))
    far = np.round(far / (np.pi / 2)) * (np.pi / 2)
    # The worst of float32: 1.6e-9 is left.
    worst = [16367173 * 2.0**72, 1e7, 2.0**17, 3.4028235e38]
    return np.concatenate([sizes, near, far, worst]).astype(np.float32)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_angles_of_any_size_are_right(name):
    ours, true = FUNCTIONS[name]
    angles = angles_of_all_sizes()
    found = model.compile(ours, angles)(angles)
    assert units(found, angles, true).max() <= MOST


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("most", [3, 30, 1e3, 131_071])
def test_angles_of_a_known_size_are_right(name, most):
    ours, true = FUNCTIONS[name]
    angles = np.random.default_rng(5).uniform(-most, most, 6_000).astype(np.float32)
    whole = np.round(angles[:2_000] / (np.pi / 2)) * (np.pi / 2)
    angles[:2_000] = np.clip(whole, -most, most)
    found = model.compile(lambda x: ours(jnp.clip(x, -most, most)), angles)(angles)
    assert units(found, angles, true).max() <= MOST


def test_what_is_no_angle_has_no_sine():
    none = np.array([np.inf, -np.inf, np.nan], np.float32)
    for function in (jnp.sin, jnp.cos):
        assert np.isnan(model.compile(function, none)(none)).all()


def test_a_zero_keeps_its_sign():
    zeros = np.array([0.0, -0.0], np.float32)
    assert np.signbit(model.compile(jnp.sin, zeros)(zeros)).tolist() == [False, True]


@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
def test_narrow_angles_round_once(dtype):
    angles = jnp.asarray(angles_of_all_sizes()[:6_000]).astype(dtype)
    angles = angles[jnp.isfinite(angles)]
    found = np.asarray(model.compile(jnp.sin, np.asarray(angles))(np.asarray(angles)))
    wide = np.asarray(angles.astype(jnp.float32))
    nearest = np.asarray(jnp.asarray(np.sin(wide.astype(np.float64)), jnp.float32).astype(dtype))
    step = float(jnp.finfo(dtype).eps)
    np.testing.assert_allclose(
        found.astype(np.float32), nearest.astype(np.float32), rtol=step, atol=1e-6
    )


def test_small_angles_do_not_pay_for_large_ones():
    x = np.zeros((512, 2048), np.float32)

    def seconds(function):
        return model.compile(function, x).run(x, timed=True).seconds

    tanh, any_size = seconds(jnp.tanh), seconds(jnp.sin)
    few = seconds(lambda x: jnp.sin(jnp.clip(x, -30, 30)))
    assert few < 6 * tanh
    assert 4 * few < any_size


def test_bounds_follow_from_what_an_angle_is_computed_from():
    """A position and a frequency below one: no digits of pi."""
    frequencies = np.exp(-np.arange(32) / 4).astype(np.float32)

    def rotated(positions):
        return jnp.sin(positions.astype(jnp.float32)[:, None] * frequencies)

    positions = np.arange(0, 60_000, 97, dtype=np.uint16)
    angles = positions.astype(np.float32)[:, None] * frequencies
    short = model.compile(rotated, positions).run(positions, timed=True)
    assert units(np.asarray(short.results), angles, np.sin).max() <= MOST
    unbounded = positions.astype(np.float32)
    long = model.compile(rotated, unbounded).run(unbounded, timed=True)
    assert short.seconds < long.seconds / 2
