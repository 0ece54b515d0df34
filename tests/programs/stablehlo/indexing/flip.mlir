// in: draw 1 -1 9.5367431640625e-07 2097153
// out: hash 8ad4fffe7629300d
// cost: 1 instructions, 177909 ticks
module {
  func.func public @main(%arg0: tensor<4x20x5xf32>) -> (tensor<4x20x5xf32>) {
    %0 = stablehlo.reverse %arg0, dims = [1] : tensor<4x20x5xf32>
    return %0 : tensor<4x20x5xf32>
  }
}
