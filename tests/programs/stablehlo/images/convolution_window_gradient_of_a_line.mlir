// tolerance: 0.02
// in: draw 1 -1 0.0078125 257
// in: draw 2 -1 0.0078125 257
// in: draw 3 -1 0.0078125 257
// out: sums -38.9905624 71.8424511 122.912969 86.9494715 -181.939526 -136.549539 77.8780537 -256.17089 -0.0540161133 -114.721537 -78.9092007 31.6729164 -66.1898165 -188.941742 84.737381 340.734207
// cost: 172 instructions, 3681317 ticks
module {
  func.func public @main(%arg0: tensor<40x20x3xbf16>, %arg1: tensor<2x40x300xbf16>, %arg2: tensor<2x20x300xbf16>) -> (tensor<40x20x3xbf16>) {
    %0 = stablehlo.convolution(%arg2, %arg0) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {stride = [1], pad = [[1, 1]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x20x300xbf16>, tensor<40x20x3xbf16>) -> tensor<2x40x300xbf16>
    %1 = stablehlo.convolution(%arg2, %arg1) dim_numbers = [f, b, 0]x[i, o, 0]->[f, b, 0], window = {stride = [1], pad = [[1, 1]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x20x300xbf16>, tensor<2x40x300xbf16>) -> tensor<40x20x3xbf16>
    return %1 : tensor<40x20x3xbf16>
  }
}
