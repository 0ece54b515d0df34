// tolerance: 2e-05
// in: draw 1 -5 3.814697265625e-06 2621441
// out: sums 142.824867 283.018712 155.54926 353.644195 59.2931301 217.311309 352.650122 25.1046425 125.529046 132.913502 244.119286 -2.73036417 101.818459 213.285966 99.5519494 60.1726396
// cost: 11 instructions, 907462 ticks
module {
  func.func public @main(%arg0: tensor<3x50xf32>) -> (tensor<3x50xf32>) {
    %0 = stablehlo.exponential_minus_one %arg0 : tensor<3x50xf32>
    return %0 : tensor<3x50xf32>
  }
}
