// tolerance: 0.001
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums 664.878572 164.512193 -207.620357 652.371697 581.806262 -246.337033 460.990931 -426.859645 -300.069859 742.117874 287.514697 -358.986649 217.885776 -508.408383 434.500347 -502.1296
// cost: 373 instructions, 22929521 ticks
module {
  func.func public @main(%arg0: tensor<2x70x66x16xf32>, %arg1: tensor<5x3x16x16xf32>) -> (tensor<2x35x66x16xf32>) {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 1], pad = [[1, 2], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x70x66x16xf32>, tensor<5x3x16x16xf32>) -> tensor<2x35x66x16xf32>
    return %0 : tensor<2x35x66x16xf32>
  }
}
