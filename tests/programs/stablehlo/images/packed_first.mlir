// tolerance: 0.001
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums -511.788893 115.203695 108.955004 -117.731972 -385.777925 137.229616 -365.299805 -201.403664 -208.678951 47.4010873 24.0936136 380.985358 -27.1596244 -239.156874 -717.543399 -239.215836
// cost: 237 instructions, 5571089 ticks
module {
  func.func public @main(%arg0: tensor<2x3x150x33xf32>, %arg1: tensor<20x3x5x2xf32>) -> (tensor<2x20x150x33xf32>) {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[4, 4], [1, 2]], lhs_dilate = [1, 1], rhs_dilate = [2, 3], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x3x150x33xf32>, tensor<20x3x5x2xf32>) -> tensor<2x20x150x33xf32>
    return %0 : tensor<2x20x150x33xf32>
  }
}
