// tolerance: 0.0001
// routines: triangular_solve
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: -0.129138514 0.10559646 -0.228706017 0.127895594 0.101716757 0.212067306 -0.0398860723 0.109386921 -0.0157255419 0.157551169 0.0411747135 -0.1419909 0.14395909 -0.256340325 -0.0622588545 -0.0492751598 -0.103541896 -0.249202549 0.134272486 -0.161203384 0.285742432 0.151204631 -0.225863531 -0.0463349819 -0.182116538 0.115932889 0.0471840277 0.115167379 -0.248365611 0.187402263 0.154293358 0.191715956
// cost: 6 instructions, 661688 ticks
func.func @main(%a: tensor<2x4x4xf32>, %b: tensor<2x4x4xf32>) -> tensor<2x4x4xf32> {
  %i = stablehlo.iota dim = 1 : tensor<2x4x4xf32>
  %j = stablehlo.iota dim = 2 : tensor<2x4x4xf32>
  %d = stablehlo.compare EQ, %i, %j : (tensor<2x4x4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x4xi1>
  %n = stablehlo.constant dense<4.0> : tensor<2x4x4xf32>
  %e = stablehlo.select %d, %n, %a : tensor<2x4x4xi1>, tensor<2x4x4xf32>
  %x = "stablehlo.triangular_solve"(%e, %b) {left_side = false, lower = false, unit_diagonal = false, transpose_a = #stablehlo<transpose TRANSPOSE>} : (tensor<2x4x4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  return %x : tensor<2x4x4xf32>
}
