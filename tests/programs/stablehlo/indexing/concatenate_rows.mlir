// in: draw 1 -1 9.5367431640625e-07 2097153
// out: hash 75a3e47eeba112b0
// cost: 5 instructions, 528834 ticks
module {
  func.func public @main(%arg0: tensor<150x9xf32>) -> (tensor<298x9xf32>) {
    %0 = stablehlo.slice %arg0 [0:3, 0:9] : (tensor<150x9xf32>) -> tensor<3x9xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x9xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<3x9xf32>
    %3 = stablehlo.slice %arg0 [5:150, 0:9] : (tensor<150x9xf32>) -> tensor<145x9xf32>
    %4 = stablehlo.concatenate %arg0, %2, %3, dim = 0 : (tensor<150x9xf32>, tensor<3x9xf32>, tensor<145x9xf32>) -> tensor<298x9xf32>
    return %4 : tensor<298x9xf32>
  }
}
