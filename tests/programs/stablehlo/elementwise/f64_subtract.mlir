// tolerance: 1e-12
// only: evaluated
// in: draw 1 0.5 0.0078125 257
// in: draw 2 0.75 0.0078125 257
// out: 1.1953125 -0.8203125 -0.09375 0.3203125 -1.140625 -1.1953125 -0.5546875 1.2578125 -0.1953125
func.func @main(%x: tensor<9xf64>, %y: tensor<9xf64>) -> tensor<9xf64> {
  %z = stablehlo.subtract %x, %y : tensor<9xf64>
  return %z : tensor<9xf64>
}
