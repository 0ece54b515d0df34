// tolerance: 0.0001
// in: draw 1 0.25 9.5367431640625e-07 2097152
// out: 220285.094 794.544373 40386.6953
// cost: 3 instructions, 552069 ticks
module {
  func.func public @main(%arg0: tensor<3x9x14xf32>) -> (tensor<3xf32>) {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.multiply across dimensions = [1, 2] : (tensor<3x9x14xf32>, tensor<f32>) -> tensor<3xf32>
    return %0 : tensor<3xf32>
  }
}
