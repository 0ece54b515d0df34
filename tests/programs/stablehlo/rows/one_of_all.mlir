// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: 1373.86072
// out: 0.99990654
// cost: 16 instructions, 1464397 ticks
module {
  func.func public @main(%arg0: tensor<3x1367xf32>) -> (tensor<f32>, tensor<f32>) {
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<3x1367xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<3x1367xf32>, tensor<f32>) -> tensor<f32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %2 = stablehlo.reduce(%arg0 init: %cst_0) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<3x1367xf32>, tensor<f32>) -> tensor<f32>
    return %1, %2 : tensor<f32>, tensor<f32>
  }
}
