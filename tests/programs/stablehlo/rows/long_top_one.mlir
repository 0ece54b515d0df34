// in: draw 1 -1 9.5367431640625e-07 2097153
// out: 0.999927521
// out: 12302
// cost: 1857 instructions, 51190278 ticks
module {
  func.func public @main(%arg0: tensor<1x33000xf32>) -> (tensor<1x1xf32>, tensor<1x1xi32>) {
    %values, %indices = chlo.top_k(%arg0, k = 1) : tensor<1x33000xf32> -> (tensor<1x1xf32>, tensor<1x1xi32>)
    return %values, %indices : tensor<1x1xf32>, tensor<1x1xi32>
  }
}
