// tolerance: 1e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: sums 1.82653746 -4.08314695 12.8433813 -6.79580321 6.02353866 -9.47327519 -76.0146343 0 -57.0569802 -98.9446183 -92.1052403 -46.7997386 -2.66509674 31.5598998 30.9318758 57.19523
// cost: 10 instructions, 1179588 ticks
module {
  func.func public @main(%arg0: tensor<20x3xf32>) -> (tensor<20x3xf32>) {
    %0 = stablehlo.iota dim = 0 : tensor<20xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<20xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<20xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst_1) applies stablehlo.add across dimensions = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [] : (tensor<f32>) -> tensor<20xf32>
    %6 = stablehlo.add %2, %5 : tensor<20xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0] : (tensor<20xf32>) -> tensor<20x1xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<20x1xf32>) -> tensor<20x3xf32>
    %9 = stablehlo.multiply %arg0, %8 : tensor<20x3xf32>
    return %9 : tensor<20x3xf32>
  }
}
