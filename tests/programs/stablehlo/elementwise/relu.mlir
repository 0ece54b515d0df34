// in: draw 1 -1 9.5367431640625e-07 2097153
// out: hash 50c731af9f81a796
// cost: 6 instructions, 583353 ticks
module {
  func.func public @main(%arg0: tensor<300x5xf32>) -> (tensor<300x5xf32>) {
    %0 = call @relu(%arg0) : (tensor<300x5xf32>) -> tensor<300x5xf32>
    return %0 : tensor<300x5xf32>
  }
  func.func private @relu(%arg0: tensor<300x5xf32>) -> tensor<300x5xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<300x5xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<300x5xf32>
    return %1 : tensor<300x5xf32>
  }
}
