// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums 5.8884514 -0.0489334459 17.6820793 -0.318662792 0.46486546 5.06455229 -3.24320878 2.86056318 -10.581626 5.10126779 8.49089843 4.28534304 -4.98982696 7.55336969 3.49003876 -0.396309115
// cost: 13 instructions, 834952 ticks
module {
  func.func public @main(%arg0: tensor<1x16x50xf32>, %arg1: tensor<16x1x4xf32>) -> (tensor<1x16x50xf32>) {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {stride = [1], pad = [[3, 0]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 16 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x16x50xf32>, tensor<16x1x4xf32>) -> tensor<1x16x50xf32>
    return %0 : tensor<1x16x50xf32>
  }
}
