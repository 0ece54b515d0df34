// in: draw 1 0 1 7
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: hash 4cd51be85e9ce4a0
// cost: 14 instructions, 724817 ticks
module {
  func.func public @main(%arg0: tensor<150x3xf32>, %arg1: tensor<150x3xf32>, %arg2: tensor<150x3xf32>) -> (tensor<150x3xf32>) {
    %cst = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<150x3xf32>
    %1 = stablehlo.compare GT, %arg0, %0, FLOAT : (tensor<150x3xf32>, tensor<150x3xf32>) -> tensor<150x3xi1>
    %2 = call @_where(%1, %arg1, %arg2) : (tensor<150x3xi1>, tensor<150x3xf32>, tensor<150x3xf32>) -> tensor<150x3xf32>
    return %2 : tensor<150x3xf32>
  }
  func.func private @_where(%arg0: tensor<150x3xi1>, %arg1: tensor<150x3xf32>, %arg2: tensor<150x3xf32>) -> tensor<150x3xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<150x3xi1>, tensor<150x3xf32>
    return %0 : tensor<150x3xf32>
  }
}
