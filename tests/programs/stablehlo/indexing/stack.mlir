// in: draw 1 -1 9.5367431640625e-07 2097153
// out: hash a13dd8beea58f568
// cost: 5 instructions, 872120 ticks
module {
  func.func public @main(%arg0: tensor<20x9xf32>) -> (tensor<20x2x9xf32>) {
    %0 = stablehlo.negate %arg0 : tensor<20x9xf32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [0, 2] : (tensor<20x9xf32>) -> tensor<20x1x9xf32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [0, 2] : (tensor<20x9xf32>) -> tensor<20x1x9xf32>
    %3 = stablehlo.concatenate %1, %2, dim = 1 : (tensor<20x1x9xf32>, tensor<20x1x9xf32>) -> tensor<20x2x9xf32>
    return %3 : tensor<20x2x9xf32>
  }
}
