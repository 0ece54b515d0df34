// tolerance: 0.0003
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums 6.98160119 8.10153577 -10.977921 21.5281298 -9.5575768 -16.6101437 0.00710116606 0 0.563368001 12.4287543 -4.65898086 17.3363521 -6.15002493 -11.6183082 -8.02376665 -0.80569403
// cost: 5 instructions, 625317 ticks
module {
  func.func public @main(%arg0: tensor<3x4x5x6xf32>, %arg1: tensor<4x5x6x20xf32>) -> (tensor<3x1x1x20xf32>) {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<3x4x5x6xf32>, tensor<4x5x6x20xf32>) -> tensor<3x1x1x20xf32>
    return %0 : tensor<3x1x1x20xf32>
  }
}
