// tolerance: 1e-05
// only: evaluated
// in: draw 1 -1 0.0078125 257
// out: 0.200722471 -0.832464159 -0.433041662 0.589525342 -0.684518933 -0.383086711 -0.00582783017 0.504048169 -0.618039906 -0.610627472 0.334223688 0.315753728 0.584084511 -0.178167328 -0.453517795 -0.537578166
func.func @main(%x: tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>> {
  %y = stablehlo.tan %x : tensor<8xcomplex<f32>>
  return %y : tensor<8xcomplex<f32>>
}
