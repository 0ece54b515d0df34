// tolerance: 0.02
// in: draw 1 -1 0.0078125 257
// in: draw 2 -1 0.0078125 257
// in: draw 3 -1 0.0078125 257
// out: sums -728.229276 -727.531253 404.980697 0.0464990139 274.565421 -691.182354 140.365639 -641.637894 384.346075 -14.8282392 -249.011092 499.844134 233.637705 202.355126 -166.710521 153.035777
// cost: 122 instructions, 4724335 ticks
module {
  func.func public @main(%arg0: tensor<130x70x3x3xbf16>, %arg1: tensor<3x130x7x7xbf16>, %arg2: tensor<3x70x7x7xbf16>) -> (tensor<130x70x3x3xbf16>) {
    %0 = stablehlo.convolution(%arg2, %arg0) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<3x70x7x7xbf16>, tensor<130x70x3x3xbf16>) -> tensor<3x130x7x7xbf16>
    %1 = stablehlo.convolution(%arg2, %arg1) dim_numbers = [f, b, 0, 1]x[i, o, 0, 1]->[f, b, 0, 1], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<3x70x7x7xbf16>, tensor<3x130x7x7xbf16>) -> tensor<130x70x3x3xbf16>
    return %1 : tensor<130x70x3x3xbf16>
  }
}
