// tolerance: 0.0003
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums -34.4875506 20.4960017 0.945159754 17.8225556 17.1612375 -40.1028659 30.8409105 9.54550522 13.967216 -27.1831603 -39.811474 -68.087384 13.9234304 -15.1311911 -13.5413731 -7.23632412
// cost: 27 instructions, 2760806 ticks
module {
  func.func public @main(%arg0: tensor<1x3x9x9xf32>, %arg1: tensor<5x3x3x3xf32>) -> (tensor<1x3x9x9xf32>) {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [2, 2], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x3x9x9xf32>, tensor<5x3x3x3xf32>) -> tensor<1x5x5x5xf32>
    %1 = chlo.square %0 : tensor<1x5x5x5xf32> -> tensor<1x5x5x5xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x5x5x5xf32>
    %3 = stablehlo.multiply %2, %0 : tensor<1x5x5x5xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%1 init: %cst_0) applies stablehlo.add across dimensions = [0, 1, 2, 3] : (tensor<1x5x5x5xf32>, tensor<f32>) -> tensor<f32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<1x5x5x5xf32>
    %6 = stablehlo.multiply %5, %3 : tensor<1x5x5x5xf32>
    %7 = stablehlo.reverse %arg1, dims = [2, 3] : tensor<5x3x3x3xf32>
    %8 = stablehlo.convolution(%6, %7) dim_numbers = [b, f, 0, 1]x[i, o, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [2, 2], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x5x5x5xf32>, tensor<5x3x3x3xf32>) -> tensor<1x3x9x9xf32>
    return %8 : tensor<1x3x9x9xf32>
  }
}
