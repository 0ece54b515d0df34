// tolerance: 0.001
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums 17.4002024 -5.6066362 -41.6072349 64.6939416 -15.5757772 -15.7815683 -72.0964578 70.1168735 -23.1601578 -53.2705768 -55.1905174 37.9533908 30.3470251 36.8835279 -51.9642316 25.7281445
// cost: 41 instructions, 2121763 ticks
module {
  func.func public @main(%arg0: tensor<1x3x64x512xf32>, %arg1: tensor<4x3x3x3xf32>) -> (tensor<1x4x8x128xf32>) {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [8, 4], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x3x64x512xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x8x128xf32>
    return %0 : tensor<1x4x8x128xf32>
  }
}
