// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: 0.685117424
// cost: 8 instructions, 638366 ticks
module {
  func.func public @main(%arg0: tensor<f32>, %arg1: tensor<f32>) -> (tensor<f32>) {
    %0 = stablehlo.add %arg0, %arg1 : tensor<f32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %1 = stablehlo.multiply %0, %cst : tensor<f32>
    %2 = stablehlo.multiply %arg0, %arg1 : tensor<f32>
    %3 = stablehlo.subtract %1, %2 : tensor<f32>
    %4 = stablehlo.tanh %3 : tensor<f32>
    %cst_0 = stablehlo.constant dense<1.500000e+00> : tensor<f32>
    %5 = stablehlo.add %4, %cst_0 : tensor<f32>
    return %5 : tensor<f32>
  }
}
