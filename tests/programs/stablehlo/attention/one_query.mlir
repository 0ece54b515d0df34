// tolerance: 0.0002
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// in: draw 3 -1 9.5367431640625e-07 2097153
// out: sums -0.464198687 -0.290893835 -0.495631439 0.464469166 -0.482462145 0.473893954 -0.0714338466 0.0921668805 -0.12123164 0.115991059 0.136087776 0.0647099198 0.574779238 -0.898178804 -0.00523676009 0.413244763
// cost: 56 instructions, 2058461 ticks
module {
  func.func public @main(%arg0: tensor<2x4x1x16xf32>, %arg1: tensor<2x4x50x16xf32>, %arg2: tensor<2x4x50x16xf32>) -> (tensor<2x4x1x16xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x4x1x16xf32>, tensor<2x4x50x16xf32>) -> tensor<2x4x1x50xf32>
    %cst = stablehlo.constant dense<2.500000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x1x50xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x4x1x50xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x1x50xf32>, tensor<f32>) -> tensor<2x4x1xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x1xf32>
    %5 = stablehlo.maximum %4, %3 : tensor<2x4x1xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<2x4x1xf32>) -> tensor<2x4x1x1xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2, 3] : (tensor<2x4x1x1xf32>) -> tensor<2x4x1x50xf32>
    %8 = stablehlo.subtract %2, %7 : tensor<2x4x1x50xf32>
    %9 = stablehlo.exponential %8 : tensor<2x4x1x50xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x4x1x50xf32>, tensor<f32>) -> tensor<2x4x1xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<2x4x1xf32>) -> tensor<2x4x1x1xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3] : (tensor<2x4x1x1xf32>) -> tensor<2x4x1x50xf32>
    %13 = stablehlo.divide %9, %12 : tensor<2x4x1x50xf32>
    %14 = stablehlo.dot_general %13, %arg2, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x4x1x50xf32>, tensor<2x4x50x16xf32>) -> tensor<2x4x1x16xf32>
    return %14 : tensor<2x4x1x16xf32>
  }
}
