// tolerance: 1e-05
// only: evaluated
// in: draw 1 -1 0.0078125 257
// out: 0.578487396 -0.579497337 -0.377153009 0.833747566 -0.830198586 -0.632748842 0.128139913 0.509768724 -0.63241446 -0.942000031 0.323624462 0.210698545 0.434883028 -0.0860811621 -0.427775621 -0.768450618
func.func @main(%x: tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>> {
  %y = stablehlo.log_plus_one %x : tensor<8xcomplex<f32>>
  return %y : tensor<8xcomplex<f32>>
}
