// in: draw 1 0 1 4294967296
// out: hash 92801fee360106b3
// cost: 3 instructions, 524258 ticks
module {
  func.func public @main(%arg0: tensor<50xui32>) -> (tensor<50xf32>) {
    %0 = stablehlo.convert %arg0 : (tensor<50xui32>) -> tensor<50xf32>
    return %0 : tensor<50xf32>
  }
}
