"""A step that four devices divide, and one that is compiled only."""

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

mesh = Mesh(np.array(jax.devices("neuron")), ("x",))


def step(w, x):
    return jnp.tanh(x @ w).sum(0)


rows = NamedSharding(mesh, P("x"))
x = jax.device_put(np.ones((64, 32), np.float32), rows)
print("sum", float(jax.jit(step)(np.ones((32, 16), np.float32) / 64, x)[0]))
wide = jax.ShapeDtypeStruct((8192, 4096), jnp.bfloat16, sharding=rows)
tall = jax.ShapeDtypeStruct((4096, 8192), jnp.bfloat16, sharding=NamedSharding(mesh, P(None, "x")))
print("seconds", jax.jit(step).lower(tall, wide).compile().cost_analysis()["seconds"])
