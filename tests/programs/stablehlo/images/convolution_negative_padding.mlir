// oracle: numpy
// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums 8.6454509 4.00510726 -7.23570649 9.63853638 13.3870664 2.3245023 -18.3021612 1.10782078 -8.89285471 -2.55413516 -8.47653122 7.49648392 -5.53264604 -4.41930828 -4.30427163 3.96182206
// cost: 11 instructions, 1725120 ticks
module {
  func.func public @main(%arg0: tensor<1x3x9x9xf32>, %arg1: tensor<4x3x3x3xf32>) -> (tensor<1x4x7x5xf32>) {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[-1, 1], [0, -2]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x3x9x9xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x7x5xf32>
    return %0 : tensor<1x4x7x5xf32>
  }
}
