// tolerance: 0.0002
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// in: draw 3 -1 9.5367431640625e-07 2097153
// out: sums -4.33075296 -2.80352844 -2.25520426 -2.89816765 -2.85132314 -1.02422299 -2.87998497 -0.463733787 -2.43928599 -3.61944269 -4.04038517 -3.46700714 -0.18964178 1.47266716 -5.35133611 -2.75875313
// cost: 26 instructions, 1076710 ticks
module {
  func.func public @main(%arg0: tensor<1x140x16xf32>, %arg1: tensor<1x33x16xf32>, %arg2: tensor<1x33x16xf32>) -> (tensor<1x140x16xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<1x140x16xf32>, tensor<1x33x16xf32>) -> tensor<1x140x33xf32>
    %cst = stablehlo.constant dense<2.500000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x140x33xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<1x140x33xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst_0) applies stablehlo.maximum across dimensions = [2] : (tensor<1x140x33xf32>, tensor<f32>) -> tensor<1x140xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<1x140xf32>
    %5 = stablehlo.maximum %4, %3 : tensor<1x140xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1] : (tensor<1x140xf32>) -> tensor<1x140x1xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2] : (tensor<1x140x1xf32>) -> tensor<1x140x33xf32>
    %8 = stablehlo.subtract %2, %7 : tensor<1x140x33xf32>
    %9 = stablehlo.exponential %8 : tensor<1x140x33xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<1x140x33xf32>, tensor<f32>) -> tensor<1x140xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<1x140xf32>) -> tensor<1x140x1xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<1x140x1xf32>) -> tensor<1x140x33xf32>
    %13 = stablehlo.divide %9, %12 : tensor<1x140x33xf32>
    %14 = stablehlo.dot_general %13, %arg2, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<1x140x33xf32>, tensor<1x33x16xf32>) -> tensor<1x140x16xf32>
    return %14 : tensor<1x140x16xf32>
  }
}
