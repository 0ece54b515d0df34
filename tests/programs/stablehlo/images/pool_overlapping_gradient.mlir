// tolerance: 1e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: sums 154.295337 161.135914 121.478619 139.547589 79.6630274 149.875789 136.748315 101.810629 181.878933 118.574663 150.368383 120.601318 146.574591 86.5031839 155.926438 175.548319
// cost: 61 instructions, 2471769 ticks
module {
  func.func public @main(%arg0: tensor<1x40x9x9xf32>) -> (tensor<1x40x9x9xf32>) {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<[[0, 0], [0, 0], [1, 1], [1, 1]]> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 1, 3, 3>, window_strides = array<i64: 1, 1, 2, 2>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %11 = stablehlo.maximum %arg1, %arg2 : tensor<f32>
      stablehlo.return %11 : tensor<f32>
    }) : (tensor<1x40x9x9xf32>, tensor<f32>) -> tensor<1x40x5x5xf32>
    %2 = chlo.square %1 : tensor<1x40x5x5xf32> -> tensor<1x40x5x5xf32>
    %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<1x40x5x5xf32>
    %4 = stablehlo.multiply %3, %1 : tensor<1x40x5x5xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.reduce(%2 init: %cst_1) applies stablehlo.add across dimensions = [0, 1, 2, 3] : (tensor<1x40x5x5xf32>, tensor<f32>) -> tensor<f32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<1x40x5x5xf32>
    %7 = stablehlo.multiply %6, %4 : tensor<1x40x5x5xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %8 = stablehlo.pad %arg0, %cst_3, low = [0, 0, 1, 1], high = [0, 0, 1, 1], interior = [0, 0, 0, 0] : (tensor<1x40x9x9xf32>, tensor<f32>) -> tensor<1x40x11x11xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = "stablehlo.select_and_scatter"(%8, %7, %cst_4) <{padding = dense<0> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 1, 3, 3>, window_strides = array<i64: 1, 1, 2, 2>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %11 = stablehlo.compare GE, %arg1, %arg2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %11 : tensor<i1>
    }, {
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %11 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %11 : tensor<f32>
    }) : (tensor<1x40x11x11xf32>, tensor<1x40x5x5xf32>, tensor<f32>) -> tensor<1x40x11x11xf32>
    %10 = stablehlo.slice %9 [0:1, 0:40, 1:10, 1:10] : (tensor<1x40x11x11xf32>) -> tensor<1x40x9x9xf32>
    return %10 : tensor<1x40x9x9xf32>
  }
}
