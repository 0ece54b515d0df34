// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: sums 12.9909169 23.3940025 20.6491941 19.5899072 11.6649486 14.8485255 -0.343375545 8.86948297 14.1326757 -5.69416793 14.6241675 17.3222244 -0.608974423 46.8131673 17.2059179 27.9857935
// cost: 6 instructions, 563135 ticks
module {
  func.func public @main(%arg0: tensor<9x21xf32>) -> (tensor<9x21xf32>) {
    %0 = call @cumsum(%arg0) : (tensor<9x21xf32>) -> tensor<9x21xf32>
    return %0 : tensor<9x21xf32>
  }
  func.func private @cumsum(%arg0: tensor<9x21xf32>) -> tensor<9x21xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [20, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 1, 21>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<9x21xf32>, tensor<f32>) -> tensor<9x21xf32>
    return %1 : tensor<9x21xf32>
  }
}
