// in: draw 1 0 1 256
// in: draw 2 0 1 256
// out: hash 736a3e06add6a62f
// cost: 4 instructions, 547391 ticks
module {
  func.func public @main(%arg0: tensor<77xui8>, %arg1: tensor<77xui8>) -> (tensor<77xui8>) {
    %0 = stablehlo.minimum %arg0, %arg1 : tensor<77xui8>
    return %0 : tensor<77xui8>
  }
}
