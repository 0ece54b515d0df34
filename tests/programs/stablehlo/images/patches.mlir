// in: draw 1 -1 9.5367431640625e-07 2097153
// out: hash cf59ae3180a5183e
// cost: 25 instructions, 2015931 ticks
module {
  func.func public @main(%arg0: tensor<1x3x8x8xf32>) -> (tensor<1x12x4x4xf32>) {
    %0 = stablehlo.iota dim = 0 : tensor<4x4xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4x4xi32>
    %2 = stablehlo.add %0, %1 : tensor<4x4xi32>
    %3 = stablehlo.iota dim = 1 : tensor<4x4xi32>
    %4 = stablehlo.compare EQ, %2, %3, SIGNED : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi1>
    %5 = stablehlo.convert %4 : (tensor<4x4xi1>) -> tensor<4x4xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [1, 2] : (tensor<4x4xf32>) -> tensor<3x4x4xf32>
    %7 = stablehlo.reshape %6 : (tensor<3x4x4xf32>) -> tensor<12x1x2x2xf32>
    %8 = stablehlo.convolution(%arg0, %7) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [2, 2], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 3 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x3x8x8xf32>, tensor<12x1x2x2xf32>) -> tensor<1x12x4x4xf32>
    return %8 : tensor<1x12x4x4xf32>
  }
}
