// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: -0.0218380038
// cost: 15 instructions, 788022 ticks
module {
  func.func public @main(%arg0: tensor<3x9x14xf32>) -> (tensor<f32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<3x9x14xf32>, tensor<f32>) -> tensor<f32>
    %cst_0 = stablehlo.constant dense<3.780000e+02> : tensor<f32>
    %1 = stablehlo.divide %0, %cst_0 : tensor<f32>
    return %1 : tensor<f32>
  }
}
