// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums 39.6421379 -0.830906592 -43.6315539 -26.828229 -9.91429331 -62.5097796 20.832575 28.6160137 10.9030188 25.3409763 -16.3649108 10.1845679 -0.0112789916 -1.6271578 -5.79066093 -18.983319
// cost: 5 instructions, 713289 ticks
module {
  func.func public @main(%arg0: tensor<2x20x6x7xf32>, %arg1: tensor<30x20x1x1xf32>) -> (tensor<2x30x6x7xf32>) {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x20x6x7xf32>, tensor<30x20x1x1xf32>) -> tensor<2x30x6x7xf32>
    return %0 : tensor<2x30x6x7xf32>
  }
}
