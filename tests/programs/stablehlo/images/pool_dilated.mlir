// tolerance: 1e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: sums 0.229260411 -0.660998326 -5.12752952 -2.8933955 -3.03333464 -16.5027457 -11.7859743 5.80784939 -4.73094341 8.31005001 -16.3877017 -15.7830069 -9.13769333 9.53546871 2.71716247 -2.16638729
// cost: 19 instructions, 1542971 ticks
module {
  func.func public @main(%arg0: tensor<3x8x11xf32>) -> (tensor<3x14x6xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 2, 1>, padding = dense<[[0, 0], [1, 2], [0, 1]]> : tensor<3x2xi64>, window_dilations = array<i64: 1, 2, 1>, window_dimensions = array<i64: 1, 3, 2>, window_strides = array<i64: 1, 1, 2>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<3x8x11xf32>, tensor<f32>) -> tensor<3x14x6xf32>
    return %1 : tensor<3x14x6xf32>
  }
}
