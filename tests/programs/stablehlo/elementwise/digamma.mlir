// tolerance: 0.0001
// routines: composite
// in: draw 1 0.25 9.5367431640625e-07 2097152
// out: sums -7.61096808 -6.91497833 -13.6123396 -5.94615526 -24.2666414 -2.46345277 -16.8268586 -3.88315904 -11.3088463 -16.7747636 -10.3817446 -16.4070818 -9.01878422 -13.0360473 0.339994593 -6.59759993
// cost: 0 instructions, 21280 ticks
module {
  func.func public @main(%arg0: tensor<37x5xf32>) -> (tensor<37x5xf32>) {
    %0 = chlo.digamma %arg0 : tensor<37x5xf32> -> tensor<37x5xf32>
    return %0 : tensor<37x5xf32>
  }
}
