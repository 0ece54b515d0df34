// tolerance: 1e-05
// routines: select_and_scatter
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: sums 6.32307659 10.3533749 7.31703196 2.80186817 10.9949295 3.93497691 6.35737646 0.787233472 10.3136527 4.01302078 3.58980565 3.16151381 9.79551448 6.36300591 4.44269322 3.63828099
// cost: 18 instructions, 936481 ticks
module {
  func.func public @main(%arg0: tensor<1x3x8x8xf32>) -> (tensor<1x3x8x8xf32>) {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<0> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 1, 2, 2>, window_strides = array<i64: 1, 1, 2, 2>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %11 = stablehlo.maximum %arg1, %arg2 : tensor<f32>
      stablehlo.return %11 : tensor<f32>
    }) : (tensor<1x3x8x8xf32>, tensor<f32>) -> tensor<1x3x4x4xf32>
    %2 = chlo.square %1 : tensor<1x3x4x4xf32> -> tensor<1x3x4x4xf32>
    %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<1x3x4x4xf32>
    %4 = stablehlo.multiply %3, %1 : tensor<1x3x4x4xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.reduce(%2 init: %cst_1) applies stablehlo.add across dimensions = [0, 1, 2, 3] : (tensor<1x3x4x4xf32>, tensor<f32>) -> tensor<f32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<1x3x4x4xf32>
    %7 = stablehlo.multiply %6, %4 : tensor<1x3x4x4xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %8 = stablehlo.pad %arg0, %cst_3, low = [0, 0, 0, 0], high = [0, 0, 0, 0], interior = [0, 0, 0, 0] : (tensor<1x3x8x8xf32>, tensor<f32>) -> tensor<1x3x8x8xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = "stablehlo.select_and_scatter"(%8, %7, %cst_4) <{padding = dense<0> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 1, 2, 2>, window_strides = array<i64: 1, 1, 2, 2>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %11 = stablehlo.compare GE, %arg1, %arg2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %11 : tensor<i1>
    }, {
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %11 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %11 : tensor<f32>
    }) : (tensor<1x3x8x8xf32>, tensor<1x3x4x4xf32>, tensor<f32>) -> tensor<1x3x8x8xf32>
    %10 = stablehlo.slice %9 [0:1, 0:3, 0:8, 0:8] : (tensor<1x3x8x8xf32>) -> tensor<1x3x8x8xf32>
    return %10 : tensor<1x3x8x8xf32>
  }
}
