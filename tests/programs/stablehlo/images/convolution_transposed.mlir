// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums 6.62083999 3.1254835 -3.16329166 -0.258405546 -10.8200757 -0.375346244 0.781621905 9.40857836 12.4624509 1.67371699 4.07885033 -3.69013797 -18.0695741 1.24136194 4.23385673 -8.44424496
// cost: 14 instructions, 1543419 ticks
module {
  func.func public @main(%arg0: tensor<1x5x5x4xf32>, %arg1: tensor<3x3x4x6xf32>) -> (tensor<1x10x10x6xf32>) {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[2, 1], [2, 1]], lhs_dilate = [2, 2], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x5x5x4xf32>, tensor<3x3x4x6xf32>) -> tensor<1x10x10x6xf32>
    return %0 : tensor<1x10x10x6xf32>
  }
}
