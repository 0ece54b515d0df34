"""A script whose operations stand in lines of flax and optax."""

import flax.linen as nn
import jax
import jax.numpy as jnp
import optax


class Layer(nn.Module):
    @nn.compact
    def __call__(self, x):
        return nn.LayerNorm()(nn.Dense(64)(x))


x = jnp.ones((256, 64))
with jax.default_device(jax.devices("cpu")[0]):
    weights = Layer().init(jax.random.key(0), x)
optimizer = optax.adam(1e-3)


@jax.jit
def step(weights, x):
    gradients = jax.grad(lambda w: (Layer().apply(w, x) ** 2).mean())(weights)
    updates, _ = optimizer.update(gradients, optimizer.init(weights))
    return optax.apply_updates(weights, updates)


print(jax.tree.leaves(step(weights, x))[0].shape)
