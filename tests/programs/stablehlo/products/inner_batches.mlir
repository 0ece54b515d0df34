// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums 9.84930873 3.69292397 7.42665124 -9.95159425 3.8007139 -3.14261176 -6.13156649 0 -12.5913914 -5.40971253 -9.59732376 -6.8839831 -3.02540149 -4.88453683 -1.49491368 -10.1236017
// cost: 5 instructions, 634704 ticks
module {
  func.func public @main(%arg0: tensor<2x40x33xf32>, %arg1: tensor<2x40x33xf32>) -> (tensor<2x40xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x40x33xf32>, tensor<2x40x33xf32>) -> tensor<2x40xf32>
    return %0 : tensor<2x40xf32>
  }
}
