// only: evaluated
// in: draw 1 1.09951e+12 1 1048576
// in: draw 2 1 1 9
// out: 2 0 0 0 4 5 4 0 0 3 0 4 2 0 2 2 0 2 2 2
func.func @main(%x: tensor<20xui64>, %y: tensor<20xui64>) -> tensor<20xui64> {
  %z = stablehlo.remainder %x, %y : tensor<20xui64>
  return %z : tensor<20xui64>
}
