// tolerance: 0.0001
// routines: triangular_solve
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: -0.13292408 0.0998954773 -0.229489803 0.127895594 0.107012853 0.198442742 -0.0554281957 0.117675014 -0.0219244976 0.141787186 0.082362473 -0.177075207 0.136653692 -0.226267397 -0.105852805 0.0139489193 -0.0778741837 -0.22381258 0.110504866 -0.161203384 0.252567589 0.192517087 -0.255033463 -0.0137480088 -0.186563388 0.110196009 0.07092309 0.129138291 -0.30703342 0.183357701 0.232717156 0.242098689
// cost: 6 instructions, 661688 ticks
func.func @main(%a: tensor<2x4x4xf32>, %b: tensor<2x4x4xf32>) -> tensor<2x4x4xf32> {
  %i = stablehlo.iota dim = 1 : tensor<2x4x4xf32>
  %j = stablehlo.iota dim = 2 : tensor<2x4x4xf32>
  %d = stablehlo.compare EQ, %i, %j : (tensor<2x4x4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x4xi1>
  %n = stablehlo.constant dense<4.0> : tensor<2x4x4xf32>
  %e = stablehlo.select %d, %n, %a : tensor<2x4x4xi1>, tensor<2x4x4xf32>
  %x = "stablehlo.triangular_solve"(%e, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<2x4x4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  return %x : tensor<2x4x4xf32>
}
