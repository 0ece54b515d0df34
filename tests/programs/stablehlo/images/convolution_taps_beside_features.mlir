// tolerance: 0.02
// in: draw 1 -1 0.0078125 257
// in: draw 2 -1 0.0078125 257
// out: sums 127.708289 -164.316734 282.333816 90.27986 -12.0811043 306.537687 -175.89913 -196.014427 -157.353326 -129.29848 291.004105 -456.88184 -189.153738 24.3137355 -25.739975 230.997904
// cost: 46 instructions, 1173016 ticks
module {
  func.func public @main(%arg0: tensor<1x140x5x6xbf16>, %arg1: tensor<140x150x3x3xbf16>) -> (tensor<1x150x5x6xbf16>) {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, f, 0, 1]x[i, o, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x140x5x6xbf16>, tensor<140x150x3x3xbf16>) -> tensor<1x150x5x6xbf16>
    return %0 : tensor<1x150x5x6xbf16>
  }
}
