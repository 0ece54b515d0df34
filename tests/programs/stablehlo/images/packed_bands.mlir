// tolerance: 0.001
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums 895.429052 119.473354 -545.459738 463.889163 1409.4323 712.190463 62.7772404 195.032977 -547.108621 -867.039327 723.055206 -9.88252062 -602.373714 -294.05526 350.879347 265.532592
// cost: 90 instructions, 5182752 ticks
module {
  func.func public @main(%arg0: tensor<2x7x7x300xf32>, %arg1: tensor<3x3x300x140xf32>) -> (tensor<2x7x7x140xf32>) {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x7x7x300xf32>, tensor<3x3x300x140xf32>) -> tensor<2x7x7x140xf32>
    return %0 : tensor<2x7x7x140xf32>
  }
}
