// tolerance: 2e-05
// in: 0 -0 0.25 -3 nan inf
// out: 0 0 1 1 1 1
// cost: 3 instructions, 520490 ticks
module {
  func.func public @main(%arg0: tensor<6xf32>) -> (tensor<6xi1>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %1 = stablehlo.compare NE, %arg0, %0, FLOAT : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
    %2 = stablehlo.convert %1 : tensor<6xi1>
    return %2 : tensor<6xi1>
  }
}
