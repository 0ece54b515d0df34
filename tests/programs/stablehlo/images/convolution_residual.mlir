// tolerance: 0.0002
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// in: draw 3 -1 9.5367431640625e-07 2097153
// out: sums 73.5464086 70.036508 115.702136 121.360691 38.0524686 58.91611 68.1420407 75.5575606 82.831904 88.993395 67.0925073 28.9015336 106.299575 140.775538 31.6038996 52.0355816
// cost: 34 instructions, 2745230 ticks
module {
  func.func public @main(%arg0: tensor<1x8x6x6xf32>, %arg1: tensor<8x8x3x3xf32>, %arg2: tensor<8x8x3x3xf32>) -> (tensor<1x8x6x6xf32>) {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x8x6x6xf32>, tensor<8x8x3x3xf32>) -> tensor<1x8x6x6xf32>
    %1 = call @relu(%0) : (tensor<1x8x6x6xf32>) -> tensor<1x8x6x6xf32>
    %2 = stablehlo.convolution(%1, %arg2) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x8x6x6xf32>, tensor<8x8x3x3xf32>) -> tensor<1x8x6x6xf32>
    %3 = stablehlo.add %arg0, %2 : tensor<1x8x6x6xf32>
    %4 = call @relu(%3) : (tensor<1x8x6x6xf32>) -> tensor<1x8x6x6xf32>
    return %4 : tensor<1x8x6x6xf32>
  }
  func.func private @relu(%arg0: tensor<1x8x6x6xf32>) -> tensor<1x8x6x6xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x8x6x6xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<1x8x6x6xf32>
    return %1 : tensor<1x8x6x6xf32>
  }
}
