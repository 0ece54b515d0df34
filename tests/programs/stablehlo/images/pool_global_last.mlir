// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: sums -0.0269242114 0.0520933337 0.50297374 -0.496865094 1.42557387 0.411423071 0.179804165 0 0.477399174 -0.345302554 -0.00141538692 0.0515653601 0.207610608 -1.10433987 0.0138679648 -0.264354034
// cost: 17 instructions, 886948 ticks
module {
  func.func public @main(%arg0: tensor<2x5x5x40xf32>) -> (tensor<2x40xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [1, 2] : (tensor<2x5x5x40xf32>, tensor<f32>) -> tensor<2x40xf32>
    %cst_0 = stablehlo.constant dense<2.500000e+01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x40xf32>
    %2 = stablehlo.divide %0, %1 : tensor<2x40xf32>
    return %2 : tensor<2x40xf32>
  }
}
