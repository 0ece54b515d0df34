// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: sums 9.51241565 22.1154642 -7.8961932 -8.56132152 -10.1442276 -10.1170713 1.51451028 -21.4719537 10.0989849 -3.09104381 -0.191257137 3.70848709 10.070307 4.85657257 10.9958085 -0.946032069
// cost: 15 instructions, 1400440 ticks
module {
  func.func public @main(%arg0: tensor<130x17xf32>) -> (tensor<130x17xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<130x17xf32>, tensor<f32>) -> tensor<17xf32>
    %cst_0 = stablehlo.constant dense<1.300000e+02> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<17xf32>
    %2 = stablehlo.divide %0, %1 : tensor<17xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [1] : (tensor<17xf32>) -> tensor<1x17xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<1x17xf32>) -> tensor<130x17xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<130x17xf32>
    return %5 : tensor<130x17xf32>
  }
}
