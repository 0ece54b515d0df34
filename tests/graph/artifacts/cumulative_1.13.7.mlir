#loc = loc(unknown)
#loc1 = loc("a")
#loc4 = loc("reduce_window_sum")
#loc7 = loc("reduce_window_sum:"(#loc4))
module @jit_cumsum attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x7xf32> loc("a")) -> (tensor<2x7xf32> {jax.result_info = "result"}) {
    %0 = call @cumsum(%arg0) : (tensor<2x7xf32>) -> tensor<2x7xf32> loc(#loc9)
    return %0 : tensor<2x7xf32> loc(#loc10)
  } loc(#loc)
  func.func private @cumsum(%arg0: tensor<2x7xf32> loc(unknown)) -> tensor<2x7xf32> {
    %0 = call @cumsum_0(%arg0) : (tensor<2x7xf32>) -> tensor<2x7xf32> loc(#loc)
    return %0 : tensor<2x7xf32> loc(#loc)
  } loc(#loc12)
  func.func private @cumsum_0(%arg0: tensor<2x7xf32> loc(unknown)) -> tensor<2x7xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32> loc(#loc4)
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32> loc(#loc4)
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{padding = dense<[[0, 0], [6, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 1, 7>}> ({
    ^bb0(%arg1: tensor<f32> loc("reduce_window_sum:"(#loc4)), %arg2: tensor<f32> loc("reduce_window_sum:"(#loc4))):
      %2 = stablehlo.add %arg1, %arg2 : tensor<f32> loc(#loc4)
      stablehlo.return %2 : tensor<f32> loc(#loc4)
    }) : (tensor<2x7xf32>, tensor<f32>) -> tensor<2x7xf32> loc(#loc4)
    return %1 : tensor<2x7xf32> loc(#loc)
  } loc(#loc)
} loc(#loc)
#loc2 = loc("tests/graph/jax_programs.py":22:14 to :98)
#loc3 = loc("tests/graph/write_corpus.py":40:33 to :96)
#loc5 = loc("artifact_of"(#loc2))
#loc6 = loc("<module>"(#loc3))
#loc8 = loc(callsite(#loc5 at #loc6))
#loc9 = loc("jit(cumsum)/jit(cumsum)"(#loc8))
#loc10 = loc("jit(cumsum)"(#loc8))
#loc11 = loc("jit(cumsum)/jit"(#loc8))
#loc12 = loc("jit:"(#loc11))
