// in: draw 1 -1 9.5367431640625e-07 2097153
// out: hash cb6cfd1e889732b7
// cost: 1 instructions, 213925 ticks
module {
  func.func public @main(%arg0: tensor<9x10xf32>) -> (tensor<9x30xf32>) {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1] : (tensor<9x10xf32>) -> tensor<9x10x3xf32>
    %1 = stablehlo.reshape %0 : (tensor<9x10x3xf32>) -> tensor<9x30xf32>
    return %1 : tensor<9x30xf32>
  }
}
