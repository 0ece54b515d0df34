// in: draw 1 -1 9.5367431640625e-07 2097153
// out: hash 991985d7f37aa9fb
// cost: 1 instructions, 283618 ticks
module {
  func.func public @main(%arg0: tensor<210x9xf32>) -> (tensor<70x9xf32>) {
    %0 = stablehlo.slice %arg0 [130:200, 0:9] : (tensor<210x9xf32>) -> tensor<70x9xf32>
    return %0 : tensor<70x9xf32>
  }
}
