// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums 2.59702663 -17.0199389 0.0292088474 -1.8053936 -9.10702616 -2.51920628 7.39577677 -17.4436787 2.73039137 1.52574514 5.04133306 3.63602189 -17.9007477 -4.75339076 -1.9715453 6.22862126
// cost: 11 instructions, 1391748 ticks
module {
  func.func public @main(%arg0: tensor<1x9x9x3xf32>, %arg1: tensor<3x3x3x20xf32>) -> (tensor<1x5x5x20xf32>) {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x9x9x3xf32>, tensor<3x3x3x20xf32>) -> tensor<1x5x5x20xf32>
    return %0 : tensor<1x5x5x20xf32>
  }
}
