// tolerance: 0.0002
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// in: draw 3 -1 9.5367431640625e-07 2097153
// out: sums -2.89975873 -2.21194145 -1.778081 -1.67370357 -1.77452242 -1.93088271 -1.79610609 -2.07302233 -2.05736662 -1.03822606 -2.40109026 -3.13084693 -2.3396033 -1.45458709 -2.05266284 -1.65975788
// cost: 68 instructions, 2082486 ticks
module {
  func.func public @main(%arg0: tensor<1x260x8xf32>, %arg1: tensor<1x600x8xf32>, %arg2: tensor<1x600x8xf32>) -> (tensor<1x260x8xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<1x260x8xf32>, tensor<1x600x8xf32>) -> tensor<1x260x600xf32>
    %cst = stablehlo.constant dense<2.500000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x260x600xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<1x260x600xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst_0) applies stablehlo.maximum across dimensions = [2] : (tensor<1x260x600xf32>, tensor<f32>) -> tensor<1x260xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<1x260xf32>
    %5 = stablehlo.maximum %4, %3 : tensor<1x260xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1] : (tensor<1x260xf32>) -> tensor<1x260x1xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2] : (tensor<1x260x1xf32>) -> tensor<1x260x600xf32>
    %8 = stablehlo.subtract %2, %7 : tensor<1x260x600xf32>
    %9 = stablehlo.exponential %8 : tensor<1x260x600xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<1x260x600xf32>, tensor<f32>) -> tensor<1x260xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<1x260xf32>) -> tensor<1x260x1xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<1x260x1xf32>) -> tensor<1x260x600xf32>
    %13 = stablehlo.divide %9, %12 : tensor<1x260x600xf32>
    %14 = stablehlo.dot_general %13, %arg2, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<1x260x600xf32>, tensor<1x600x8xf32>) -> tensor<1x260x8xf32>
    return %14 : tensor<1x260x8xf32>
  }
}
