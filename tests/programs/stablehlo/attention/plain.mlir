// tolerance: 0.0002
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// in: draw 3 -1 9.5367431640625e-07 2097153
// out: sums -9.03228498 -8.42875412 -5.434555 -5.89358132 -5.04672031 -5.36583422 -1.47860028 -6.05950227 -5.04332556 -1.69639664 -6.55372684 -9.47464797 -4.91734892 -2.37197455 -9.21544081 -2.90287543
// cost: 46 instructions, 1695227 ticks
module {
  func.func public @main(%arg0: tensor<2x3x20x16xf32>, %arg1: tensor<2x3x20x16xf32>, %arg2: tensor<2x3x20x16xf32>) -> (tensor<2x3x20x16xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x3x20x16xf32>, tensor<2x3x20x16xf32>) -> tensor<2x3x20x20xf32>
    %cst = stablehlo.constant dense<2.500000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x3x20x20xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x3x20x20xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x3x20x20xf32>, tensor<f32>) -> tensor<2x3x20xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x3x20xf32>
    %5 = stablehlo.maximum %4, %3 : tensor<2x3x20xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<2x3x20xf32>) -> tensor<2x3x20x1xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2, 3] : (tensor<2x3x20x1xf32>) -> tensor<2x3x20x20xf32>
    %8 = stablehlo.subtract %2, %7 : tensor<2x3x20x20xf32>
    %9 = stablehlo.exponential %8 : tensor<2x3x20x20xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x3x20x20xf32>, tensor<f32>) -> tensor<2x3x20xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<2x3x20xf32>) -> tensor<2x3x20x1xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3] : (tensor<2x3x20x1xf32>) -> tensor<2x3x20x20xf32>
    %13 = stablehlo.divide %9, %12 : tensor<2x3x20x20xf32>
    %14 = stablehlo.dot_general %13, %arg2, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x3x20x20xf32>, tensor<2x3x20x16xf32>) -> tensor<2x3x20x16xf32>
    return %14 : tensor<2x3x20x16xf32>
  }
}
