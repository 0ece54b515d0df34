// oracle: numpy
// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums 8.64545199 4.00510693 -7.23570689 9.63853559 13.3870658 2.32450327 -18.3021626 1.10781988 -8.89285432 -2.55413455 -8.47653226 7.4964834 -5.53264638 -4.41930836 -4.30427045 3.96182137
// cost: 11 instructions, 1391265 ticks
module {
  func.func public @main(%arg0: tensor<1x3x9x9xf32>, %arg1: tensor<4x3x3x3xf32>) -> (tensor<1x4x7x5xf32>) {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[-1, 1], [0, -2]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x3x9x9xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x7x5xf32>
    return %0 : tensor<1x4x7x5xf32>
  }
}
