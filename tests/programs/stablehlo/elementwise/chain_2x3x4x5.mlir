// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums 21.4735887 18.3695753 21.7164853 23.78928 29.2231516 15.5126163 17.8427878 4.00794284 20.8075537 11.266945 18.1548584 14.7146524 23.3191401 26.6339138 15.8305124 26.4728493
// cost: 8 instructions, 684392 ticks
module {
  func.func public @main(%arg0: tensor<2x3x4x5xf32>, %arg1: tensor<2x3x4x5xf32>) -> (tensor<2x3x4x5xf32>) {
    %0 = stablehlo.add %arg0, %arg1 : tensor<2x3x4x5xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x3x4x5xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x3x4x5xf32>
    %3 = stablehlo.multiply %arg0, %arg1 : tensor<2x3x4x5xf32>
    %4 = stablehlo.subtract %2, %3 : tensor<2x3x4x5xf32>
    %5 = stablehlo.tanh %4 : tensor<2x3x4x5xf32>
    %cst_0 = stablehlo.constant dense<1.500000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x3x4x5xf32>
    %7 = stablehlo.add %5, %6 : tensor<2x3x4x5xf32>
    return %7 : tensor<2x3x4x5xf32>
  }
}
