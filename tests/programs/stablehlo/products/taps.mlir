// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums -9.73113869 -20.7962574 -9.17575488 7.65580663 -2.31761796 3.73237713 23.2604439 1.08589727 -7.78132408 5.70130741 -12.7038616 16.6865015 -2.00166272 -4.98052088 7.30467051 1.80175708
// cost: 16 instructions, 789732 ticks
module {
  func.func public @main(%arg0: tensor<2x9x4x70xf32>, %arg1: tensor<4x70xf32>) -> (tensor<2x9x70xf32>) {
    %0 = stablehlo.dot_general %arg1, %arg0, batching_dims = [1] x [3], contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x70xf32>, tensor<2x9x4x70xf32>) -> tensor<70x2x9xf32>
    %1 = stablehlo.transpose %0, dims = [1, 2, 0] : (tensor<70x2x9xf32>) -> tensor<2x9x70xf32>
    return %1 : tensor<2x9x70xf32>
  }
}
