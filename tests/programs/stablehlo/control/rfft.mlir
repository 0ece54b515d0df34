// tolerance: 1e-05
// only: evaluated
// in: draw 1 -1 0.0078125 257
// out: -0.875 0 0.665537596 1.07262862 0.390625 2.296875 1.6157124 0.0101286173 -0.53125 0 -1.0546875 0 -1.9612906 -1.19769597 0.03125 0.3984375 -0.491834402 0.567929029 0.3984375 0 0.1171875 0 -1.63663173 0.0311826468 0.828125 0.8671875 -0.410243332 0.421807647 -0.4296875 0
func.func @main(%x: tensor<3x8xf32>) -> tensor<3x5xcomplex<f32>> {
  %y = stablehlo.fft %x, type = RFFT, length = [8] : (tensor<3x8xf32>) -> tensor<3x5xcomplex<f32>>
  return %y : tensor<3x5xcomplex<f32>>
}
