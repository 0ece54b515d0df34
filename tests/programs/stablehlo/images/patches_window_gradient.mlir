// tolerance: 0.02
// in: draw 1 -1 0.0078125 257
// in: draw 2 -1 0.0078125 257
// in: draw 3 -1 0.0078125 257
// out: sums -107.058795 -0.151741266 73.3513117 7.62902117 -2.57530642 68.128746 -34.435981 46.8614607 -6.14213347 -11.6784239 13.5328999 -11.410526 128.069187 41.1476195 107.133144 -129.0985
// cost: 64 instructions, 1223672 ticks
module {
  func.func public @main(%arg0: tensor<8x8x5x20xbf16>, %arg1: tensor<2x6x6x20xbf16>, %arg2: tensor<2x48x48x5xbf16>) -> (tensor<8x8x5x20xbf16>) {
    %0 = stablehlo.convolution(%arg2, %arg0) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [8, 8], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x48x48x5xbf16>, tensor<8x8x5x20xbf16>) -> tensor<2x6x6x20xbf16>
    %1 = stablehlo.convolution(%arg2, %arg1) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [8, 8], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x48x48x5xbf16>, tensor<2x6x6x20xbf16>) -> tensor<8x8x5x20xbf16>
    return %1 : tensor<8x8x5x20xbf16>
  }
}
