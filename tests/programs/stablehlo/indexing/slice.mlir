// in: draw 1 -1 9.5367431640625e-07 2097153
// out: hash 681d4109bcd6d806
// cost: 1 instructions, 174609 ticks
module {
  func.func public @main(%arg0: tensor<50x100xf32>) -> (tensor<34x85xf32>) {
    %0 = stablehlo.slice %arg0 [3:37, 5:90] : (tensor<50x100xf32>) -> tensor<34x85xf32>
    return %0 : tensor<34x85xf32>
  }
}
