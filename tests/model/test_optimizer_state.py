"""Does memory hold an optimiser's state, and nothing else, in the format of its class?"""

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import optax
import pytest
import trainyard
from trainyard import _core, graph, model, precision

RANDOM = np.random.default_rng(0)
WIDTH = 128


def normal(*shape):
    return RANDOM.normal(size=shape).astype(np.float32) / 8


WEIGHTS = {"w": normal(WIDTH, WIDTH), "b": normal(WIDTH), "v": normal(WIDTH, 1)}
BATCH = normal(64, WIDTH), normal(64, 1)


def loss(p, x, y):
    return (((jnp.tanh(x @ p["w"] + p["b"]) @ p["v"]) - y) ** 2).mean()


def step_of(optimiser, objective=loss):
    def step(p, state, x, y):
        value, gradients = jax.value_and_grad(objective)(p, x, y)
        updates, state = optimiser.update(gradients, state, p)
        return optax.apply_updates(p, updates), state, value

    return step


def compiled(optimiser, formats="optimizer_state=bf16", p=WEIGHTS, batch=BATCH, **options):
    state = optimiser.init(p)
    return model.compile(step_of(optimiser), p, state, *batch, precision=formats, **options)


def members(of):
    return [(count, done) for name, _, count, done in of.formats if name == "optimizer_state"]


def arrays(tree):
    return [np.asarray(leaf) for leaf in jax.tree.leaves(tree) if np.ndim(leaf)]


def in_bf16(x):
    return np.asarray(x, np.float32).astype(ml_dtypes.bfloat16).astype(np.float32)


@pytest.mark.parametrize(
    "optimiser, arrays_of_a_weight",
    [
        (optax.adamw(1e-3), 2),
        (optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(1e-3)), 2),
        (optax.lion(1e-3), 1),
        (optax.sgd(0.1, momentum=0.9, nesterov=True), 1),
        (optax.rmsprop(1e-3, momentum=0.9), 2),  # one reads the other
        (optax.amsgrad(1e-3), 3),
        (optax.apply_if_finite(optax.adamw(1e-3), 5), 2),  # in a branch
        (optax.MultiSteps(optax.adamw(1e-3), 2).gradient_transformation(), 3),
    ],
)
def test_state_is_found_by_how_it_is_updated(optimiser, arrays_of_a_weight):
    count = arrays_of_a_weight * len(WEIGHTS)
    assert members(compiled(optimiser)) == [(count, count)]


def test_weights_statistics_and_averages_are_no_state():
    def step(p, average, mean, x, y):
        def objective(p):
            hidden = x @ p["w"]
            return (hidden + p["b"]).sum() + p["v"].sum(), hidden.mean(0)  # b's gradient: a number

        (value, seen), gradients = jax.value_and_grad(objective, has_aux=True)(p)
        p = jax.tree.map(lambda a, g: a - 0.1 * g, p, gradients)
        average = jax.tree.map(lambda a, b: 0.9 * a + 0.1 * b, average, p)
        return p, average, 0.9 * mean + 0.1 * seen, value

    with pytest.warns(UserWarning, match="no argument is updated with a gradient"):
        found = model.compile(
            step, WEIGHTS, WEIGHTS, WEIGHTS["b"], *BATCH, precision="optimizer_state=bf16"
        )
    assert members(found) == [(0, 0)]


def test_results_are_those_of_state_that_is_rounded_at_each_step():
    optimiser = optax.adamw(1e-2, b2=0.99)
    narrow, p, state = compiled(optimiser), WEIGHTS, optimiser.init(WEIGHTS)

    @jax.jit
    def expected(p, state, x, y):
        """AdamW written out, with moments as BF16 holds them."""
        gradients = jax.grad(loss)(p, x, y)
        count, held = state[0].count + 1, lambda a: a.astype(jnp.bfloat16).astype(jnp.float32)
        mu = jax.tree.map(lambda m, g: held(0.9 * m + 0.1 * g), state[0].mu, gradients)
        nu = jax.tree.map(lambda v, g: held(0.99 * v + 0.01 * g * g), state[0].nu, gradients)

        def moved(w, m, v):
            m, v = m / (1 - 0.9**count), v / (1 - 0.99**count)
            return w - 1e-2 * (m / (jnp.sqrt(v) + 1e-8) + 1e-4 * w)

        return jax.tree.map(moved, p, mu, nu), mu, nu

    for _ in range(3):
        wanted, mu, nu = expected(p, state, *BATCH)
        p, state, _ = narrow(p, state, *BATCH)
        for found, moment in zip(arrays(state), arrays((mu, nu)), strict=True):
            np.testing.assert_array_equal(found, in_bf16(found))
            np.testing.assert_allclose(found, moment, rtol=0.02, atol=1e-9)  # sums differ
            assert (found == moment).mean() > 0.98
        for found, weight in zip(arrays(p), arrays(wanted), strict=True):
            np.testing.assert_allclose(found, weight, rtol=1e-3, atol=1e-4)


def test_the_machine_and_the_evaluator_agree():
    optimiser = optax.sgd(0.1, momentum=0.9)
    narrow = compiled(optimiser)
    given = WEIGHTS, jax.tree.map(np.ones_like, optimiser.init(WEIGHTS)), *BATCH
    meant = graph.evaluate(narrow._core.module, *jax.tree.leaves(given))
    for found, wanted in zip(jax.tree.leaves(narrow(*given)), meant, strict=True):
        np.testing.assert_allclose(found, wanted, rtol=2**-7)


def test_state_that_is_given_in_float32_is_rounded_first():
    optimiser = optax.sgd(0.1, momentum=0.5)
    narrow = compiled(optimiser)
    state = jax.tree.map(lambda a: a + np.float32(1.001), optimiser.init(WEIGHTS))
    rounded = jax.tree.map(in_bf16, state)
    assert np.abs(arrays(rounded)[0] - arrays(state)[0]).max() > 1e-4
    found, wanted = (arrays(narrow(WEIGHTS, each, *BATCH)) for each in (state, rounded))
    for a, b in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(a, b)


LARGE = {"w": np.zeros((1024, 1024), np.float32)}


def cost(optimiser, formats):
    def step(p, state, g):
        gradients = jax.grad(lambda p: (p["w"] * g).sum())(p)
        updates, state = optimiser.update(gradients, state, p)
        return optax.apply_updates(p, updates), state

    found = model.compile(step, LARGE, optimiser.init(LARGE), LARGE["w"], precision=formats)
    run = found.time()
    moved = sum(
        each["bytes"]["read"] + each["bytes"]["written"]
        for report in run.reports
        for each in report["traffic"]
        if each["memory"] == "hbm"
    )
    return moved, run.seconds, found


def test_fewer_bytes_move_and_it_takes_less_time():
    elements = LARGE["w"].size
    for optimiser, count in ((optax.adamw(1e-3), 2), (optax.sgd(0.1, momentum=0.9), 1)):
        typed, typed_seconds, _ = cost(optimiser, None)
        for name, saved in (("bf16", 2), ("fp8_e5m2", 3)):
            moved, seconds, _ = cost(optimiser, f"optimizer_state={name}")
            assert typed - moved == 2 * saved * count * elements  # read and written
            if count == 1:
                assert seconds < 0.9 * typed_seconds


def test_stochastic_rounding_keeps_what_nearest_loses():
    """A moment that decays by less than half a unit of BF16's last place stays where it is."""
    optimiser = optax.sgd(0.0, momentum=0.999)
    state = jax.tree.map(np.ones_like, optimiser.init(WEIGHTS))
    still = {name: np.zeros_like(x) for name, x in WEIGHTS.items()}  # no gradient
    machine = trainyard.load_machine("trn3").with_overrides(["policy.cast_rounding=stochastic"])
    batch = np.zeros_like(BATCH[0]), np.zeros_like(BATCH[1])
    for choice, decays in (("trn3", False), (machine, True)):
        found = compiled(optimiser, p=still, batch=batch, machine=choice)
        now = state
        for seed in range(8):
            _, now, _ = found.run(still, now, *batch, seed=seed).results
        means = [each.mean() for each in arrays(now) if each.size > 1000]
        wanted = 0.999**8 if decays else 1.0
        np.testing.assert_allclose(means, wanted, rtol=1e-3)


def test_an_annotation_counts_more_than_the_flag():
    plain = optax.adamw(1e-3)

    def annotated(text):
        def update(gradients, state, p):
            with precision.using(optimizer_state=text):
                return plain.update(gradients, state, p)

        return optax.GradientTransformation(plain.init, update)

    state = plain.init(WEIGHTS)

    def second(optimiser, formats):
        found = compiled(optimiser, formats)
        return arrays(found(WEIGHTS, found(WEIGHTS, state, *BATCH)[1], *BATCH)[1])

    typed, narrow = second(plain, None), second(plain, "optimizer_state=bf16")
    assert any((a != b).any() for a, b in zip(typed, narrow, strict=True))
    for formats, text, wanted in (
        (None, "bf16", narrow),
        ("optimizer_state=fp8_e5m2", "bf16", narrow),
        ("optimizer_state=bf16", "as-typed", typed),
    ):
        for a, b in zip(second(annotated(text), formats), wanted, strict=True):
            np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("wrong", ["tf32", "mxfp8", "fp8_e4m3_scaled", "mxfp4_stored"])
def test_formats_that_do_not_lie_in_memory_are_refused(wrong):
    with pytest.raises(_core.InputError, match=r"precision\.formats"):
        compiled(optax.adamw(1e-3), f"optimizer_state={wrong}")
