// only: evaluated
// in: draw 1 1.09951e+12 1 1048576
// in: draw 2 1 1 9
// out: 4 2 5 2 5 6 8 5 2 7 8 9 7 3 5 6 5 3 5 3
func.func @main(%x: tensor<20xi64>, %y: tensor<20xi64>) -> tensor<20xi64> {
  %z = stablehlo.minimum %x, %y : tensor<20xi64>
  return %z : tensor<20xi64>
}
