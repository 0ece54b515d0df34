// tolerance: 1e-30
// in: draw 1 -5 3.814697265625e-06 2621441
// out: sums -0.24609375 1.4453125 -4.8671875 5.76953125 -15.21875 -14.2460938 21.5625 0.4296875 -25.4570312 -7.57421875 3.6484375 -15.2304688 -1.3359375 4.01953125 3.20703125 -14.5351562
// cost: 9 instructions, 654398 ticks
module {
  func.func public @main(%arg0: tensor<3x50xf32>) -> (tensor<3x50xf32>) {
    %0 = stablehlo.round_nearest_even %arg0 : tensor<3x50xf32>
    return %0 : tensor<3x50xf32>
  }
}
