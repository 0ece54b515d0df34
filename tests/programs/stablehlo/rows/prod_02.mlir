// tolerance: 0.0001
// in: draw 1 0.25 9.5367431640625e-07 2097152
// out: 5726.30225 28.9588013 0.5087533 5.21163845 180.700623 76.9898376 7.32324553 4.75618505 33.1779633
// cost: 3 instructions, 574120 ticks
module {
  func.func public @main(%arg0: tensor<3x9x14xf32>) -> (tensor<9xf32>) {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.multiply across dimensions = [0, 2] : (tensor<3x9x14xf32>, tensor<f32>) -> tensor<9xf32>
    return %0 : tensor<9xf32>
  }
}
