// tolerance: 2e-05
// in: -0 0 nan inf 1 2
// in: 0 -0 nan nan 1 1
// out: 1 0 0 1 0 0
// out: 0 0 1 0 1 0
// cost: 30 instructions, 782598 ticks
func.func @main(%x: tensor<6xf32>, %y: tensor<6xf32>) -> (tensor<6xi1>, tensor<6xi1>) {
  %a = stablehlo.compare LT, %x, %y, TOTALORDER : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
  %b = stablehlo.compare EQ, %x, %y, TOTALORDER : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
  return %a, %b : tensor<6xi1>, tensor<6xi1>
}
