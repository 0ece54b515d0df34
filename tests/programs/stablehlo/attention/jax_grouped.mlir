// tolerance: 0.0002
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// in: draw 3 -1 9.5367431640625e-07 2097153
// out: sums -8.75486027 -7.0109343 -8.28128236 -9.13418778 -6.08511239 -5.28738804 -5.01505953 -5.67028935 -6.11074254 -6.90557045 -8.1047684 -8.02672746 -4.14301752 -3.91038336 -10.3247325 -5.55719699
// cost: 29 instructions, 2222224 ticks
module {
  func.func public @main(%arg0: tensor<1x30x4x16xf32>, %arg1: tensor<1x30x2x16xf32>, %arg2: tensor<1x30x2x16xf32>) -> (tensor<1x30x4x16xf32>) {
    %0 = stablehlo.reshape %arg0 : (tensor<1x30x4x16xf32>) -> tensor<1x30x2x2x16xf32>
    %1 = stablehlo.dot_general %0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x30x2x2x16xf32>, tensor<1x30x2x16xf32>) -> tensor<1x2x30x2x30xf32>
    %cst = stablehlo.constant dense<2.500000e-01> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x30x2x30xf32>
    %3 = stablehlo.multiply %1, %2 : tensor<1x2x30x2x30xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.maximum across dimensions = [4] : (tensor<1x2x30x2x30xf32>, tensor<f32>) -> tensor<1x2x30x2xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<1x2x30x2xf32>
    %6 = stablehlo.maximum %5, %4 : tensor<1x2x30x2xf32>
    %7 = stablehlo.transpose %6, dims = [3, 0, 1, 2] : (tensor<1x2x30x2xf32>) -> tensor<2x1x2x30xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2, 3] : (tensor<2x1x2x30xf32>) -> tensor<2x1x2x30x1xf32>
    %9 = stablehlo.transpose %3, dims = [3, 0, 1, 2, 4] : (tensor<1x2x30x2x30xf32>) -> tensor<2x1x2x30x30xf32>
    %10 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2, 3, 4] : (tensor<2x1x2x30x1xf32>) -> tensor<2x1x2x30x30xf32>
    %11 = stablehlo.subtract %9, %10 : tensor<2x1x2x30x30xf32>
    %12 = stablehlo.exponential %11 : tensor<2x1x2x30x30xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.reduce(%12 init: %cst_2) applies stablehlo.add across dimensions = [4] : (tensor<2x1x2x30x30xf32>, tensor<f32>) -> tensor<2x1x2x30xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2, 3] : (tensor<2x1x2x30xf32>) -> tensor<2x1x2x30x1xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2, 3, 4] : (tensor<2x1x2x30x1xf32>) -> tensor<2x1x2x30x30xf32>
    %16 = stablehlo.divide %12, %15 : tensor<2x1x2x30x30xf32>
    %17 = stablehlo.dot_general %arg2, %16, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<1x30x2x16xf32>, tensor<2x1x2x30x30xf32>) -> tensor<1x2x16x2x30xf32>
    %18 = stablehlo.transpose %17, dims = [3, 0, 4, 1, 2] : (tensor<1x2x16x2x30xf32>) -> tensor<2x1x30x2x16xf32>
    %19 = stablehlo.transpose %18, dims = [1, 2, 3, 0, 4] : (tensor<2x1x30x2x16xf32>) -> tensor<1x30x2x2x16xf32>
    %20 = stablehlo.reshape %19 : (tensor<1x30x2x2x16xf32>) -> tensor<1x30x4x16xf32>
    return %20 : tensor<1x30x4x16xf32>
  }
}
