// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums 18.1210937 19.781782 15.3025479 7.97042101 25.7309274 21.1437533 37.5494277 18.0552897 12.1815663 -35.6376213 0.986405526 -6.59084081 31.0721093 -4.59893799 -24.0830549 -0.952847134
// cost: 7 instructions, 809637 ticks
module {
  func.func public @main(%arg0: tensor<1x1x14x14xf32>, %arg1: tensor<6x1x5x5xf32>) -> (tensor<1x6x10x10xf32>) {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x1x14x14xf32>, tensor<6x1x5x5xf32>) -> tensor<1x6x10x10xf32>
    return %0 : tensor<1x6x10x10xf32>
  }
}
