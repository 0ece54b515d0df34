// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: sums -0.202397496 2.21202141 30.5238491 31.2708413 -8.17658177 -37.2671278 -19.4042654 -1.03762388 2.90362383 15.6619774 -18.9349442 -17.5677089 6.18199574 48.6910656 -0.129216097 9.21099545
// cost: 7 instructions, 1262060 ticks
module {
  func.func public @main(%arg0: tensor<9x40xf32>) -> (tensor<9x40xf32>) {
    %0 = call @cumsum(%arg0) : (tensor<9x40xf32>) -> tensor<9x40xf32>
    return %0 : tensor<9x40xf32>
  }
  func.func private @cumsum(%arg0: tensor<9x40xf32>) -> tensor<9x40xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 39]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 1, 40>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<9x40xf32>, tensor<f32>) -> tensor<9x40xf32>
    return %1 : tensor<9x40xf32>
  }
}
