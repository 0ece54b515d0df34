// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums -5.46518903 8.3348312 -32.460834 -7.04577515 -12.9438421 18.4530578 -30.7407892 8.28290657 -4.542765 -1.6348273 -3.56994865 16.4841187 -21.9398475 6.72907049 -1.73751105 -15.5709715
// cost: 12 instructions, 924812 ticks
module {
  func.func public @main(%arg0: tensor<2x3x9x10xf32>, %arg1: tensor<4x3x3x3xf32>) -> (tensor<2x4x7x8xf32>) {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x3x9x10xf32>, tensor<4x3x3x3xf32>) -> tensor<2x4x7x8xf32>
    return %0 : tensor<2x4x7x8xf32>
  }
}
