// tolerance: 1e-05
// only: evaluated
// in: draw 1 -1 0.0078125 257
// out: 0.890440941 -0.548358917 0.31742686 0.799888968 0.157118216 -0.820441127 0.522938848 0.53035599 0.248226464 -0.865515113 0.635099769 0.227572516 0.73967725 -0.0897773355 0.288961053 -0.784058988
func.func @main(%x: tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>> {
  %y = stablehlo.sqrt %x : tensor<8xcomplex<f32>>
  return %y : tensor<8xcomplex<f32>>
}
