// tolerance: 0.0002
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums 14.4542047 60.3219858 -43.1471685 -38.6385102 -9.15820532 -8.3033015 38.4415089 -46.8477111 -25.7683467 52.7374747 -19.1740242 -47.9597867 -4.8055811 48.9875003 -15.8826288 -12.2674884
// cost: 12 instructions, 865323 ticks
module {
  func.func public @main(%arg0: tensor<2x3x20x16xf32>, %arg1: tensor<2x3x24x16xf32>) -> (tensor<2x20x24xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x3x20x16xf32>, tensor<2x3x24x16xf32>) -> tensor<2x3x20x24xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<2x3x20x24xf32>, tensor<f32>) -> tensor<2x20x24xf32>
    return %1 : tensor<2x20x24xf32>
  }
}
