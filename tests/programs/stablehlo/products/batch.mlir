// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums -29.05328 60.1177394 41.8391538 -3.36420824 7.7159408 -33.0261533 -4.51148489 18.0783137 18.7043304 -1.28397108 -6.49406505 -13.0360754 30.1845912 -15.275951 -18.4486685 -6.8912985
// cost: 11 instructions, 848788 ticks
module {
  func.func public @main(%arg0: tensor<3x20x34xf32>, %arg1: tensor<3x34x15xf32>) -> (tensor<3x20x15xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<3x20x34xf32>, tensor<3x34x15xf32>) -> tensor<3x20x15xf32>
    return %0 : tensor<3x20x15xf32>
  }
}
