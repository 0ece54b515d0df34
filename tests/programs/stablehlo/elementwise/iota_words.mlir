// in: draw 1 -20 1 41
// out: hash d13b92325c0851a6
// cost: 4 instructions, 604285 ticks
module {
  func.func public @main(%arg0: tensor<6x150xi32>) -> (tensor<6x150xi32>) {
    %0 = stablehlo.iota dim = 1 : tensor<6x150xi32>
    %1 = stablehlo.add %arg0, %0 : tensor<6x150xi32>
    return %1 : tensor<6x150xi32>
  }
}
