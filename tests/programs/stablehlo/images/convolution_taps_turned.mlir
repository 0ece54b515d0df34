// tolerance: 0.02
// in: draw 1 -1 0.0078125 257
// in: draw 2 -1 0.0078125 257
// in: draw 3 -1 0.0078125 257
// out: sums -66.4253426 -14.0471878 -67.6577606 114.25445 23.2461395 57.73946 63.9058142 57.8233433 -37.1020393 -40.4693813 111.519917 46.5181932 -21.7332687 49.3705406 56.5447845 0.296867371
// cost: 18 instructions, 811394 ticks
module {
  func.func public @main(%arg0: tensor<140x30x3x2xbf16>, %arg1: tensor<1x140x6x5xbf16>, %arg2: tensor<1x30x6x5xbf16>) -> (tensor<1x30x6x5xbf16>) {
    %0 = stablehlo.convolution(%arg2, %arg0) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[1, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x30x6x5xbf16>, tensor<140x30x3x2xbf16>) -> tensor<1x140x6x5xbf16>
    %1 = stablehlo.reverse %arg0, dims = [2, 3] : tensor<140x30x3x2xbf16>
    %2 = stablehlo.convolution(%arg1, %1) dim_numbers = [b, f, 0, 1]x[i, o, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[1, 1], [1, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x140x6x5xbf16>, tensor<140x30x3x2xbf16>) -> tensor<1x30x6x5xbf16>
    return %2 : tensor<1x30x6x5xbf16>
  }
}
