// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums 12.8718067 -7.09000617 20.3891414 -8.42620523 -18.7654344 -6.90445813 -4.67003116 -3.76956927 -3.74752389 -10.2896284 -22.2347663 3.88394396 -8.91962326 10.7622854 4.72057185 -2.67392489
// cost: 23 instructions, 1005696 ticks
module {
  func.func public @main(%arg0: tensor<1x20x8x8xf32>, %arg1: tensor<20x1x3x3xf32>) -> (tensor<1x20x8x8xf32>) {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 20 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x20x8x8xf32>, tensor<20x1x3x3xf32>) -> tensor<1x20x8x8xf32>
    return %0 : tensor<1x20x8x8xf32>
  }
}
