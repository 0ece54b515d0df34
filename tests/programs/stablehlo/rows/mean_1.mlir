// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: sums 0.0823784846 0.0590722633 -0.315447574 -0.168446943 -0.507900653 0.13262674 0.160437081 0 0.119091047 0 0.28823396 0.139078512 0.481247131 -0.243720576 -0.34595795 -1.48532297
// cost: 15 instructions, 845981 ticks
module {
  func.func public @main(%arg0: tensor<3x9x14xf32>) -> (tensor<3x14xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<3x9x14xf32>, tensor<f32>) -> tensor<3x14xf32>
    %cst_0 = stablehlo.constant dense<9.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<3x14xf32>
    %2 = stablehlo.divide %0, %1 : tensor<3x14xf32>
    return %2 : tensor<3x14xf32>
  }
}
