// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: sums -0.455029229 5.71369571 0.163805889 -2.9246502 1.39644724 -3.7478641 1.28956094 -2.6816483 -2.47092541 0.0589915284 -1.18987921 -2.13761229 0.725864296 0.0488056056 1.26799671 -2.14328609
// cost: 7 instructions, 911165 ticks
module {
  func.func public @main(%arg0: tensor<30x17xf32>) -> (tensor<30x17xf32>) {
    %0 = call @norm(%arg0) : (tensor<30x17xf32>) -> tensor<30x1xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<30x1xf32>) -> tensor<30x17xf32>
    %2 = stablehlo.divide %arg0, %1 : tensor<30x17xf32>
    return %2 : tensor<30x17xf32>
  }
  func.func private @norm(%arg0: tensor<30x17xf32>) -> tensor<30x1xf32> {
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<30x17xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<30x17xf32>, tensor<f32>) -> tensor<30xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<30xf32>) -> tensor<30x1xf32>
    %3 = stablehlo.sqrt %2 : tensor<30x1xf32>
    return %3 : tensor<30x1xf32>
  }
}
