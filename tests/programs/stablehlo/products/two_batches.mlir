// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums 4.30266362 -6.53405164 10.2924191 -6.62407691 12.6550515 -1.20762048 2.4134567 1.92194977 4.27354448 -4.2400717 2.36512128 2.04645455 10.1233443 -3.40894573 -0.976820159 3.72602151
// cost: 17 instructions, 1017387 ticks
module {
  func.func public @main(%arg0: tensor<2x3x9x10xf32>, %arg1: tensor<2x3x10x11xf32>) -> (tensor<2x3x9x11xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x3x9x10xf32>, tensor<2x3x10x11xf32>) -> tensor<2x3x9x11xf32>
    return %0 : tensor<2x3x9x11xf32>
  }
}
