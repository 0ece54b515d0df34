// tolerance: 1e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums -54.4943356 20.0807092 4.19525899 -30.3130158 30.1394557 28.827604 -70.3981352 -15.3247194 7.93310605 -54.0087094 -52.8549689 -60.5317835 16.8135722 -20.4872036 -0.489418184 34.3232701
// cost: 41 instructions, 1608592 ticks
module {
  func.func public @main(%arg0: tensor<2x100x6x32xf32>, %arg1: tensor<32xf32>) -> (tensor<2x100x6x32xf32>) {
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<2x100x6x32xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [3] : (tensor<2x100x6x32xf32>, tensor<f32>) -> tensor<2x100x6xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2] : (tensor<2x100x6xf32>) -> tensor<2x100x6x1xf32>
    %cst_0 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x100x6x1xf32>
    %4 = stablehlo.divide %2, %3 : tensor<2x100x6x1xf32>
    %cst_1 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x100x6x1xf32>
    %6 = stablehlo.add %4, %5 : tensor<2x100x6x1xf32>
    %7 = stablehlo.rsqrt %6 : tensor<2x100x6x1xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2, 3] : (tensor<2x100x6x1xf32>) -> tensor<2x100x6x32xf32>
    %9 = stablehlo.multiply %arg0, %8 : tensor<2x100x6x32xf32>
    %10 = stablehlo.broadcast_in_dim %arg1, dims = [3] : (tensor<32xf32>) -> tensor<1x1x1x32xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2, 3] : (tensor<1x1x1x32xf32>) -> tensor<2x100x6x32xf32>
    %12 = stablehlo.multiply %9, %11 : tensor<2x100x6x32xf32>
    return %12 : tensor<2x100x6x32xf32>
  }
}
