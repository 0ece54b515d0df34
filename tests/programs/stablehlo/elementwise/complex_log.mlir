// tolerance: 1e-05
// only: evaluated
// in: draw 1 -1 0.0078125 257
// out: 0.0894590765 -1.10395384 -0.300318718 2.3860364 -0.359808743 -2.76316524 -0.58925122 1.58487988 -0.209816799 -2.58299351 -0.787147999 0.688144982 -0.588458478 -0.241565704 -0.359182477 -2.43539357
func.func @main(%x: tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>> {
  %y = stablehlo.log %x : tensor<8xcomplex<f32>>
  return %y : tensor<8xcomplex<f32>>
}
