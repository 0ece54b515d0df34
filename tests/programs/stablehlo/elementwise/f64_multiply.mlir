// tolerance: 1e-12
// only: evaluated
// in: draw 1 0.5 0.0078125 257
// in: draw 2 0.75 0.0078125 257
// out: 1.5875244140625 0.703369140625 1.01348876953125 3.38818359375 1.69647216796875 3.02783203125 3.0543212890625 1.6373291015625 0.81884765625
func.func @main(%x: tensor<9xf64>, %y: tensor<9xf64>) -> tensor<9xf64> {
  %z = stablehlo.multiply %x, %y : tensor<9xf64>
  return %z : tensor<9xf64>
}
