// tolerance: 1e-05
// only: evaluated
// in: draw 1 -1 0.0078125 257
// out: sums -4.53098045 2.53013603 3.06191313 -5.26857268 3.63663777 -6.31254054 8.57627327 0 -30.6944321 1.48529672 8.67412839 -4.79385919 -9.17111586 -1.37900454 -2.97049989 -9.60211999
func.func @main(%x: tensor<2x4x6xcomplex<f32>>) -> tensor<2x4x6xcomplex<f32>> {
  %y = stablehlo.fft %x, type = FFT, length = [4, 6] : (tensor<2x4x6xcomplex<f32>>) -> tensor<2x4x6xcomplex<f32>>
  return %y : tensor<2x4x6xcomplex<f32>>
}
