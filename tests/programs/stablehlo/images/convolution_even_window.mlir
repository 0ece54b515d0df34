// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums 10.5779104 -8.85209405 3.47452429 10.266245 -5.78752727 17.8676119 2.68618512 -3.66474059 14.2096965 -24.098904 1.44570445 1.60244819 30.4867523 10.0031055 -13.1115156 9.18933544
// cost: 13 instructions, 1509723 ticks
module {
  func.func public @main(%arg0: tensor<1x3x8x9xf32>, %arg1: tensor<5x3x2x4xf32>) -> (tensor<1x5x8x9xf32>) {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[0, 1], [1, 2]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x3x8x9xf32>, tensor<5x3x2x4xf32>) -> tensor<1x5x8x9xf32>
    return %0 : tensor<1x5x8x9xf32>
  }
}
