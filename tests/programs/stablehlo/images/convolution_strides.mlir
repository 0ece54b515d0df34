// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums 1.29307536 -1.35325142 1.26404292 6.03444572 -5.28489903 8.29365471 10.8434042 0 -1.52383001 -8.17342468 -0.364808221 -12.9481771 8.93343498 9.40632972 -8.56606405 7.64504775
// cost: 7 instructions, 751647 ticks
module {
  func.func public @main(%arg0: tensor<1x3x11x12xf32>, %arg1: tensor<4x3x3x3xf32>) -> (tensor<1x4x5x4xf32>) {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [2, 3], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x3x11x12xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x5x4xf32>
    return %0 : tensor<1x4x5x4xf32>
  }
}
