// tolerance: 0.0001
// in: draw 1 0.25 9.5367431640625e-07 2097152
// out: sums 826757.847 815570.352 776066.553 782125.024 768310.328 839028.914 771048.706 795475.941 809186.336 690072.734 843340.913 817094.928 761067.262 793639.138 824213.056 832457.513
// cost: 14 instructions, 1308094 ticks
module {
  func.func public @main(%arg0: tensor<2x2600xf32>) -> (tensor<2x2600xf32>) {
    %0 = call @cumsum(%arg0) : (tensor<2x2600xf32>) -> tensor<2x2600xf32>
    return %0 : tensor<2x2600xf32>
  }
  func.func private @cumsum(%arg0: tensor<2x2600xf32>) -> tensor<2x2600xf32> {
    %0 = call @cumsum_0(%arg0) : (tensor<2x2600xf32>) -> tensor<2x2600xf32>
    return %0 : tensor<2x2600xf32>
  }
  func.func private @cumsum_0(%arg0: tensor<2x2600xf32>) -> tensor<2x2600xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [2599, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 1, 2600>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<2x2600xf32>, tensor<f32>) -> tensor<2x2600xf32>
    return %1 : tensor<2x2600xf32>
  }
}
