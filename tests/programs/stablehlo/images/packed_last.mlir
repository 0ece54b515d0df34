// tolerance: 0.001
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums -103.172073 -251.782375 -133.208738 86.2047403 87.0287426 84.7541214 -340.631906 -336.987744 69.2401261 170.391441 118.689181 6.66738834 -126.264049 -60.2663839 73.3059641 -1.49318541
// cost: 134 instructions, 2753765 ticks
module {
  func.func public @main(%arg0: tensor<2x45x38x3xf32>, %arg1: tensor<7x7x3x20xf32>) -> (tensor<2x23x19x20xf32>) {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[3, 3], [3, 3]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x45x38x3xf32>, tensor<7x7x3x20xf32>) -> tensor<2x23x19x20xf32>
    return %0 : tensor<2x23x19x20xf32>
  }
}
