// in: 0 1 4294967295 4294967294 16777217 16777216 5 2147483648
// in: 0 2 4294967294 4294967295 16777216 16777217 5 2147483647
// out: 1 1 0 1 0 1 1 0
// cost: 5 instructions, 554342 ticks
module {
  func.func public @main(%arg0: tensor<8xui32>, %arg1: tensor<8xui32>) -> (tensor<8xi1>) {
    %0 = stablehlo.compare LE, %arg0, %arg1, UNSIGNED : (tensor<8xui32>, tensor<8xui32>) -> tensor<8xi1>
    return %0 : tensor<8xi1>
  }
}
