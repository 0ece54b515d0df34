// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums 3.02601188 20.4322366 13.2959811 -14.8931066 -5.48175615 -6.08328124 -9.83349018 18.4955968 6.18713788 7.90076311 -5.08478854 0.714559738 6.95100068 -13.4527779 -2.6602876 7.07005658
// cost: 125 instructions, 1612759 ticks
module {
  func.func public @main(%arg0: tensor<2x12x9x9xf32>, %arg1: tensor<12x1x5x5xf32>) -> (tensor<2x12x3x3xf32>) {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [2, 2], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 12 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x12x9x9xf32>, tensor<12x1x5x5xf32>) -> tensor<2x12x3x3xf32>
    return %0 : tensor<2x12x3x3xf32>
  }
}
