// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// in: draw 3 -1 9.5367431640625e-07 2097153
// out: sums 43.1030812 14.1544899 10.4754701 67.1956741 70.4126078 43.2298297 52.5712867 42.3460019 84.8313738 64.2802942 95.8361453 64.9386908 104.746227 67.812982 36.9403694 63.4274876
// cost: 40 instructions, 2684280 ticks
module {
  func.func public @main(%arg0: tensor<2x16x20x12xf32>, %arg1: tensor<12xf32>, %arg2: tensor<12xf32>) -> (tensor<2x16x20x12xf32>) {
    %0 = stablehlo.reshape %arg0 : (tensor<2x16x20x12xf32>) -> tensor<2x16x20x4x3xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [1, 2, 4] : (tensor<2x16x20x4x3xf32>, tensor<f32>) -> tensor<2x4xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 3] : (tensor<2x4xf32>) -> tensor<2x1x1x4x1xf32>
    %cst_0 = stablehlo.constant dense<9.600000e+02> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x1x1x4x1xf32>
    %4 = stablehlo.divide %2, %3 : tensor<2x1x1x4x1xf32>
    %5 = stablehlo.multiply %0, %0 : tensor<2x16x20x4x3xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.reduce(%5 init: %cst_1) applies stablehlo.add across dimensions = [1, 2, 4] : (tensor<2x16x20x4x3xf32>, tensor<f32>) -> tensor<2x4xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 3] : (tensor<2x4xf32>) -> tensor<2x1x1x4x1xf32>
    %cst_2 = stablehlo.constant dense<9.600000e+02> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x1x1x4x1xf32>
    %9 = stablehlo.divide %7, %8 : tensor<2x1x1x4x1xf32>
    %10 = stablehlo.multiply %4, %4 : tensor<2x1x1x4x1xf32>
    %11 = stablehlo.subtract %9, %10 : tensor<2x1x1x4x1xf32>
    %12 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2, 3, 4] : (tensor<2x1x1x4x1xf32>) -> tensor<2x16x20x4x3xf32>
    %13 = stablehlo.subtract %0, %12 : tensor<2x16x20x4x3xf32>
    %cst_3 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x1x1x4x1xf32>
    %15 = stablehlo.add %11, %14 : tensor<2x1x1x4x1xf32>
    %16 = stablehlo.rsqrt %15 : tensor<2x1x1x4x1xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2, 3, 4] : (tensor<2x1x1x4x1xf32>) -> tensor<2x16x20x4x3xf32>
    %18 = stablehlo.multiply %13, %17 : tensor<2x16x20x4x3xf32>
    %19 = stablehlo.reshape %18 : (tensor<2x16x20x4x3xf32>) -> tensor<2x16x20x12xf32>
    %20 = stablehlo.broadcast_in_dim %arg1, dims = [3] : (tensor<12xf32>) -> tensor<1x1x1x12xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2, 3] : (tensor<1x1x1x12xf32>) -> tensor<2x16x20x12xf32>
    %22 = stablehlo.multiply %19, %21 : tensor<2x16x20x12xf32>
    %23 = stablehlo.broadcast_in_dim %arg2, dims = [3] : (tensor<12xf32>) -> tensor<1x1x1x12xf32>
    %24 = stablehlo.broadcast_in_dim %23, dims = [0, 1, 2, 3] : (tensor<1x1x1x12xf32>) -> tensor<2x16x20x12xf32>
    %25 = stablehlo.add %22, %24 : tensor<2x16x20x12xf32>
    return %25 : tensor<2x16x20x12xf32>
  }
}
