// in: draw 1 0 1 7
// out: 6 6 6
// out: 13 11 13
// cost: 625 instructions, 41620538 ticks
module {
  func.func public @main(%arg0: tensor<3x33000xf32>) -> (tensor<3x1xf32>, tensor<3x1xi32>) {
    %values, %indices = chlo.top_k(%arg0, k = 1) : tensor<3x33000xf32> -> (tensor<3x1xf32>, tensor<3x1xi32>)
    return %values, %indices : tensor<3x1xf32>, tensor<3x1xi32>
  }
}
