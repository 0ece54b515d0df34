// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums -65.5051583 7.79658785 12.0322033 67.6757305 35.7511907 -22.7391607 13.1771772 15.9093769 -37.3647805 -2.8740661 -37.0290908 -26.2754942 -10.8330063 39.8882795 -61.2472348 37.9622772
// cost: 46 instructions, 3225730 ticks
module {
  func.func public @main(%arg0: tensor<1x2x3x600xf32>, %arg1: tensor<3x2x1x7xf32>) -> (tensor<1x3x3x600xf32>) {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[0, 0], [3, 3]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x2x3x600xf32>, tensor<3x2x1x7xf32>) -> tensor<1x3x3x600xf32>
    return %0 : tensor<1x3x3x600xf32>
  }
}
