// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums 261.825115 556.296047 293.73567 -360.510336 98.6088964 240.273279 -382.831418 -21.9705193 -269.177311 -701.808909 5.86652743 -48.462941 36.3427355 382.727626 166.307684 326.649102
// cost: 30 instructions, 1669488 ticks
module {
  func.func public @main(%arg0: tensor<40x300xf32>, %arg1: tensor<300x530xf32>) -> (tensor<40x530xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<40x300xf32>, tensor<300x530xf32>) -> tensor<40x530xf32>
    return %0 : tensor<40x530xf32>
  }
}
