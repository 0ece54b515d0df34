// tolerance: 1e-12
// only: evaluated
// in: draw 1 0.5 0.0078125 257
// in: draw 2 0.75 0.0078125 257
// out: 0.3984375 0.5234375 0.9609375 0.3203125 0.8515625 1.2421875 1.4921875 0.4609375 0.8125
func.func @main(%x: tensor<9xf64>, %y: tensor<9xf64>) -> tensor<9xf64> {
  %z = stablehlo.remainder %x, %y : tensor<9xf64>
  return %z : tensor<9xf64>
}
