// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums -0.283176341 18.6500384 6.03541935 -3.60225586 -4.16265696 7.45214077 11.2560179 5.84411044 -12.6792078 -2.08088025 -9.87459805 -9.01922116 -21.018391 -12.0224741 8.11455894 9.07486046
// cost: 40 instructions, 1570087 ticks
module {
  func.func public @main(%arg0: tensor<1x8x8x12xf32>, %arg1: tensor<3x3x1x12xf32>) -> (tensor<1x8x8x12xf32>) {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 12 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x8x8x12xf32>, tensor<3x3x1x12xf32>) -> tensor<1x8x8x12xf32>
    return %0 : tensor<1x8x8x12xf32>
  }
}
