"""Do programs that other frameworks hand over mean what they mean elsewhere, or say why not?

Programs of replicas, as torch_xla has them without SPMD; programs in another form than StableHLO;
custom calls that nobody knows.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jaxlib import _jax, xla_client

X = np.arange(12, dtype=np.float32)
DEVICES = 4

ADD = """({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %c = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %c : tensor<f32>
    })"""


def program(line, result="tensor<3xf32>"):
    return f"""module @replicas {{
  func.func public @main(%x: tensor<3xf32>) -> {result} {{
    %r = {line}
    return %r : {result}
  }}
}}"""


def compiled(text, replicas=DEVICES, partitions=1):
    devices = jax.devices("neuron")[: replicas * partitions]
    options = xla_client.CompileOptions()
    for each in (options, options.executable_build_options):
        each.num_replicas, each.num_partitions = replicas, partitions
    return devices[0].client.compile_and_load(text, _jax.DeviceList(tuple(devices)), options)


def run(text):
    """The result of each replica, whose argument is its row of X."""
    executable = compiled(text)
    mesh = jax.sharding.Mesh(np.array(jax.devices("neuron")[:DEVICES]), ("r",))
    lie = jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec("r"))
    results = executable.execute_sharded([jax.device_put(X, lie)])
    (rows,) = results.disassemble_into_single_device_arrays()
    return np.stack([np.asarray(row) for row in rows])


ROWS = X.reshape(DEVICES, 3)
GROUPS = "replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>"
ALL = "replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>"
SAME = "(tensor<3xf32>) -> tensor<3xf32>"
PAIRS = "source_target_pairs = dense<[[0, 1], [1, 3]]> : tensor<2x2xi64>"


@pytest.mark.parametrize(
    ("line", "result", "wanted"),
    [
        (
            f'"stablehlo.all_reduce"(%x) {ADD} {{{GROUPS}}} : {SAME}',
            "tensor<3xf32>",
            (ROWS + ROWS[[2, 3, 0, 1]]),
        ),
        (
            f'"stablehlo.all_reduce"(%x) {ADD} {{{ALL}, use_global_device_ids, channel_handle = '
            f"#stablehlo.channel_handle<handle = 1, type = 1>}} : {SAME}",
            "tensor<3xf32>",
            np.tile(ROWS.sum(axis=0), (DEVICES, 1)),
        ),
        (
            f'"stablehlo.all_gather"(%x) {{all_gather_dim = 0 : i64, {ALL}}} : '
            "(tensor<3xf32>) -> tensor<12xf32>",
            "tensor<12xf32>",
            np.tile(X, (DEVICES, 1)),
        ),
        (
            f'"stablehlo.collective_permute"(%x) {{{PAIRS}}} : {SAME}',
            "tensor<3xf32>",
            np.stack([0 * ROWS[0], ROWS[0], 0 * ROWS[0], ROWS[1]]),
        ),
        ("stablehlo.replica_id : tensor<ui32>", "tensor<ui32>", np.arange(DEVICES)),
        ("stablehlo.partition_id : tensor<ui32>", "tensor<ui32>", np.zeros(DEVICES)),
    ],
    ids=["groups", "all", "gather", "permute", "replica_id", "partition_id"],
)
def test_replicas_exchange_and_know_their_numbers(neuron, line, result, wanted):
    np.testing.assert_array_equal(run(program(line, result)), wanted)


def test_pmap_runs_on_every_device(neuron):
    def step(x):
        return jax.lax.psum(2 * x, "i") + jax.lax.axis_index("i")

    devices = jax.devices("neuron")
    found = jax.pmap(step, axis_name="i", devices=devices)(ROWS)
    np.testing.assert_array_equal(found, 2 * ROWS.sum(axis=0) + np.arange(DEVICES)[:, None])


PERMUTED = (
    f'"stablehlo.collective_permute"(%x) {{{PAIRS}, channel_handle = '
    f"#stablehlo.channel_handle<handle = 1, type = 1>}} : {SAME}"
)


@pytest.mark.parametrize(
    ("text", "sizes", "said"),
    [
        (program(PERMUTED), (4, 1), "with a channel, which is between partitions"),
        (program("stablehlo.abs %x : tensor<3xf32>"), (2, 2), "2 replicas of 2 partitions"),
    ],
    ids=["channel", "both"],
)
def test_what_cannot_run_is_refused_with_one_reason(neuron, text, sizes, said):
    with pytest.raises(jax.errors.JaxRuntimeError, match=said):
        compiled(text, *sizes)


@pytest.mark.parametrize("at", ["argument", "result"])
@pytest.mark.parametrize("lies", ["{devices=[4,1]0,1,2,3}", "{devices=[2,2]<=[4]}", "{replicated}"])
def test_shardings_of_gspmd_are_refused_unless_they_divide_nothing(neuron, lies, at):
    """As torch_xla writes them."""
    older = f' {{mhlo.sharding = "{lies}"}}'
    kind = "tensor<8x4xf32>"
    text = f"""module @gspmd {{
      func.func public @main(%x: {kind}{older * (at == "argument")})
          -> ({kind}{older * (at == "result")}) {{
        %r = stablehlo.add %x, %x : {kind}
        return %r : {kind}
      }}
    }}"""
    if lies == "{replicated}":
        compiled(text, 1, 4)
        return
    with pytest.raises(jax.errors.JaxRuntimeError, match=r"mhlo\.sharding = .*devices=.*Shardy"):
        compiled(text, 1, 4)


def test_a_call_that_nobody_knows_is_refused_when_it_runs(neuron):
    executable = compiled(program(f"stablehlo.custom_call @mhlo.unheard_of(%x) : {SAME}"), 1)
    with pytest.raises(jax.errors.JaxRuntimeError, match=r"custom_call[^$]*mhlo\.unheard_of"):
        executable.execute_sharded([jax.device_put(X[:3], neuron)])


def test_a_program_in_the_form_of_hlo_is_refused(neuron):
    hlo = jax.jit(jnp.sin).lower(X[:3]).compiler_ir("hlo").as_serialized_hlo_module_proto()
    with pytest.raises(jax.errors.JaxRuntimeError, match="StableHLO"):
        compiled(hlo, 1)
