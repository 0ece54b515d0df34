// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums -73.2001877 -21.0702111 71.6438014 31.1640519 -15.6762082 -42.5980973 -21.6874986 34.4805508 -20.321438 18.6109754 15.4160767 -89.6100224 7.78319018 7.4130099 2.69432197 6.1313239
// cost: 5 instructions, 669105 ticks
module {
  func.func public @main(%arg0: tensor<40x60xf32>, %arg1: tensor<60x50xf32>) -> (tensor<40x50xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<40x60xf32>, tensor<60x50xf32>) -> tensor<40x50xf32>
    return %0 : tensor<40x50xf32>
  }
}
