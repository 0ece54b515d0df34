// tolerance: 0.0003
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
module {
  func.func public @main(%arg0: tensor<3x4x5x6xf32>, %arg1: tensor<4x5x6x20xf32>) -> (tensor<3x1x1x20xf32>) {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<3x4x5x6xf32>, tensor<4x5x6x20xf32>) -> tensor<3x1x1x20xf32>
    return %0 : tensor<3x1x1x20xf32>
  }
}
// -----
module @module {
  func.func public @main(%0: tensor<3x4x5x6xf32>, %1: tensor<4x5x6x20xf32>) -> (tensor<3x1x1x20xf32>) {
    %3 = "stablehlo.dot_general"(%0, %1) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1, 2, 3>, rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 0, 1, 2>}> : (tensor<3x4x5x6xf32>, tensor<4x5x6x20xf32>) -> (tensor<3x20xf32>)
    %2 = "stablehlo.reshape"(%3) : (tensor<3x20xf32>) -> (tensor<3x1x1x20xf32>)
    "stablehlo.return"(%2) : (tensor<3x1x1x20xf32>) -> ()
  }
}
