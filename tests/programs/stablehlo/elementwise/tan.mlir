// tolerance: 0.0001
// routines: tan
// in: draw 1 -5 3.814697265625e-06 2621441
// out: sums 5.47550477 6.71962514 -56.0733762 -5.58799117 -131.263834 7.34408507 -20.6834092 2.18530048 -12.0499824 -35.3995591 172.377599 -8.17581917 -33.1507927 -20.115149 3.45661313 -10.3494171
// cost: 0 instructions, 21280 ticks
module {
  func.func public @main(%arg0: tensor<3x50xf32>) -> (tensor<3x50xf32>) {
    %0 = stablehlo.tan %arg0 : tensor<3x50xf32>
    return %0 : tensor<3x50xf32>
  }
}
