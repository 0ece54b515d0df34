// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums -67.3268264 51.3841028 12.0306816 48.8800532 -33.1189686 63.7448606 88.0689391 -49.5970101 -15.9913489 76.524133 25.821658 -22.1316267 4.26633118 -18.1014435 -29.7926222 92.5673752
// cost: 5 instructions, 670543 ticks
module {
  func.func public @main(%arg0: tensor<70x40xf32>, %arg1: tensor<70x50xf32>) -> (tensor<40x50xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<70x40xf32>, tensor<70x50xf32>) -> tensor<40x50xf32>
    return %0 : tensor<40x50xf32>
  }
}
