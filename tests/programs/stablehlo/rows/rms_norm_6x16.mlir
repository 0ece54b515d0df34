// tolerance: 5e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums 2.39887608 1.28783287 -2.42514952 -2.53764239 1.70182462 -0.00231771122 -5.62208007 0 5.20811018 -1.37748555 -0.740921842 1.48913686 -0.380259272 0.794647008 -0.220125201 -0.730625139
// cost: 9 instructions, 875002 ticks
module {
  func.func public @main(%arg0: tensor<6x16xf32>, %arg1: tensor<16xf32>) -> (tensor<6x16xf32>) {
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<6x16xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<6x16xf32>, tensor<f32>) -> tensor<6xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<6xf32>) -> tensor<6x1xf32>
    %cst_0 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<6x1xf32>
    %4 = stablehlo.divide %2, %3 : tensor<6x1xf32>
    %cst_1 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<6x1xf32>
    %6 = stablehlo.add %4, %5 : tensor<6x1xf32>
    %7 = stablehlo.rsqrt %6 : tensor<6x1xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<6x1xf32>) -> tensor<6x16xf32>
    %9 = stablehlo.multiply %arg0, %8 : tensor<6x16xf32>
    %10 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<16xf32>) -> tensor<1x16xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<1x16xf32>) -> tensor<6x16xf32>
    %12 = stablehlo.multiply %9, %11 : tensor<6x16xf32>
    return %12 : tensor<6x16xf32>
  }
}
