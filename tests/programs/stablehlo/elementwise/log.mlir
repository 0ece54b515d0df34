// tolerance: 2e-05
// in: draw 1 0.25 9.5367431640625e-07 2097152
// out: sums 3.3779073 2.29261915 1.15516957 3.65805198 -3.69451945 5.45313729 -0.648953501 1.463853 -0.0595173114 -1.43264663 0.746154131 -2.32337537 3.08796448 3.4848374 4.89481908 3.27993207
// cost: 3 instructions, 584898 ticks
module {
  func.func public @main(%arg0: tensor<37x5xf32>) -> (tensor<37x5xf32>) {
    %0 = stablehlo.log %arg0 : tensor<37x5xf32>
    return %0 : tensor<37x5xf32>
  }
}
