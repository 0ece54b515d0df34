// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: sums 44.3103386 27.6763678 318.762626 -88.6485993 138.236862 358.881967 258.971349 22.8250314 -16.4691151 46.8271404 24.655113 64.8278614 329.090041 -237.676184 99.7405344 -184.530694
// cost: 20 instructions, 1635968 ticks
module {
  func.func public @main(%arg0: tensor<4x16x32x32xf32>) -> (tensor<4x16x32x32xf32>) {
    %0 = call @cumsum(%arg0) : (tensor<4x16x32x32xf32>) -> tensor<4x16x32x32xf32>
    return %0 : tensor<4x16x32x32xf32>
  }
  func.func private @cumsum(%arg0: tensor<4x16x32x32xf32>) -> tensor<4x16x32x32xf32> {
    %0 = call @cumsum_0(%arg0) : (tensor<4x16x32x32xf32>) -> tensor<4x16x32x32xf32>
    return %0 : tensor<4x16x32x32xf32>
  }
  func.func private @cumsum_0(%arg0: tensor<4x16x32x32xf32>) -> tensor<4x16x32x32xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<[[0, 0], [15, 0], [0, 0], [0, 0]]> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 16, 1, 1>, window_strides = array<i64: 1, 1, 1, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<4x16x32x32xf32>, tensor<f32>) -> tensor<4x16x32x32xf32>
    return %1 : tensor<4x16x32x32xf32>
  }
}
