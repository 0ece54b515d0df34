// in: draw 1 0 1 7
// out: 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6
// out: 13 32 43 64 70 75 11 13 15 20 22 24 13 14 27 37 38 40
// cost: 625 instructions, 41621938 ticks
module {
  func.func public @main(%arg0: tensor<3x33000xf32>) -> (tensor<3x6xf32>, tensor<3x6xi32>) {
    %values, %indices = chlo.top_k(%arg0, k = 6) : tensor<3x33000xf32> -> (tensor<3x6xf32>, tensor<3x6xi32>)
    return %values, %indices : tensor<3x6xf32>, tensor<3x6xi32>
  }
}
