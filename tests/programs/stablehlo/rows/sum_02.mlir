// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: -2.23907757 3.89940929 -6.74893284 0.88684082 -0.411533356 -2.15254593 1.77266026 3.33659744 -6.59818363
// cost: 3 instructions, 574120 ticks
module {
  func.func public @main(%arg0: tensor<3x9x14xf32>) -> (tensor<9xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [0, 2] : (tensor<3x9x14xf32>, tensor<f32>) -> tensor<9xf32>
    return %0 : tensor<9xf32>
  }
}
