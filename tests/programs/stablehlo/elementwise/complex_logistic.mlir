// tolerance: 1e-05
// only: evaluated
// in: draw 1 -1 0.0078125 257
// out: 0.652157068 -0.246093169 0.360195816 0.120204993 0.340971768 -0.0583537929 0.497888565 0.142337948 0.327611566 -0.0966612026 0.58878237 0.0705247372 0.632135808 -0.0309392307 0.363816708 -0.107112125
func.func @main(%x: tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>> {
  %y = stablehlo.logistic %x : tensor<8xcomplex<f32>>
  return %y : tensor<8xcomplex<f32>>
}
