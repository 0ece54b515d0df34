// in: draw 1 0 1 256
// in: draw 2 0 1 256
// out: hash 8d62d9c36cddf667
// cost: 5 instructions, 573291 ticks
module {
  func.func public @main(%arg0: tensor<77xui8>, %arg1: tensor<77xui8>) -> (tensor<77xui8>) {
    %0 = stablehlo.subtract %arg0, %arg1 : tensor<77xui8>
    return %0 : tensor<77xui8>
  }
}
