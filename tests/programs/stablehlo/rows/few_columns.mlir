// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: 461.739502 466.806244 445.315002
// out: -0.999503136 -0.99605751 -0.999027252
// cost: 20 instructions, 2135523 ticks
module {
  func.func public @main(%arg0: tensor<1367x3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<1367x3xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<1367x3xf32>, tensor<f32>) -> tensor<3xf32>
    %cst_0 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %2 = stablehlo.reduce(%arg0 init: %cst_0) applies stablehlo.minimum across dimensions = [0] : (tensor<1367x3xf32>, tensor<f32>) -> tensor<3xf32>
    return %1, %2 : tensor<3xf32>, tensor<3xf32>
  }
}
