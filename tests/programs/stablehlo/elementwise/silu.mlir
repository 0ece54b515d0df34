// tolerance: 2e-05
// in: draw 1 -4 3.814697265625e-06 2097152
// out: sums 64.7106567 91.755477 97.5101276 97.069546 70.4758021 92.7853077 76.8330286 70.4655328 70.7280816 59.208986 68.2256539 72.3615521 79.5379724 73.2305484 94.8516837 78.915551
// cost: 3 instructions, 589193 ticks
module {
  func.func public @main(%arg0: tensor<30x33xf32>) -> (tensor<30x33xf32>) {
    %0 = call @silu(%arg0) : (tensor<30x33xf32>) -> tensor<30x33xf32>
    return %0 : tensor<30x33xf32>
  }
  func.func private @silu(%arg0: tensor<30x33xf32>) -> tensor<30x33xf32> {
    %0 = stablehlo.negate %arg0 : tensor<30x33xf32>
    %1 = stablehlo.exponential %0 : tensor<30x33xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<30x33xf32>
    %3 = stablehlo.add %2, %1 : tensor<30x33xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<30x33xf32>
    %5 = stablehlo.divide %4, %3 : tensor<30x33xf32>
    %6 = stablehlo.multiply %arg0, %5 : tensor<30x33xf32>
    return %6 : tensor<30x33xf32>
  }
}
