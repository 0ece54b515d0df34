// tolerance: 1e-12
// only: evaluated
// in: draw 1 0.5 0.0078125 257
// in: draw 2 0.75 0.0078125 257
// out: 2.7890625 1.8671875 2.015625 3.6953125 2.84375 3.6796875 3.5390625 2.8515625 1.8203125
func.func @main(%x: tensor<9xf64>, %y: tensor<9xf64>) -> tensor<9xf64> {
  %z = stablehlo.add %x, %y : tensor<9xf64>
  return %z : tensor<9xf64>
}
