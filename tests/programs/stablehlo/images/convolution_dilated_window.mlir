// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums 5.27518869 0.764491132 7.46913776 7.58736313 17.8287762 0.402068937 -5.73164084 -13.3804372 13.1166817 -0.594655251 6.14027251 12.3509571 13.8322344 7.77229391 -2.88040796 14.2941098
// cost: 7 instructions, 764510 ticks
module {
  func.func public @main(%arg0: tensor<1x3x12x12xf32>, %arg1: tensor<4x3x3x3xf32>) -> (tensor<1x4x8x6xf32>) {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [2, 3], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x3x12x12xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x8x6xf32>
    return %0 : tensor<1x4x8x6xf32>
  }
}
