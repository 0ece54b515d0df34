// only: evaluated
// in: draw 1 1.09951e+12 1 1048576
// in: draw 2 1 1 9
// out: 4 2 0 2 1 0 8 4 2 6 0 9 4 2 0 4 0 3 1 1
func.func @main(%x: tensor<20xi64>, %y: tensor<20xi64>) -> tensor<20xi64> {
  %z = stablehlo.and %x, %y : tensor<20xi64>
  return %z : tensor<20xi64>
}
