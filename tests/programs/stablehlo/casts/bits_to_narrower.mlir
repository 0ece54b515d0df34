// routines: bitcast_convert
// in: draw 1 0 1 4294967296
// out: hash 5c0fccb5c7c5feb9
// cost: 0 instructions, 21140 ticks
module {
  func.func public @main(%arg0: tensor<5x6xui32>) -> (tensor<5x6x4xui8>) {
    %0 = stablehlo.bitcast_convert %arg0 : (tensor<5x6xui32>) -> tensor<5x6x4xui8>
    return %0 : tensor<5x6x4xui8>
  }
}
