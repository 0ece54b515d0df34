// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums -15.741767 5.86211412 -8.36545552 -0.369174138 3.06856699 3.28364371 3.95445352 1.33446109 10.655101 7.55167737 -0.030971523 -6.89450733 9.79369289 -1.42919773 -1.36923256 -8.83693367
// cost: 14 instructions, 1547067 ticks
module {
  func.func public @main(%arg0: tensor<1x2x4x5x6xf32>, %arg1: tensor<3x2x2x3x2xf32>) -> (tensor<1x3x4x3x6xf32>) {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, f, 0, 1, 2]x[o, i, 0, 1, 2]->[b, f, 0, 1, 2], window = {stride = [1, 2, 1], pad = [[0, 1], [1, 1], [0, 1]], lhs_dilate = [1, 1, 1], rhs_dilate = [1, 1, 1], reverse = [false, false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x2x4x5x6xf32>, tensor<3x2x2x3x2xf32>) -> tensor<1x3x4x3x6xf32>
    return %0 : tensor<1x3x4x3x6xf32>
  }
}
