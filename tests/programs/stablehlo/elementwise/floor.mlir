// tolerance: 1e-30
// in: draw 1 -5 3.814697265625e-06 2621441
// out: sums -6.6015625 -1.15234375 -9.83984375 -1.84765625 -24.6835938 -21.515625 14.828125 -2.74609375 -29.4960938 -9 -6.3828125 -23.7460938 -7.37109375 -4.1875 -3.2578125 -24.7460938
// cost: 11 instructions, 723278 ticks
module {
  func.func public @main(%arg0: tensor<3x50xf32>) -> (tensor<3x50xf32>) {
    %0 = stablehlo.floor %arg0 : tensor<3x50xf32>
    return %0 : tensor<3x50xf32>
  }
}
