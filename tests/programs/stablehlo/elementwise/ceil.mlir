// tolerance: 1e-30
// in: draw 1 -5 3.814697265625e-06 2621441
// out: sums 7.93359375 10.0507812 5.42578125 14.6484375 -8.69921875 -7.77734375 30.375 1.78125 -12.46875 4.1484375 8.8984375 -14.1757812 6.19140625 17.8046875 7.61328125 -6.6015625
// cost: 11 instructions, 723278 ticks
module {
  func.func public @main(%arg0: tensor<3x50xf32>) -> (tensor<3x50xf32>) {
    %0 = stablehlo.ceil %arg0 : tensor<3x50xf32>
    return %0 : tensor<3x50xf32>
  }
}
