// tolerance: 0.0001
// routines: triangular_solve
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: -0.106042847 0.0550870746 -0.246070221 0.15020141 0.142972857 0.120312527 -0.0582633168 0.120805152 -0.0491121486 0.230155841 0.053812921 -0.132631615 0.126658678 -0.239444494 -0.0619568825 -0.0492751598 -0.0860186368 -0.281007826 0.131427184 -0.182556227 0.299132496 0.103026882 -0.277156115 -0.0959776714 -0.219407722 0.134888366 0.0973689556 0.150037542 -0.231504202 0.170537949 0.182559729 0.191715956
// cost: 6 instructions, 661688 ticks
func.func @main(%a: tensor<2x4x4xf32>, %b: tensor<2x4x4xf32>) -> tensor<2x4x4xf32> {
  %i = stablehlo.iota dim = 1 : tensor<2x4x4xf32>
  %j = stablehlo.iota dim = 2 : tensor<2x4x4xf32>
  %d = stablehlo.compare EQ, %i, %j : (tensor<2x4x4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x4xi1>
  %n = stablehlo.constant dense<4.0> : tensor<2x4x4xf32>
  %e = stablehlo.select %d, %n, %a : tensor<2x4x4xi1>, tensor<2x4x4xf32>
  %x = "stablehlo.triangular_solve"(%e, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose TRANSPOSE>} : (tensor<2x4x4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  return %x : tensor<2x4x4xf32>
}
