// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: 0.685117424 2.23648453 0.8616817 2.43814492 1.98268139 2.44950938 0.675759912 1.04105401 2.25328779 2.47625446 2.38428688 0.666688383 1.96843565 0.500994265 2.33732247
// cost: 8 instructions, 652637 ticks
module {
  func.func public @main(%arg0: tensor<3x5xf32>, %arg1: tensor<3x5xf32>) -> (tensor<3x5xf32>) {
    %0 = stablehlo.add %arg0, %arg1 : tensor<3x5xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x5xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<3x5xf32>
    %3 = stablehlo.multiply %arg0, %arg1 : tensor<3x5xf32>
    %4 = stablehlo.subtract %2, %3 : tensor<3x5xf32>
    %5 = stablehlo.tanh %4 : tensor<3x5xf32>
    %cst_0 = stablehlo.constant dense<1.500000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<3x5xf32>
    %7 = stablehlo.add %5, %6 : tensor<3x5xf32>
    return %7 : tensor<3x5xf32>
  }
}
