// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: -8.25476551
// cost: 3 instructions, 579777 ticks
module {
  func.func public @main(%arg0: tensor<3x9x14xf32>) -> (tensor<f32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<3x9x14xf32>, tensor<f32>) -> tensor<f32>
    return %0 : tensor<f32>
  }
}
