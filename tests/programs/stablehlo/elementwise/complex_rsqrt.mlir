// tolerance: 1e-05
// only: evaluated
// in: draw 1 -1 0.0078125 257
// out: 0.814241946 0.501433432 0.428617984 -1.08008111 0.225159138 1.1757375 0.942669332 -0.956039906 0.306175321 1.0675714 1.39539135 -0.500004411 1.3323139 0.161707804 0.41383785 1.12289631
func.func @main(%x: tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>> {
  %y = stablehlo.rsqrt %x : tensor<8xcomplex<f32>>
  return %y : tensor<8xcomplex<f32>>
}
