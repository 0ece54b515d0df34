// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: sums -0.0326965888 0.475036971 -0.397003811 -0.216129776 0.738222833 -0.0913639089 1.44134412 0.372560033 1.25786443 1.10444931 0.694013489 1.17063992 -0.446873663 -0.60864832 -0.190430146 -0.50948493
// cost: 43 instructions, 988753 ticks
module {
  func.func public @main(%arg0: tensor<2x140x5x5xf32>) -> (tensor<2x140xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [2, 3] : (tensor<2x140x5x5xf32>, tensor<f32>) -> tensor<2x140xf32>
    %cst_0 = stablehlo.constant dense<2.500000e+01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x140xf32>
    %2 = stablehlo.divide %0, %1 : tensor<2x140xf32>
    return %2 : tensor<2x140xf32>
  }
}
