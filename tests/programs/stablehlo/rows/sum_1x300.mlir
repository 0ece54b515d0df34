// tolerance: 1e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: 101.267624
// cost: 3 instructions, 599157 ticks
module {
  func.func public @main(%arg0: tensor<1x300xf32>) -> (tensor<1xf32>) {
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<1x300xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<1x300xf32>, tensor<f32>) -> tensor<1xf32>
    return %1 : tensor<1xf32>
  }
}
