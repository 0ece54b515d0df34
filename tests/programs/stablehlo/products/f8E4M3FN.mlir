// tolerance: 1e-05
// in: draw 1 -1 0.25 9
// in: draw 2 -1 0.25 9
// out: sums -9.10888672 2.01367188 35.4909668 39.9472656 93.8706055 -12.7446289 43.8955078 -18.7453613 -24.5493164 -14.5732422 9.33300781 -15.9465332 -12.3452148 -24.1811523 -8.09399414 -6.79760742
// cost: 7 instructions, 679258 ticks
module {
  func.func public @main(%arg0: tensor<20x64xf8E4M3FN>, %arg1: tensor<64x30xf8E4M3FN>) -> (tensor<20x30xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<20x64xf8E4M3FN>, tensor<64x30xf8E4M3FN>) -> tensor<20x30xf32>
    return %0 : tensor<20x30xf32>
  }
}
