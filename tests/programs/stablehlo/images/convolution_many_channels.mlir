// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums 10.2279518 -3.13839936 220.194941 25.4089064 -93.1981528 33.7799679 20.3254631 -87.7414442 35.4079915 179.050548 -132.930725 51.6067094 -32.9524486 -126.827259 -107.041767 -161.43489
// cost: 44 instructions, 1414720 ticks
module {
  func.func public @main(%arg0: tensor<1x140x5x5xf32>, %arg1: tensor<20x140x3x3xf32>) -> (tensor<1x20x5x5xf32>) {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x140x5x5xf32>, tensor<20x140x3x3xf32>) -> tensor<1x20x5x5xf32>
    return %0 : tensor<1x20x5x5xf32>
  }
}
