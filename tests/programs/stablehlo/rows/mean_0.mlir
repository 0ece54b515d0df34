// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: sums -1.75920597 0.164735091 -2.30189388 -0.117976987 2.12089672 -0.354083211 0.298319636 -0.720262873 0.0334667155 1.66388997 0.308894485 -1.54233811 1.11072808 -0.959038121 -2.0944346 -0.0351652039
// cost: 15 instructions, 829328 ticks
module {
  func.func public @main(%arg0: tensor<3x9x14xf32>) -> (tensor<9x14xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<3x9x14xf32>, tensor<f32>) -> tensor<9x14xf32>
    %cst_0 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<9x14xf32>
    %2 = stablehlo.divide %0, %1 : tensor<9x14xf32>
    return %2 : tensor<9x14xf32>
  }
}
