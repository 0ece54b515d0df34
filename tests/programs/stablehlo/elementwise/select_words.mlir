// in: draw 1 0 1 7
// in: draw 1 -2.14748e+09 1 4294967296
// in: draw 2 -20 1 41
// out: hash 5513350be5c0ba66
// cost: 7 instructions, 639383 ticks
module {
  func.func public @main(%arg0: tensor<50xf32>, %arg1: tensor<50xi32>, %arg2: tensor<50xi32>) -> (tensor<50xi32>) {
    %cst = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<50xf32>
    %1 = stablehlo.compare GT, %arg0, %0, FLOAT : (tensor<50xf32>, tensor<50xf32>) -> tensor<50xi1>
    %2 = call @_where(%1, %arg1, %arg2) : (tensor<50xi1>, tensor<50xi32>, tensor<50xi32>) -> tensor<50xi32>
    return %2 : tensor<50xi32>
  }
  func.func private @_where(%arg0: tensor<50xi1>, %arg1: tensor<50xi32>, %arg2: tensor<50xi32>) -> tensor<50xi32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<50xi1>, tensor<50xi32>
    return %0 : tensor<50xi32>
  }
}
