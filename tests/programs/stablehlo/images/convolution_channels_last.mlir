// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums -5.69454072 -41.4204261 3.41261713 8.85945942 -74.3937684 25.0062536 16.9725644 -16.0355637 -2.54513034 23.4617976 25.5475525 -2.63741827 4.58875031 -32.8933748 -6.47616801 17.3642277
// cost: 15 instructions, 1566569 ticks
module {
  func.func public @main(%arg0: tensor<2x7x8x6xf32>, %arg1: tensor<3x3x6x10xf32>) -> (tensor<2x7x8x10xf32>) {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x7x8x6xf32>, tensor<3x3x6x10xf32>) -> tensor<2x7x8x10xf32>
    return %0 : tensor<2x7x8x10xf32>
  }
}
