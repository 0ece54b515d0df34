// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums 11.2614298 -2.33065781 -10.4163225 -2.08622372 10.0526699 -4.20781009 12.4154827 17.4319573 9.08030742 8.91827373 6.25540265 4.01547234 -7.17548585 19.1699501 8.05115759 -13.7204483
// cost: 11 instructions, 1406267 ticks
module {
  func.func public @main(%arg0: tensor<1x3x6x7xf32>, %arg1: tensor<4x3x3x3xf32>) -> (tensor<1x4x7x8xf32>) {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[2, 1], [0, 3]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x3x6x7xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x7x8xf32>
    return %0 : tensor<1x4x7x8xf32>
  }
}
