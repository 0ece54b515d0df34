// in: draw 1 -1 0.0078125 257
// out: hash 933560eb60388081
// cost: 2 instructions, 511274 ticks
module {
  func.func public @main(%arg0: tensor<5x30xf32>) -> (tensor<5x30xi32>) {
    %0 = stablehlo.bitcast_convert %arg0 : (tensor<5x30xf32>) -> tensor<5x30xi32>
    return %0 : tensor<5x30xi32>
  }
}
