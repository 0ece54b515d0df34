// tolerance: 1e-05
// only: evaluated
// in: draw 1 -1 0.0078125 257
// out: 0.999487162 -0.805503726 -0.599719882 0.392198235 -0.596780539 -0.173888594 -0.0108110206 0.619521022 -0.671456754 -0.274744481 0.363960505 0.260833204 0.498906553 -0.100786954 -0.569693327 -0.352009237
func.func @main(%x: tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>> {
  %y = stablehlo.tanh %x : tensor<8xcomplex<f32>>
  return %y : tensor<8xcomplex<f32>>
}
