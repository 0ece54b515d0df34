// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: 0.068551816 -0.0820424929 -0.0520233363
// cost: 15 instructions, 762330 ticks
module {
  func.func public @main(%arg0: tensor<3x9x14xf32>) -> (tensor<3xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [1, 2] : (tensor<3x9x14xf32>, tensor<f32>) -> tensor<3xf32>
    %cst_0 = stablehlo.constant dense<1.260000e+02> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %2 = stablehlo.divide %0, %1 : tensor<3xf32>
    return %2 : tensor<3xf32>
  }
}
