// only: evaluated
// in: draw 1 -9 0.0625 257
// out: 2 -8 -5 3 -6 -3 -1 3 -6 -4 1 1 3 -2 -5 -4 -3 -4 -2 2 4 0 -3 0 2 1 -8 -5 -7 2
func.func @main(%x: tensor<30xf64>) -> tensor<30xi64> {
  %y = stablehlo.convert %x : (tensor<30xf64>) -> tensor<30xi64>
  return %y : tensor<30xi64>
}
