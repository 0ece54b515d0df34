// tolerance: 1e-05
// only: evaluated
// in: draw 1 -1 0.0078125 257
// out: -0.0841071531 -1.35546267 -0.490310937 0.283637017 -0.494418442 -0.133312047 -0.156550184 0.522579014 -0.542877853 -0.209472954 0.362319499 0.405143052 0.699300766 -0.227024794 -0.47145614 -0.257355988
func.func @main(%x: tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>> {
  %y = stablehlo.exponential_minus_one %x : tensor<8xcomplex<f32>>
  return %y : tensor<8xcomplex<f32>>
}
