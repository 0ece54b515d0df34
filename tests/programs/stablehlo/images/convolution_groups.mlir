// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums 9.88072741 3.51381514 -10.937056 0.401795844 2.53452171 -12.5303463 9.93841214 -8.31127651 -1.81576763 -5.80949661 2.18072892 3.21892502 -3.41272183 -13.194583 -6.55083106 -10.5234293
// cost: 16 instructions, 1219463 ticks
module {
  func.func public @main(%arg0: tensor<1x6x8x8xf32>, %arg1: tensor<9x2x3x3xf32>) -> (tensor<1x9x6x6xf32>) {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 3 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x6x8x8xf32>, tensor<9x2x3x3xf32>) -> tensor<1x9x6x6xf32>
    return %0 : tensor<1x9x6x6xf32>
  }
}
