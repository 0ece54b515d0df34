// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums 4.38281835 -10.4322343 -4.90640531 10.5665054 6.3052142 1.66401919 -15.6052891 -3.06889806 -3.73554541 6.8116592 11.2258413 3.69198767 -15.5720415 -11.6096029 -6.38454437 10.0521196
// cost: 24 instructions, 988732 ticks
module {
  func.func public @main(%arg0: tensor<2x9x3x8xf32>, %arg1: tensor<2x11x3x8xf32>) -> (tensor<2x3x9x11xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x9x3x8xf32>, tensor<2x11x3x8xf32>) -> tensor<2x3x9x11xf32>
    return %0 : tensor<2x3x9x11xf32>
  }
}
