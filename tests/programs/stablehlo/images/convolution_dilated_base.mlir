// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums 2.51379597 -5.16198057 8.50590846 -1.29821542 1.55507176 0.0584886325 2.94823299 4.43435339 6.77488753 10.3035512 -2.10987583 -4.82507572 17.769563 4.72605374 11.1545127 2.16687419
// cost: 13 instructions, 1530620 ticks
module {
  func.func public @main(%arg0: tensor<1x3x5x6xf32>, %arg1: tensor<4x3x3x3xf32>) -> (tensor<1x4x9x11xf32>) {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [2, 2], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x3x5x6xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x9x11xf32>
    return %0 : tensor<1x4x9x11xf32>
  }
}
