// tolerance: 0.0001
// routines: triangular_solve
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: -0.148714304 0.107524224 -0.224947974 0.144956827 0.141039655 0.157349318 -0.0500755496 0.0846676081 -0.0242784899 0.18320854 0.0416651852 -0.142292872 0.126658678 -0.239444494 -0.0619568825 -0.0492751598 -0.00703790039 -0.232760251 0.0574396364 -0.197568715 0.214629173 0.164760038 -0.211979404 -0.0266092215 -0.143168002 0.078726247 0.0372477807 0.0869010165 -0.231504202 0.170537949 0.182559729 0.191715956
// cost: 6 instructions, 661688 ticks
func.func @main(%a: tensor<2x4x4xf32>, %b: tensor<2x4x4xf32>) -> tensor<2x4x4xf32> {
  %i = stablehlo.iota dim = 1 : tensor<2x4x4xf32>
  %j = stablehlo.iota dim = 2 : tensor<2x4x4xf32>
  %d = stablehlo.compare EQ, %i, %j : (tensor<2x4x4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x4xi1>
  %n = stablehlo.constant dense<4.0> : tensor<2x4x4xf32>
  %e = stablehlo.select %d, %n, %a : tensor<2x4x4xi1>, tensor<2x4x4xf32>
  %x = "stablehlo.triangular_solve"(%e, %b) {left_side = true, lower = false, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<2x4x4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  return %x : tensor<2x4x4xf32>
}
