// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// in: draw 3 -1 9.5367431640625e-07 2097153
// out: sums 3.97346449 0.562668155 0.930117408 16.1037635 -5.53634523 -8.57003923 3.26246635 11.413648 -17.1321738 0.964319732 -7.31425075 11.0762605 10.8915951 -17.1179452 4.81370541 -24.5886425
// out: sums -20.6848183 -33.5148996 108.639911 -31.2370047 -2.95566519 8.05028663 8.26135004 -14.3262421 -76.1120523 2.87069809 -12.3682785 -101.350372 5.51529476 20.2352634 -51.1455918 70.1594465
// cost: 32 instructions, 1765868 ticks
module {
  func.func public @main(%arg0: tensor<1x6x9x9xf32>, %arg1: tensor<10x6x3x3xf32>, %arg2: tensor<10x6x3x3xf32>) -> (tensor<1x10x9x9xf32>, tensor<1x10x9x9xf32>) {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x6x9x9xf32>, tensor<10x6x3x3xf32>) -> tensor<1x10x9x9xf32>
    %1 = stablehlo.tanh %0 : tensor<1x10x9x9xf32>
    %2 = stablehlo.convolution(%arg0, %arg2) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x6x9x9xf32>, tensor<10x6x3x3xf32>) -> tensor<1x10x9x9xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x10x9x9xf32>
    %4 = stablehlo.multiply %2, %3 : tensor<1x10x9x9xf32>
    return %1, %4 : tensor<1x10x9x9xf32>, tensor<1x10x9x9xf32>
  }
}
