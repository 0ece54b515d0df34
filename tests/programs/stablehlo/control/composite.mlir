// in: draw 1 -1 9.5367431640625e-07 2097153
// out: -0.0616188049 0.179439545 0.740646362 0.939496994 -0.518428802 0.472387314 -0.782016754 -1.75502396 1.12459755
// cost: 3 instructions, 522595 ticks
func.func @main(%x: tensor<9xf32>) -> tensor<9xf32> {
  %y = stablehlo.composite "some.twice" %x {decomposition = @twice} : (tensor<9xf32>) -> tensor<9xf32>
  return %y : tensor<9xf32>
}
func.func private @twice(%x: tensor<9xf32>) -> tensor<9xf32> {
  %y = stablehlo.add %x, %x : tensor<9xf32>
  return %y : tensor<9xf32>
}
