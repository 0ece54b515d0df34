// routines: broadcast
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: hash f69db2bf05af5bbe
// cost: 0 instructions, 21140 ticks
func.func @main(%x: tensor<3x4xf32>) -> tensor<2x5x3x4xf32> {
  %y = stablehlo.broadcast %x, sizes = [2, 5] : (tensor<3x4xf32>) -> tensor<2x5x3x4xf32>
  return %y : tensor<2x5x3x4xf32>
}
