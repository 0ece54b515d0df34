// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums 4.44325227 -64.4882851 -6.16147701 -14.4802297 -14.0520755 10.7795463 39.8129301 -10.4226023 43.0186441 11.291241 -11.7376695 -33.3173679 -28.9539935 -106.216539 -11.6127129 -42.7874792
// cost: 18 instructions, 1075195 ticks
module {
  func.func public @main(%arg0: tensor<1x256xf32>, %arg1: tensor<256x300xf32>) -> (tensor<1x300xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x256xf32>, tensor<256x300xf32>) -> tensor<1x300xf32>
    return %0 : tensor<1x300xf32>
  }
}
