// tolerance: 0.02
// in: draw 1 -1 0.0078125 257
// in: draw 2 -1 0.0078125 257
// out: sums 434.372614 -120.588696 -927.461962 153.271598 -268.347398 375.052637 512.09033 13.5978622 233.892921 -93.0841599 -321.967041 33.7441368 -1.05824661 -514.124177 518.272442 529.634705
// cost: 88 instructions, 1470342 ticks
module {
  func.func public @main(%arg0: tensor<1x140x5x6xbf16>, %arg1: tensor<150x140x3x3xbf16>) -> (tensor<1x150x5x6xbf16>) {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x140x5x6xbf16>, tensor<150x140x3x3xbf16>) -> tensor<1x150x5x6xbf16>
    return %0 : tensor<1x150x5x6xbf16>
  }
}
