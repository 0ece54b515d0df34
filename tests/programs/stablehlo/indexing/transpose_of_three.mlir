// in: draw 1 -1 9.5367431640625e-07 2097153
// out: hash 9443d049f80ecff9
// cost: 6 instructions, 682464 ticks
module {
  func.func public @main(%arg0: tensor<5x30x20xf32>) -> (tensor<20x5x30xf32>) {
    %0 = stablehlo.transpose %arg0, dims = [2, 0, 1] : (tensor<5x30x20xf32>) -> tensor<20x5x30xf32>
    return %0 : tensor<20x5x30xf32>
  }
}
