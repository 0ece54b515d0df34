// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums -5.13069452 -2.64987633 -9.45727929 -13.5506505 4.11475453 -11.0411386 -1.88004053 0.447363422 0.943308186 -9.63876112 3.6540425 4.31961089 -1.99331326 1.42204181 -1.34257372 19.0823871
// cost: 16 instructions, 1461848 ticks
module {
  func.func public @main(%arg0: tensor<2x5x40xf32>, %arg1: tensor<7x5x4xf32>) -> (tensor<2x7x20xf32>) {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {stride = [2], pad = [[1, 1]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x5x40xf32>, tensor<7x5x4xf32>) -> tensor<2x7x20xf32>
    return %0 : tensor<2x7x20xf32>
  }
}
