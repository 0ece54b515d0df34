// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums 6.25585742 0.54095345 5.0049827 0.851387814 -3.35392651 -3.76292135 -2.68155361 -7.52338299 0.286157807 -3.12464213 7.53869263 -5.92832044 12.0958108 -13.5745628 -1.04027589 1.47685407
// cost: 13 instructions, 842607 ticks
module {
  func.func public @main(%arg0: tensor<9x4x10xf32>, %arg1: tensor<10x4x11xf32>) -> (tensor<4x9x11xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [1] x [1], contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<9x4x10xf32>, tensor<10x4x11xf32>) -> tensor<4x9x11xf32>
    return %0 : tensor<4x9x11xf32>
  }
}
