// only: evaluated
// in: draw 1 0 1 100
// out: 78 94 62 54 25 85 72 78 66 34 96 49 60 54 56 76 30 59 11 17 71 45 30 81 21 99 50 8 98 92
func.func @main(%x: tensor<30xui64>) -> tensor<30xf64> {
  %y = stablehlo.convert %x : (tensor<30xui64>) -> tensor<30xf64>
  return %y : tensor<30xf64>
}
