// tolerance: 0.02
// in: draw 1 -1 0.0078125 257
// in: draw 2 -1 0.0078125 257
// in: draw 3 -1 0.0078125 257
// out: sums -17.0306396 2.62393188 7.70336914 -5.26367188 25.9544067 1.04638672 10.8065643 0 -1.65658188 19.7352905 -14.4445801 -17.3141785 -1.62802124 4.04466248 -1.50888062 12.6391144
// out: sums 5.57236004 11.2081332 -6.63106298 4.08456326 26.1650887 11.5014303 6.29207945 -3.62791014 17.6847475 -13.8850279 43.21137 -4.54639912 -3.90083098 7.91383481 -13.8538024 14.323014
// cost: 40 instructions, 1685068 ticks
module {
  func.func public @main(%arg0: tensor<16x1x4xbf16>, %arg1: tensor<3x16x50xbf16>, %arg2: tensor<3x16x50xbf16>) -> (tensor<16x1x4xbf16>, tensor<3x16x50xbf16>) {
    %0 = stablehlo.convolution(%arg1, %arg0) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {stride = [1], pad = [[3, 0]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 16 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<3x16x50xbf16>, tensor<16x1x4xbf16>) -> tensor<3x16x50xbf16>
    %1 = stablehlo.convolution(%arg1, %arg2) dim_numbers = [f, b, 0]x[i, o, 0]->[f, b, 0], window = {stride = [1], pad = [[3, 0]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]} {batch_group_count = 16 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<3x16x50xbf16>, tensor<3x16x50xbf16>) -> tensor<16x1x4xbf16>
    %2 = stablehlo.reshape %arg0 : (tensor<16x1x4xbf16>) -> tensor<16x1x1x4xbf16>
    %3 = stablehlo.transpose %2, dims = [1, 0, 2, 3] : (tensor<16x1x1x4xbf16>) -> tensor<1x16x1x4xbf16>
    %4 = stablehlo.reshape %3 : (tensor<1x16x1x4xbf16>) -> tensor<1x16x4xbf16>
    %5 = stablehlo.reverse %4, dims = [2] : tensor<1x16x4xbf16>
    %6 = stablehlo.convolution(%arg2, %5) dim_numbers = [b, f, 0]x[i, o, 0]->[b, f, 0], window = {stride = [1], pad = [[0, 3]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 16 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<3x16x50xbf16>, tensor<1x16x4xbf16>) -> tensor<3x16x50xbf16>
    return %1, %6 : tensor<16x1x4xbf16>, tensor<3x16x50xbf16>
  }
}
