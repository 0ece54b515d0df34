// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: sums 67.4537149 -27.6557292 14.279635 -4.01145007 71.9528886 -94.0183689 -106.934518 102.038488 -108.182083 -31.7526298 37.5499376 -83.1400285 -4.1785992 -53.3823674 29.0452034 40.1555855
// cost: 26 instructions, 987369 ticks
module {
  func.func public @main(%arg0: tensor<512x4x40xf32>) -> (tensor<512x4x40xf32>) {
    %0 = call @cumsum(%arg0) : (tensor<512x4x40xf32>) -> tensor<512x4x40xf32>
    return %0 : tensor<512x4x40xf32>
  }
  func.func private @cumsum(%arg0: tensor<512x4x40xf32>) -> tensor<512x4x40xf32> {
    %0 = call @cumsum_0(%arg0) : (tensor<512x4x40xf32>) -> tensor<512x4x40xf32>
    return %0 : tensor<512x4x40xf32>
  }
  func.func private @cumsum_0(%arg0: tensor<512x4x40xf32>) -> tensor<512x4x40xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1, 1>, padding = dense<[[0, 0], [3, 0], [0, 0]]> : tensor<3x2xi64>, window_dilations = array<i64: 1, 1, 1>, window_dimensions = array<i64: 1, 4, 1>, window_strides = array<i64: 1, 1, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<512x4x40xf32>, tensor<f32>) -> tensor<512x4x40xf32>
    return %1 : tensor<512x4x40xf32>
  }
}
