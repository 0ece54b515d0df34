// tolerance: 0.01
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: 42242.5391 42229.3047
// out: 3 3
// out: 42496 42496
// cost: 52 instructions, 4357810 ticks
module {
  func.func public @main(%arg0: tensor<2x30000xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xbf16>) {
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x30000xf32>
    %1 = stablehlo.multiply %arg0, %0 : tensor<2x30000xf32>
    %2 = stablehlo.tanh %1 : tensor<2x30000xf32>
    %3 = stablehlo.multiply %2, %arg0 : tensor<2x30000xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x30000xf32>
    %5 = stablehlo.add %3, %4 : tensor<2x30000xf32>
    %6 = stablehlo.convert %5 : (tensor<2x30000xf32>) -> tensor<2x30000xbf16>
    %cst_1 = stablehlo.constant dense<5.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%5 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<2x30000xf32>, tensor<f32>) -> tensor<2xf32>
    %cst_2 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %8 = stablehlo.reduce(%5 init: %cst_2) applies stablehlo.maximum across dimensions = [1] : (tensor<2x30000xf32>, tensor<f32>) -> tensor<2xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %9 = stablehlo.reduce(%6 init: %cst_3) applies stablehlo.add across dimensions = [1] : (tensor<2x30000xbf16>, tensor<bf16>) -> tensor<2xbf16>
    return %7, %8, %9 : tensor<2xf32>, tensor<2xf32>, tensor<2xbf16>
  }
}
