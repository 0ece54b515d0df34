// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums 43.6275756 33.0826335 53.6057402 35.6448382 43.6454187 38.0787996 47.7180811 29.7127215 37.7117356 37.8030131 37.0850136 33.4262744 53.9795031 47.0050555 27.7918852 36.0007644
// cost: 16 instructions, 852074 ticks
module {
  func.func public @main(%arg0: tensor<129x2xf32>, %arg1: tensor<129x2xf32>) -> (tensor<129x2xf32>) {
    %0 = stablehlo.add %arg0, %arg1 : tensor<129x2xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<129x2xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<129x2xf32>
    %3 = stablehlo.multiply %arg0, %arg1 : tensor<129x2xf32>
    %4 = stablehlo.subtract %2, %3 : tensor<129x2xf32>
    %5 = stablehlo.tanh %4 : tensor<129x2xf32>
    %cst_0 = stablehlo.constant dense<1.500000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<129x2xf32>
    %7 = stablehlo.add %5, %6 : tensor<129x2xf32>
    return %7 : tensor<129x2xf32>
  }
}
