// only: evaluated
// in: draw 1 -50 1 100
// out: 28 44 12 4 -25 35 22 28 16 -16 46 -1 10 4 6 26 -20 9 -39 -33 21 -5 -20 31 -29 49 0 -42 48 42
func.func @main(%x: tensor<30xi64>) -> tensor<30xi32> {
  %y = stablehlo.convert %x : (tensor<30xi64>) -> tensor<30xi32>
  return %y : tensor<30xi32>
}
