// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums -35.6134086 -1.49063683 14.8886453 4.18686885 20.7519906 -7.26924232 -29.7631236 21.6289061 -6.77605279 -8.13320575 -5.04507949 6.36752422 4.62695443 0.724085933 -13.7405772 7.62705547
// cost: 30 instructions, 1566589 ticks
module {
  func.func public @main(%arg0: tensor<6x3x8x8xf32>, %arg1: tensor<8x3x3x3xf32>) -> (tensor<3x8x6x6xf32>) {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 2 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<6x3x8x8xf32>, tensor<8x3x3x3xf32>) -> tensor<3x8x6x6xf32>
    return %0 : tensor<3x8x6x6xf32>
  }
}
