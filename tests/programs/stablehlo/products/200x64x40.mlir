// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums -63.2770102 -88.5533806 -38.8246263 -35.1277209 -10.0831062 2.46006105 -49.4954377 90.5687301 -50.1179725 -78.6009386 -133.971908 -72.5592697 142.488639 4.17591233 125.113579 -52.0381457
// cost: 9 instructions, 823489 ticks
module {
  func.func public @main(%arg0: tensor<200x64xf32>, %arg1: tensor<64x40xf32>) -> (tensor<200x40xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<200x64xf32>, tensor<64x40xf32>) -> tensor<200x40xf32>
    return %0 : tensor<200x40xf32>
  }
}
