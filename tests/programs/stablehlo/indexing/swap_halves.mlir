// in: draw 1 -1 9.5367431640625e-07 2097153
// out: hash 27f43fadde773086
// cost: 5 instructions, 575771 ticks
module {
  func.func public @main(%arg0: tensor<30x16xf32>) -> (tensor<30x16xf32>) {
    %0 = stablehlo.slice %arg0 [0:30, 8:16] : (tensor<30x16xf32>) -> tensor<30x8xf32>
    %1 = stablehlo.negate %0 : tensor<30x8xf32>
    %2 = stablehlo.slice %arg0 [0:30, 0:8] : (tensor<30x16xf32>) -> tensor<30x8xf32>
    %3 = stablehlo.concatenate %1, %2, dim = 1 : (tensor<30x8xf32>, tensor<30x8xf32>) -> tensor<30x16xf32>
    return %3 : tensor<30x16xf32>
  }
}
