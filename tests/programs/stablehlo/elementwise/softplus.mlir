// tolerance: 2e-05
// in: draw 1 -4 3.814697265625e-06 2097152
// out: sums 100.981474 131.439153 136.101314 132.233151 107.527331 124.172794 105.661411 100.644757 108.352719 91.5817213 107.855387 114.233087 110.80802 108.913195 124.907538 114.234944
// cost: 3 instructions, 589193 ticks
module {
  func.func public @main(%arg0: tensor<30x33xf32>) -> (tensor<30x33xf32>) {
    %0 = call @softplus(%arg0) : (tensor<30x33xf32>) -> tensor<30x33xf32>
    return %0 : tensor<30x33xf32>
  }
  func.func private @softplus(%arg0: tensor<30x33xf32>) -> tensor<30x33xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<30x33xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<30x33xf32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<30x33xf32>
    %3 = stablehlo.subtract %arg0, %2 : tensor<30x33xf32>
    %4 = stablehlo.compare NE, %3, %3, FLOAT : (tensor<30x33xf32>, tensor<30x33xf32>) -> tensor<30x33xi1>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<30x33xf32>
    %6 = stablehlo.add %arg0, %5 : tensor<30x33xf32>
    %7 = stablehlo.abs %3 : tensor<30x33xf32>
    %8 = stablehlo.negate %7 : tensor<30x33xf32>
    %9 = stablehlo.exponential %8 : tensor<30x33xf32>
    %10 = stablehlo.log_plus_one %9 : tensor<30x33xf32>
    %11 = stablehlo.add %1, %10 : tensor<30x33xf32>
    %12 = stablehlo.select %4, %6, %11 : tensor<30x33xi1>, tensor<30x33xf32>
    return %12 : tensor<30x33xf32>
  }
}
