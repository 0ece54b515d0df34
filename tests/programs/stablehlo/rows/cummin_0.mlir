// in: draw 1 -1 9.5367431640625e-07 2097153
// out: hash 99ca7e5cd7882391
// cost: 7 instructions, 839883 ticks
module {
  func.func public @main(%arg0: tensor<9x21xf32>) -> (tensor<9x21xf32>) {
    %0 = call @cummin(%arg0) : (tensor<9x21xf32>) -> tensor<9x21xf32>
    return %0 : tensor<9x21xf32>
  }
  func.func private @cummin(%arg0: tensor<9x21xf32>) -> tensor<9x21xf32> {
    %cst = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1>, padding = dense<[[8, 0], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 9, 1>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %2 = stablehlo.minimum %arg1, %arg2 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<9x21xf32>, tensor<f32>) -> tensor<9x21xf32>
    return %1 : tensor<9x21xf32>
  }
}
