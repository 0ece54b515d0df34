// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: sums 3.65045572 4.31057511 3.94565188 2.96595623 3.7012318 3.26287026 2.96515049 2.64077271 3.26647911 3.10435599 3.02366099 4.10878105 3.70912102 3.11500943 3.36266298 3.09979612
// cost: 20 instructions, 2827840 ticks
module {
  func.func public @main(%arg0: tensor<4x30x9xf32>) -> (tensor<4x30x9xf32>) {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<4x30x9xf32>, tensor<f32>) -> tensor<4x9xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x9xf32>
    %2 = stablehlo.maximum %1, %0 : tensor<4x9xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0, 2] : (tensor<4x9xf32>) -> tensor<4x1x9xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<4x1x9xf32>) -> tensor<4x30x9xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<4x30x9xf32>
    %6 = stablehlo.exponential %5 : tensor<4x30x9xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<4x30x9xf32>, tensor<f32>) -> tensor<4x9xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 2] : (tensor<4x9xf32>) -> tensor<4x1x9xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<4x1x9xf32>) -> tensor<4x30x9xf32>
    %10 = stablehlo.divide %6, %9 : tensor<4x30x9xf32>
    return %10 : tensor<4x30x9xf32>
  }
}
