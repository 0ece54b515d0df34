// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums -71.284982 -30.5704971 -16.5157858 90.4154717 -67.2940202 13.6192906 6.48479127 -26.2984894 25.829005 -14.427752 82.0985783 78.3416315 64.0982386 -19.2343902 49.6083625 32.1358231
// out: sums 452.372215 446.719618 446.967422 432.569419 434.997871 428.934746 418.731322 426.323448 447.425462 382.501646 449.252095 472.317361 406.298661 434.862555 450.446394 447.560976
// cost: 828 instructions, 7150255 ticks
module {
  func.func public @main(%arg0: tensor<130x3x40x6xf32>, %arg1: tensor<40x6xf32>) -> (tensor<130x3x40xf32>, tensor<130x40xf32>) {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [2, 3] : (tensor<40x6xf32>) -> tensor<1x1x40x6xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1, 2, 3] : (tensor<1x1x40x6xf32>) -> tensor<130x3x40x6xf32>
    %2 = stablehlo.multiply %arg0, %1 : tensor<130x3x40x6xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst) applies stablehlo.add across dimensions = [3] : (tensor<130x3x40x6xf32>, tensor<f32>) -> tensor<130x3x40xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.reduce(%arg0 init: %cst_0) applies stablehlo.maximum across dimensions = [1, 3] : (tensor<130x3x40x6xf32>, tensor<f32>) -> tensor<130x40xf32>
    return %3, %4 : tensor<130x3x40xf32>, tensor<130x40xf32>
  }
}
