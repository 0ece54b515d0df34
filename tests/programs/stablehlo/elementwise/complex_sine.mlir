// tolerance: 1e-05
// only: evaluated
// in: draw 1 -1 0.0078125 257
// out: 0.716373384 -1.00411475 -0.580953598 0.45477289 -0.624124408 -0.20776777 -0.00904540904 0.583554685 -0.694098175 -0.342390895 0.358852684 0.27517736 0.517865717 -0.114313781 -0.559516788 -0.404179722
func.func @main(%x: tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>> {
  %y = stablehlo.sine %x : tensor<8xcomplex<f32>>
  return %y : tensor<8xcomplex<f32>>
}
