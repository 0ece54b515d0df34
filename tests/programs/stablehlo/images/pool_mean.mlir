// tolerance: 1e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: sums -0.590207373 -1.43476179 3.31959117 1.12148322 3.86654292 -0.0733955968 -1.24892646 -3.61939621 0.441017856 1.41773809 1.27860216 4.52858222 2.43992347 -3.06721602 2.94287933 4.92914604
// cost: 17 instructions, 933604 ticks
module {
  func.func public @main(%arg0: tensor<2x40x8x9xf32>) -> (tensor<2x40x4x3xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<0> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 1, 2, 3>, window_strides = array<i64: 1, 1, 2, 3>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %4 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %4 : tensor<f32>
    }) : (tensor<2x40x8x9xf32>, tensor<f32>) -> tensor<2x40x4x3xf32>
    %cst_0 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x40x4x3xf32>
    %3 = stablehlo.divide %1, %2 : tensor<2x40x4x3xf32>
    return %3 : tensor<2x40x4x3xf32>
  }
}
