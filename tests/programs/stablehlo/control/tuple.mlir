// only: evaluated
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 1 -20 1 41
// out: -16 -12 -4
// out: -0.0308094025 0.0897197723 0.370323181 0.469748497 -0.259214401
func.func @main(%x: tensor<5xf32>, %y: tensor<3xi32>) -> (tensor<3xi32>, tensor<5xf32>) {
  %t = stablehlo.tuple %x, %y : tuple<tensor<5xf32>, tensor<3xi32>>
  %a = stablehlo.get_tuple_element %t[1] : (tuple<tensor<5xf32>, tensor<3xi32>>) -> tensor<3xi32>
  %b = stablehlo.get_tuple_element %t[0] : (tuple<tensor<5xf32>, tensor<3xi32>>) -> tensor<5xf32>
  return %a, %b : tensor<3xi32>, tensor<5xf32>
}
