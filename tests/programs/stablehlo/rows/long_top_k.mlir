// in: draw 1 -1 9.5367431640625e-07 2097153
// out: 0.999927521 0.999917984 0.99990654 0.999829292 0.999821663 0.999753952
// out: 12302 27079 1271 15750 9255 404
// cost: 1857 instructions, 51191678 ticks
module {
  func.func public @main(%arg0: tensor<1x33000xf32>) -> (tensor<1x6xf32>, tensor<1x6xi32>) {
    %values, %indices = chlo.top_k(%arg0, k = 6) : tensor<1x33000xf32> -> (tensor<1x6xf32>, tensor<1x6xi32>)
    return %values, %indices : tensor<1x6xf32>, tensor<1x6xi32>
  }
}
