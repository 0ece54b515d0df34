// tolerance: 0.0001
// routines: triangular_solve
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: -0.0762454867 0.157190055 -0.253782213 0.127895594 0.14764908 0.218336165 -0.0613333024 0.109386921 -0.0369157121 0.151990756 0.0690145269 -0.1419909 0.114354283 -0.239660144 -0.0525975972 -0.0492751598 -0.0210888833 -0.194878682 0.0811844617 -0.161203384 0.228595987 0.17192629 -0.241122723 -0.0463349819 -0.21640569 0.0743588954 0.0851113275 0.115167379 -0.301341593 0.116732322 0.217429891 0.191715956
// cost: 6 instructions, 661688 ticks
func.func @main(%a: tensor<2x4x4xf32>, %b: tensor<2x4x4xf32>) -> tensor<2x4x4xf32> {
  %i = stablehlo.iota dim = 1 : tensor<2x4x4xf32>
  %j = stablehlo.iota dim = 2 : tensor<2x4x4xf32>
  %d = stablehlo.compare EQ, %i, %j : (tensor<2x4x4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x4xi1>
  %n = stablehlo.constant dense<4.0> : tensor<2x4x4xf32>
  %e = stablehlo.select %d, %n, %a : tensor<2x4x4xi1>, tensor<2x4x4xf32>
  %x = "stablehlo.triangular_solve"(%e, %b) {left_side = false, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<2x4x4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  return %x : tensor<2x4x4xf32>
}
