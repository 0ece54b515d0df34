// in: draw 1 -1 9.5367431640625e-07 2097153
// out: hash feeb7a45126264b1
// out: hash fa39e5a91ab7a5f6
// cost: 17 instructions, 1042588 ticks
module {
  func.func public @main(%arg0: tensor<6x130xf32>) -> (tensor<6x20xf32>, tensor<6x20xi32>) {
    %values, %indices = chlo.top_k(%arg0, k = 20) : tensor<6x130xf32> -> (tensor<6x20xf32>, tensor<6x20xi32>)
    return %values, %indices : tensor<6x20xf32>, tensor<6x20xi32>
  }
}
