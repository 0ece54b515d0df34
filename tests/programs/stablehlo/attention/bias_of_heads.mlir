// tolerance: 0.0002
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// in: draw 3 -1 9.5367431640625e-07 2097153
// in: draw 9 -1 9.5367431640625e-07 2097153
// out: sums -8.18297375 -6.26825226 -6.60070717 -5.16536608 -5.49507641 -6.22957578 0.050696945 -8.13571335 -6.54566549 -3.43801805 -5.78686131 -8.04441736 -4.41368464 -3.45595839 -12.0042042 -1.62408453
// cost: 48 instructions, 1749267 ticks
module {
  func.func public @main(%arg0: tensor<2x3x20x16xf32>, %arg1: tensor<2x3x20x16xf32>, %arg2: tensor<2x3x20x16xf32>, %arg3: tensor<3x20x20xf32>) -> (tensor<2x3x20x16xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x3x20x16xf32>, tensor<2x3x20x16xf32>) -> tensor<2x3x20x20xf32>
    %cst = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x3x20x20xf32>
    %2 = stablehlo.divide %0, %1 : tensor<2x3x20x20xf32>
    %3 = stablehlo.broadcast_in_dim %arg3, dims = [1, 2, 3] : (tensor<3x20x20xf32>) -> tensor<1x3x20x20xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2, 3] : (tensor<1x3x20x20xf32>) -> tensor<2x3x20x20xf32>
    %5 = stablehlo.add %2, %4 : tensor<2x3x20x20xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %6 = stablehlo.reduce(%5 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x3x20x20xf32>, tensor<f32>) -> tensor<2x3x20xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x3x20xf32>
    %8 = stablehlo.maximum %7, %6 : tensor<2x3x20xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<2x3x20xf32>) -> tensor<2x3x20x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2, 3] : (tensor<2x3x20x1xf32>) -> tensor<2x3x20x20xf32>
    %11 = stablehlo.subtract %5, %10 : tensor<2x3x20x20xf32>
    %12 = stablehlo.exponential %11 : tensor<2x3x20x20xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.reduce(%12 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x3x20x20xf32>, tensor<f32>) -> tensor<2x3x20xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2] : (tensor<2x3x20xf32>) -> tensor<2x3x20x1xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2, 3] : (tensor<2x3x20x1xf32>) -> tensor<2x3x20x20xf32>
    %16 = stablehlo.divide %12, %15 : tensor<2x3x20x20xf32>
    %17 = stablehlo.dot_general %16, %arg2, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x3x20x20xf32>, tensor<2x3x20x16xf32>) -> tensor<2x3x20x16xf32>
    return %17 : tensor<2x3x20x16xf32>
  }
}
