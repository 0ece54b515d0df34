"""Products of matrices that four devices divide: three alike, and one whose operand is divided."""

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec

mesh = Mesh(np.array(jax.devices("neuron")), ("x",))
columns = NamedSharding(mesh, PartitionSpec(None, "x"))
rows = NamedSharding(mesh, PartitionSpec("x"))
whole = NamedSharding(mesh, PartitionSpec())


@jax.jit
def step(x, gate, up, side, down):
    return (jax.nn.silu(x @ gate) * (x @ up) + x @ side) @ down


ups = [jax.device_put(jnp.ones((512, 1024), jnp.bfloat16), columns) for _ in range(3)]
down = jax.device_put(jnp.ones((1024, 512), jnp.bfloat16), rows)
step(jax.device_put(jnp.ones((256, 512), jnp.bfloat16), whole), *ups, down).block_until_ready()
