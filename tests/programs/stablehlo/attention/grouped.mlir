// tolerance: 0.0002
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// in: draw 3 -1 9.5367431640625e-07 2097153
// out: sums -3.14572388 -4.40156382 -5.91580527 -5.86756984 -2.93592017 -2.4946727 -3.50445028 -4.16630007 -4.78896161 -5.73048031 -6.00889968 -5.06864952 -2.77580919 -1.42766022 -9.50110111 -5.13002579
// cost: 26 instructions, 1279464 ticks
module {
  func.func public @main(%arg0: tensor<1x2x3x20x16xf32>, %arg1: tensor<1x2x24x16xf32>, %arg2: tensor<1x2x24x16xf32>) -> (tensor<1x2x3x20x16xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 1] x [0, 1], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x2x3x20x16xf32>, tensor<1x2x24x16xf32>) -> tensor<1x2x3x20x24xf32>
    %cst = stablehlo.constant dense<2.500000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x3x20x24xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<1x2x3x20x24xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst_0) applies stablehlo.maximum across dimensions = [4] : (tensor<1x2x3x20x24xf32>, tensor<f32>) -> tensor<1x2x3x20xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<1x2x3x20xf32>
    %5 = stablehlo.maximum %4, %3 : tensor<1x2x3x20xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2, 3] : (tensor<1x2x3x20xf32>) -> tensor<1x2x3x20x1xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2, 3, 4] : (tensor<1x2x3x20x1xf32>) -> tensor<1x2x3x20x24xf32>
    %8 = stablehlo.subtract %2, %7 : tensor<1x2x3x20x24xf32>
    %9 = stablehlo.exponential %8 : tensor<1x2x3x20x24xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_2) applies stablehlo.add across dimensions = [4] : (tensor<1x2x3x20x24xf32>, tensor<f32>) -> tensor<1x2x3x20xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2, 3] : (tensor<1x2x3x20xf32>) -> tensor<1x2x3x20x1xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3, 4] : (tensor<1x2x3x20x1xf32>) -> tensor<1x2x3x20x24xf32>
    %13 = stablehlo.divide %9, %12 : tensor<1x2x3x20x24xf32>
    %14 = stablehlo.dot_general %13, %arg2, batching_dims = [0, 1] x [0, 1], contracting_dims = [4] x [2], precision = [DEFAULT, DEFAULT] : (tensor<1x2x3x20x24xf32>, tensor<1x2x24x16xf32>) -> tensor<1x2x3x20x16xf32>
    return %14 : tensor<1x2x3x20x16xf32>
  }
}
