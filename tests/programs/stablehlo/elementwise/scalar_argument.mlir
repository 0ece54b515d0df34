// in: draw 1 -1 9.5367431640625e-07 2097153
// in: 1.75
// out: hash aaac93858eacea8c
// cost: 5 instructions, 612480 ticks
module {
  func.func public @main(%arg0: tensor<33x9xf32>, %arg1: tensor<f32>) -> (tensor<33x9xf32>) {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<33x9xf32>
    %1 = stablehlo.multiply %arg0, %0 : tensor<33x9xf32>
    %2 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<33x9xf32>
    %3 = stablehlo.add %1, %2 : tensor<33x9xf32>
    return %3 : tensor<33x9xf32>
  }
}
