// tolerance: 1e-12
// only: evaluated
// in: draw 1 0.5 0.0078125 257
// in: draw 2 0.75 0.0078125 257
// out: 1.9921875 1.34375 1.0546875 2.0078125 1.9921875 2.4375 2.046875 2.0546875 1.0078125
func.func @main(%x: tensor<9xf64>, %y: tensor<9xf64>) -> tensor<9xf64> {
  %z = stablehlo.maximum %x, %y : tensor<9xf64>
  return %z : tensor<9xf64>
}
