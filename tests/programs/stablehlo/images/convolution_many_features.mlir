// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums -22.76603 -14.4805893 -127.543918 -35.2849593 -69.3233577 -49.2040415 -83.2514901 -41.6310643 25.7961857 -1.81075399 -79.1680266 40.5422654 -12.0480768 -75.8882571 -43.1354555 43.6174404
// cost: 20 instructions, 1572081 ticks
module {
  func.func public @main(%arg0: tensor<1x8x5x5xf32>, %arg1: tensor<150x8x3x3xf32>) -> (tensor<1x150x5x5xf32>) {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x8x5x5xf32>, tensor<150x8x3x3xf32>) -> tensor<1x150x5x5xf32>
    return %0 : tensor<1x150x5x5xf32>
  }
}
