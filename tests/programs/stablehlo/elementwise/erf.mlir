// tolerance: 2e-05
// in: draw 1 -5 3.814697265625e-06 2621441
// out: sums -1.7335047 1.78247669 0.129690628 1.49285509 -5.73723356 -6.33338274 7.87153653 -0.514229619 -8.26235682 0.479333068 -0.535372293 -4.90430942 0.964357935 1.52171739 0.265269926 -6.28076277
// cost: 3 instructions, 559982 ticks
module {
  func.func public @main(%arg0: tensor<3x50xf32>) -> (tensor<3x50xf32>) {
    %0 = chlo.erf %arg0 : tensor<3x50xf32> -> tensor<3x50xf32>
    return %0 : tensor<3x50xf32>
  }
}
